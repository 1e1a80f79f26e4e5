package txnlog_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// story is what an ensemble did: two epochs, a record every ten milliseconds; the second leader's clock is a second behind.
func story() (out []txnlog.Record) {
	for i := range int64(150) {
		r := txnlog.Record{Session: 1, Cxid: int32(i + 1), Zxid: 1<<32 + i + 1, Millis: 1_000_000 + 10*i, Kind: txnlog.Delete}
		if i >= 100 {
			r.Zxid, r.Millis = 2<<32+i-99, r.Millis-1000
		}
		r.Ops = []txnlog.Op{{Kind: txnlog.Delete, Path: fmt.Appendf(nil, "/a%d", i)}}
		out = append(out, r)
	}
	return out
}

// member writes a server's directory, of files of so many records each, without those that lacks says.
func member(t *testing.T, records []txnlog.Record, each int, lacks func(i int) bool) *txnlog.Member {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "version-2")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var f *os.File
	var w *txntest.Writer
	n := 0
	for i := range records {
		if lacks(i) {
			continue
		}
		if n%each == 0 {
			if f != nil {
				w.Pad(300)
				f.Close()
			}
			var err error
			if f, err = os.Create(filepath.Join(dir, fmt.Sprintf("log.%x", records[i].Zxid))); err != nil {
				t.Fatal(err)
			}
			w = txntest.New(f, txntest.V36)
		}
		w.Write(&records[i])
		n++
	}
	f.Close()
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	m, err := txnlog.FindMember(filepath.Dir(dir), "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// zxids reads what members have after a zxid, and what that covers.
func zxids(t *testing.T, after int64, members ...*txnlog.Member) (out []int64, c txnlog.Coverage, ends []txnlog.LogEnd) {
	t.Helper()
	m := txnlog.Merge(members, after)
	defer m.Close()
	for {
		r, err := m.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Zxid)
		c.Add(r)
	}
	for _, s := range m.Streams() {
		ends = append(ends, s.Ends...)
	}
	return out, c, ends
}

// What one member lacks another tells; what none has is a hole.
func TestMembersAreMerged(t *testing.T) {
	all := story()
	a := member(t, all, 30, func(i int) bool { return i >= 20 && i < 40 })
	b := member(t, all, 17, func(i int) bool { return i >= 60 && i < 70 || i >= 100 && i < 110 })
	got, c, _ := zxids(t, 0, a, b)
	if len(got) != len(all) || len(c.Holes) != 0 || c.Records != 150 || len(c.Epochs) != 2 || len(c.Back) != 1 || c.Repeats != 0 {
		t.Errorf("%d records, %+v", len(got), c)
	}
	for i, z := range got {
		if z != all[i].Zxid {
			t.Fatalf("record %d is %x, not %x", i, z, all[i].Zxid)
		}
	}
	for _, x := range []struct {
		m    *txnlog.Member
		want string
	}{
		{a, "[{After:{Zxid:4294967316 Millis:1000190} Before:{Zxid:4294967337 Millis:1000400}}]"},
		{b, "[{After:{Zxid:4294967356 Millis:1000590} Before:{Zxid:4294967367 Millis:1000700}} {After:{Zxid:8589934592 Millis:1000990} Before:{Zxid:8589934603 Millis:1000100}}]"},
	} {
		if _, c, _ := zxids(t, 0, x.m); fmt.Sprintf("%+v", c.Holes) != x.want {
			t.Errorf("%+v", c.Holes)
		}
	}
	if _, c, _ = zxids(t, 0, b); c.Holes[0].Lost() != 10 {
		t.Error(c.Holes[0].Lost())
	}
	if got, _, _ = zxids(t, all[49].Zxid, a, b); len(got) != 100 || got[0] != all[50].Zxid {
		t.Errorf("after the fiftieth come %d", len(got))
	}
	if got, _, _ = zxids(t, all[49].Zxid, a); len(got) == 0 || got[0] > all[50].Zxid {
		t.Errorf("%x comes first", got[0])
	}
}

// A file that is damaged, or that ends in the middle, is told with file and offset, and the next one goes on.
func TestAMemberGoesOnBehindDamage(t *testing.T) {
	all := story()
	m := member(t, all, 50, func(int) bool { return false })
	damage := func(file string, change func([]byte) []byte) {
		b, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, change(b), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	damage(m.Logs[0].Path, func(b []byte) []byte { b[16+73*10+20] ^= 1; return b })
	damage(m.Logs[1].Path, func(b []byte) []byte { return b[:len(b)-300-40] })
	got, c, ends := zxids(t, 0, m)
	if len(got) >= 150 || len(c.Holes) != 1 || len(ends) != 3 {
		t.Fatalf("%d records, %+v, %+v", len(got), c.Holes, ends)
	}
	if e := ends[0]; e.Err == nil || !strings.Contains(e.Err.Error(), m.Logs[0].Path+": at offset ") || e.File != m.Logs[0].Path {
		t.Errorf("%+v", e)
	}
	if ends[1].End != txnlog.Unclean || ends[1].Err != nil || ends[2].End != txnlog.Clean {
		t.Errorf("%+v", ends)
	}
	if _, err := txnlog.FindMember(t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "no log.* or snapshot.*") {
		t.Error(err)
	}
}

// A member's directory is found by its name or its version-2; what tools left there is passed over; a place is come back to.
func TestFindMember(t *testing.T) {
	m, err := txnlog.FindMember("testdata/expiry", "")
	if err != nil || len(m.Logs) != 7 || len(m.Snapshots) != 7 || m.Logs[6].Zxid != 0xab || m.Snapshots[6].Zxid != 0xaa {
		t.Fatalf("%+v %v", m, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"log.1", "log.1.fixed", "log.2.chopped1", "snapshot.0", "snapshot.5.snappy", "snapshot.a.gz", "snapshot.b.gz.tmp", "log.x", "acceptedEpoch"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := txnlog.FindMember(dir, ""); err != nil || len(m.Logs) != 1 || len(m.Snapshots) != 3 {
		t.Errorf("%+v %v", m, err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "log.7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := txnlog.FindMember(dir, ""); err != nil || len(m.Logs) != 1 {
		t.Errorf("a pipe is taken for a log: %+v %v", m, err)
	}
	s := m.Stream(0x40)
	defer s.Close()
	if s.Place().File != 2 {
		t.Errorf("the record after 40 is looked for in file %d", s.Place().File)
	}
	var r txnlog.Record
	var places []txnlog.Place
	var want []int64
	for range 60 {
		places = append(places, s.Place())
		if err := s.Next(&r); err != nil {
			t.Fatal(err)
		}
		want = append(want, r.Zxid)
	}
	for _, i := range []int{59, 0, 31, 32} {
		if err := s.Goto(places[i]); err != nil {
			t.Fatal(err)
		}
		if err := s.Next(&r); err != nil || r.Zxid != want[i] {
			t.Errorf("place %d: %x, want %x (%v)", i, r.Zxid, want[i], err)
		}
	}
}
