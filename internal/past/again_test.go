package past

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// What a member logs anew after the death of its leader was told already: no claim comes twice, and no time is moved. A
// transaction that is another one, of the same number, is one that happened.
func TestWhatIsLoggedTwiceHappensOnce(t *testing.T) {
	const first = 1795816800000
	lock := func(i int) string { return fmt.Sprintf("/l/_c_00000000-0000-4000-8000-%012x-lock-%010d", i, i) }
	record := func(zxid int64, kind txnlog.Kind, path string) *txnlog.Record {
		return &txnlog.Record{Session: 7, Cxid: int32(zxid), Zxid: 1<<32 + zxid, Millis: first + 100*zxid, Kind: kind,
			Ops: []txnlog.Op{{Kind: kind, Path: []byte(path), Ephemeral: kind == txnlog.Create && path != "/l", Cversion: 1, Timeout: 6000}}}
	}
	life := []*txnlog.Record{record(1, txnlog.CreateSession, ""), record(2, txnlog.Create, "/l")}
	for i := range 5 {
		life = append(life, record(int64(3+2*i), txnlog.Create, lock(i)), record(int64(4+2*i), txnlog.Delete, lock(i)))
	}
	other := record(12, txnlog.Create, "/other")
	other.Session, other.Ops[0].Ephemeral = 8, false
	for name, x := range map[string]struct {
		later []*txnlog.Record
		want  int64 // repeats
		other bool
	}{
		"anew":        {life[6:], 6, false},
		"set back":    {[]*txnlog.Record{life[10], other}, 2, true},
		"all of it":   {life, 12, false},
		"and goes on": {append(life[8:len(life):len(life)], record(13, txnlog.Create, lock(5))), 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "log.100000001"), life)
			write(t, filepath.Join(dir, "log.100000003"), x.later)
			s := open(t, dir)
			h, err := chronicle.Of(s, "/l", time.Time{}, time.Time{}, model.Hints{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				if came := h.Stays[i].Came.At.UnixMilli(); came != first+int64(300+200*i) || h.Stays[i].Left.At.UnixMilli() != came+100 {
					t.Errorf("claim %d: %+v", i, h.Stays[i])
				}
			}
			if n := len(h.Stays); n != 5 && !(n == 6 && name == "and goes on") {
				t.Errorf("%d claims", n)
			}
			last, cover := end(t, s)
			if cover.Repeats != x.want || (last.Root.Child("other") != nil) != x.other {
				t.Errorf("%d repeats, %v", cover.Repeats, last.Root.Children)
			}
		})
	}
}

func write(t *testing.T, file string, records []*txnlog.Record) {
	t.Helper()
	var out bytes.Buffer
	w := txntest.New(&out, txntest.V36)
	for _, r := range records {
		w.Write(r)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
