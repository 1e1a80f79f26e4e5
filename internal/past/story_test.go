package past

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

func open(t *testing.T, dirs ...string) *Story {
	t.Helper()
	var ms []*txnlog.Member
	for _, d := range dirs {
		m, err := txnlog.FindMember(d, "")
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	s, err := Open(ms)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func end(t *testing.T, s *Story) (*znode.Snapshot, *txnlog.Coverage) {
	t.Helper()
	tape := s.tape()
	defer tape.Close()
	for {
		switch err := tape.Next(); err {
		case nil:
		case io.EOF:
			return tape.Snapshot(), tape.Coverage()
		default:
			t.Fatal(err)
		}
	}
}

// differ tells how two trees differ, but for ZooKeeper's own znodes.
func differ(path string, got, want *znode.Node) (out []string) {
	if path == "/zookeeper" {
		return nil
	}
	if got == nil || want == nil {
		return []string{fmt.Sprintf("%s: %v, want %v", path, got != nil, want != nil)}
	}
	a, b := *got, *want
	a.Children, b.Children = nil, nil
	if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
		out = append(out, fmt.Sprintf("%s:\n got %+v\nwant %+v", path, a, b))
	}
	names := map[string]bool{}
	for _, c := range slices.Concat(got.Children, want.Children) {
		if !names[c.Name] {
			names[c.Name] = true
			out = append(out, differ(znode.Join(path, c.Name), got.Child(c.Name), want.Child(c.Name))...)
		}
	}
	return out
}

// What real samples tell: who held the lock, and that the server ended a session.
func TestSamples(t *testing.T) {
	s := open(t, "../txnlog/testdata/expiry").tape()
	defer s.Close()
	var holders []string
	last := ""
	for {
		r, err := s.Record()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m := inspect.Decode(s.Snapshot(), nil, model.Hints{}).ByPath("/locks/nightly")
		if m == nil || len(m.Claims) == 0 || m.Claims[0].Role() != model.Holder {
			last = ""
			continue
		}
		if name := m.Claims[0].Owner(); name != last {
			holders = append(holders, fmt.Sprintf("%s %d cxid %d", name, r.Millis-1795858277000, r.Cxid))
			last = name
		}
	}
	if fmt.Sprint(holders) != "[batch-1 586 cxid 6 batch-2 4704 cxid 0]" {
		t.Error(holders)
	}
	if c := s.Coverage(); c.Records != 0xad || len(c.Holes) != 0 || len(c.Epochs) != 1 {
		t.Errorf("%+v", c)
	}
}

// A tree that is rebuilt from the files of a real server is the one that a client reads, stats included; from whichever
// snapshot it begins.
func TestTheTreeIsTheSameAsALiveOne(t *testing.T) {
	srv := peers.ZooKeeper(t, peers.Options{JVMFlags: []string{"-Dzookeeper.snapCount=40"}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var conns []*zkc.Conn
	for range 3 {
		c, err := zkc.Dial(ctx, zkc.Config{Servers: []string{srv.Addr}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		conns = append(conns, c)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	paths := []string{"/"}
	for i := range 600 {
		c, at := conns[rnd.IntN(len(conns))], rnd.IntN(len(paths))
		path := paths[at]
		switch k := rnd.IntN(10); {
		case k < 5:
			flags := []int32{0, 0, wire.FlagSequence, wire.FlagEphemeralSequence, wire.FlagEphemeral}[rnd.IntN(5)]
			if made, err := c.Create(ctx, znode.Join(path, fmt.Sprint("n", i)), []byte(fmt.Sprint(i)), flags, nil); err == nil && flags&wire.FlagEphemeral == 0 {
				paths = append(paths, made.Path)
			}
		case k < 8:
			_, _ = c.Set(ctx, path, []byte(fmt.Sprint("again", i)), -1)
		default:
			if path != "/" && c.Delete(ctx, path, -1) == nil {
				paths = slices.Delete(paths, at, at+1)
			}
		}
	}
	conns[2].Close()
	live, err := mirror.Load(ctx, conns[0], mirror.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := srv.DataDir()
	s := open(t, dir)
	got, cover := end(t, s)
	if d := differ("/", got.Root, live.Root); len(d) > 0 {
		t.Errorf("%d znodes differ, the first:\n%s", len(d), d[0])
	}
	if cover.Records < 500 || s.base.zxid != 0 {
		t.Errorf("%+v from %x", cover, s.base.zxid)
	}
	snaps := s.members[0].Snapshots
	if len(snaps) < 5 {
		t.Fatalf("%d snapshots", len(snaps))
	}
	for i := range snaps {
		late := &txnlog.Member{Name: "late", Logs: s.members[0].Logs, Snapshots: snaps[i : i+1]}
		p, err := load(snaps[i])
		if err != nil {
			t.Fatal(err)
		}
		x := &Story{members: []*txnlog.Member{late}, base: p}
		if end, _ := end(t, x); len(differ("/", end.Root, live.Root)) > 0 {
			d := differ("/", end.Root, live.Root)
			t.Errorf("from %s %d znodes differ, the first:\n%s", snaps[i].Path, len(d), d[0])
		}
	}
}

// Every state of a story is the same by itself as in the order of time.
func TestAStoryIsARecording(t *testing.T) {
	s := open(t, "../txnlog/testdata/expiry")
	var want []*znode.Snapshot
	tape := s.tape()
	defer tape.Close()
	for {
		want = append(want, tape.Snapshot())
		if tape.Next() == io.EOF {
			break
		}
	}
	rec := files.NewRecording(s)
	rec.Keep()
	if rec.Len() != len(want) || rec.Len() != 0xad+1 {
		t.Fatalf("%d states, want %d", rec.Len(), len(want))
	}
	for _, i := range []int{0, 0xad, 5, 3, 100, 99, 98, 0x50, 0} {
		got := rec.At(i)
		if d := differ("/", got.Root, want[i].Root); len(d) > 0 || !got.TakenAt.Equal(want[i].TakenAt) || len(got.Sessions) != len(want[i].Sessions) {
			t.Errorf("state %d: %v", i, d)
		}
		if i > 0 && !rec.TimeOf(i).Equal(got.TakenAt) {
			t.Errorf("state %d is of %v, and said to be of %v", i, got.TakenAt, rec.TimeOf(i))
		}
	}
	res := rec.Decoded(0xab, model.Hints{}) // batch-2 is gone, sessions are not
	if m := res.ByPath("/locks/nightly"); m == nil || len(m.Claims) != 0 {
		t.Errorf("%+v", m)
	}
}
