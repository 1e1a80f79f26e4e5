package mirror

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pipeTo is a Config for an in-process server.
func pipeTo(s *zkserver.Server) zkc.Config {
	return zkc.Config{Servers: []string{"zk1:2181"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) }}
}

func dial(t testing.TB, cfg zkc.Config) *zkc.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := zkc.Dial(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func start(t testing.TB, cfg zkc.Config, o Options) *Mirror {
	t.Helper()
	m, err := Start(context.Background(), cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// await waits until a snapshot is as wanted, on the Mirror's own signals. Under virtual time the limit is
// virtual.
func await(t testing.TB, m *Mirror, limit time.Duration, what string, ok func(*znode.Snapshot) bool) *znode.Snapshot {
	t.Helper()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	for {
		if s := m.Snapshot(); ok(s) {
			return s
		}
		select {
		case <-m.Changed():
		case <-deadline.C:
			t.Fatalf("not within %v: %s; status %+v", limit, what, m.Status())
		}
	}
}

func complete(s *znode.Snapshot) bool { return s.Complete && s.LostSince.IsZero() }

// znode is one line for a znode with everything that servers tell of it.
func zn(path string, data []byte, st wire.Stat) string {
	return fmt.Sprintf("%s %t %q %+v", path, data == nil, data, st)
}

// lines prints a mirrored tree, one line for each znode.
func lines(s *znode.Snapshot) []string {
	var out []string
	var walk func(n *znode.Node, path string)
	walk = func(n *znode.Node, path string) {
		if !sort.SliceIsSorted(n.Children, func(i, j int) bool { return n.Children[i].Name < n.Children[j].Name }) {
			out = append(out, "unsorted children at "+path)
		}
		out = append(out, zn(path, n.Data, wire.Stat{Czxid: int64(n.Czxid), Mzxid: int64(n.Mzxid), Ctime: int64(n.Ctime), Mtime: int64(n.Mtime),
			Version: n.Version, Cversion: n.Cversion, Aversion: n.Aversion, EphemeralOwner: int64(n.Owner),
			DataLength: n.DataLength, NumChildren: n.NumChildren, Pzxid: int64(n.Pzxid)}))
		for _, c := range n.Children {
			walk(c, znode.Join(path, c.Name))
		}
	}
	walk(s.Root, s.Base)
	return out
}

// truth reads a tree one request at a time, as plainly as can be.
func truth(t testing.TB, c *zkc.Conn, path string) (out []string) {
	t.Helper()
	ctx := context.Background()
	if err := c.Sync(ctx, path); err != nil {
		t.Fatal(err)
	}
	var walk func(path string)
	walk = func(path string) {
		data, st, err := c.Get(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, zn(path, data, st))
		if st.NumChildren == 0 {
			return
		}
		names, _, err := c.Children(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		sort.Strings(names)
		for _, name := range names {
			if child := znode.Join(path, name); child != "/zookeeper" {
				walk(child)
			}
		}
	}
	walk(path)
	return out
}

// differences compares two prints.
func differences(got, want []string) string {
	var b bytes.Buffer
	seen := make(map[string]bool)
	for _, l := range want {
		seen[l] = true
	}
	n := 0
	for _, l := range got {
		if !seen[l] {
			fmt.Fprintln(&b, "+", l)
			n++
		}
		delete(seen, l)
	}
	for l := range seen {
		fmt.Fprintln(&b, "-", l)
	}
	if b.Len() == 0 && strings.Join(got, "\n") != strings.Join(want, "\n") {
		return "same lines in another order"
	}
	return b.String()
}

// agree waits until the mirror shows what the server has.
func agree(t testing.TB, m *Mirror, c *zkc.Conn, limit time.Duration) {
	t.Helper()
	want := truth(t, c, m.Snapshot().Base)
	diff := ""
	deadline := time.Now().Add(limit)
	for {
		s := m.Snapshot()
		if diff = differences(lines(s), want); diff == "" && complete(s) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %v; complete %v, lost %v, %+v\n%s", limit, s.Complete, s.LostSince, m.Status(), diff)
		}
		time.Sleep(max(20*time.Millisecond, limit/100))
	}
}

func create(t testing.TB, c *zkc.Conn, path, data string, flags int32) string {
	t.Helper()
	made, err := c.Create(context.Background(), path, []byte(data), flags, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made.Path
}

// fill creates dirs x kids znodes with 20 bytes of data below /walk.
func fill(t testing.TB, c *zkc.Conn, dirs, kids int) {
	t.Helper()
	ch := []zkc.Change{zkc.CreateOf("/walk", nil, 0)}
	flush := func() {
		if _, err := c.Multi(context.Background(), ch...); err != nil {
			t.Fatal(err)
		}
		ch = ch[:0]
	}
	for d := range dirs {
		dir := fmt.Sprintf("/walk/d%05d", d)
		ch = append(ch, zkc.CreateOf(dir, nil, 0))
		for k := range kids {
			ch = append(ch, zkc.CreateOf(fmt.Sprintf("%s/contender-name-of-31-bytes-%04d", dir, k), []byte("twenty bytes of data"), 0))
			if len(ch) >= 1000 {
				flush()
			}
		}
	}
	flush()
}
