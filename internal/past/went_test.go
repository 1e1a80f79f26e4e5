package past

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// The logs record by whose doing a claim went: events say it, from state to state, over several at once, and after
// going back.
func TestEventsTellHowClaimsWent(t *testing.T) {
	const ms = 1795816800000
	var all []*txnlog.Record
	add := func(session int64, cxid int32, kind txnlog.Kind, path string) {
		zxid := int64(len(all) + 1)
		all = append(all, &txnlog.Record{Session: session, Cxid: cxid, Zxid: 1<<32 + zxid, Millis: ms + 1000*zxid, Kind: kind,
			Ops: []txnlog.Op{{Kind: kind, Path: []byte(path), Ephemeral: kind == txnlog.Create && len(path) > 2, Cversion: 1, Timeout: 6000}}})
	}
	lock := func(i int64) string { return fmt.Sprintf("/l/_c_00000000-0000-4000-8000-%012x-lock-%010d", i, i) }
	add(1, 1, txnlog.Create, "/l")
	for i := int64(1); i <= 5; i++ {
		add(i, 0, txnlog.CreateSession, "")
		add(i, 1, txnlog.Create, lock(i))
	}
	begin := len(all)
	add(1, 2, txnlog.Delete, lock(1))
	add(2, 2, txnlog.CloseSession, "")
	add(3, 0, txnlog.CloseSession, "")
	add(5, 2, txnlog.Delete, lock(4))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "log.100000001"), all)
	rec := files.NewRecording(open(t, dir))
	rec.Keep()
	want := []string{"released 0x1 released", "session-closed 0x2 closed its session", "lost 0x3 lost by expiry", "lost the claim of 0x4 was deleted by 0x5"}
	check := func(from, to int, want ...string) {
		t.Helper()
		was, is := inspect.Decode(rec.At(from), nil, model.Hints{}), inspect.Decode(rec.At(to), nil, model.Hints{})
		var got []string
		for _, e := range story.Diff(was, is) {
			if e.What != story.EventAcquired {
				got = append(got, e.What+" "+e.Text[:min(len(e.Text), len(want[min(len(got), len(want)-1)])-len(e.What)-1)])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("from state %d to %d: %q, want %q", from, to, got, want)
		}
	}
	for range 2 { // the second time after going back
		for i, w := range want {
			check(begin+i, begin+i+1, w)
		}
	}
	check(begin, begin+1, want[0])
}

// Of how many znodes it is remembered how they went is bounded, and what a picture was given never changes.
func TestHowZnodesWentIsBounded(t *testing.T) {
	const ms = 1795816800000
	var all []*txnlog.Record
	for i := int64(0); i < 5*mostWent; i++ {
		kind := []txnlog.Kind{txnlog.Create, txnlog.Delete}[i%2]
		all = append(all, &txnlog.Record{Session: 1, Cxid: 1, Zxid: 1<<32 + i + 1, Millis: ms + i, Kind: kind,
			Ops: []txnlog.Op{{Kind: kind, Path: []byte("/x"), Ephemeral: true, Cversion: -1}}})
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "log.100000001"), all)
	tape := open(t, dir).tape()
	defer tape.Close()
	early := tape.Snapshot()
	for i := 0; tape.Next() == nil; i++ {
		if i == 9 {
			early = tape.Snapshot()
		}
		if n := len(tape.Snapshot().Went); n > 2*mostWent {
			t.Fatalf("%d departures are kept", n)
		}
	}
	if w, ok := early.HowWent("/x", 1<<32+9); !ok || w.By != 1 || len(early.Went) != 5 {
		t.Errorf("%+v %v, %d kept", w, ok, len(early.Went))
	}
}
