package e2e

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

//go:embed testdata/kazoo_locks.py
var kazooLocks string

//go:embed testdata/Contend.java
var contend string

// want is how a recipe must decode: one "role owner" per claim, in order. An owner of * is any name that is
// not blank.
type want struct {
	path    string
	kind    layout.Kind
	dialect layout.Dialect
	claims  string
}

var wantStanding = []want{
	{"/kz/lock", layout.Lock, layout.Kazoo, "holder kz-A, waiter kz-B, waiter kz-C"},
	{"/kz/rw", layout.SharedLock, layout.Kazoo, "holder read kz-A, holder read kz-B, waiter write kz-C, waiter read kz-D"},
	{"/cur/mutex", layout.Lock, layout.Curator, "holder *, waiter *, waiter *"},
	{"/cur/rw", layout.SharedLock, layout.Curator, "holder read rw-A, holder read rw-B, waiter write rw-C, waiter read rw-D"},
	{"/cur/latch", layout.Election, layout.Curator, "leader latch-A, candidate latch-B, candidate latch-C"},
	{"/cur/leader/selector", layout.Election, layout.Curator, "leader sel-A, candidate sel-B"},
	{"/zkr/lock", layout.Lock, layout.ZooKeeper, "holder *, waiter *"},
	{"/zkr/election", layout.Election, layout.ZooKeeper, "leader host-A.example, candidate host-B.example"},
	{"/go/lock", layout.Lock, layout.GoZooKeeper, "holder go-A, waiter go-B"},
}

var wantLeft = []want{
	{"/kz/lock", layout.Lock, layout.Kazoo, "holder kz-B, waiter kz-C"},
	{"/kz/rw", layout.SharedLock, layout.Kazoo, "holder write kz-C, waiter read kz-D"},
	{"/cur/mutex", layout.Lock, layout.Curator, "holder *, waiter *"},
	{"/cur/rw", layout.SharedLock, layout.Curator, "holder write rw-C, waiter read rw-D"},
	{"/cur/latch", layout.Election, layout.Curator, "leader latch-B, candidate latch-C"},
	{"/cur/leader/selector", layout.Election, layout.Curator, "leader sel-B"},
	{"/zkr/lock", layout.Lock, layout.ZooKeeper, "holder *"},
	{"/zkr/election", layout.Election, layout.ZooKeeper, "leader host-B.example"},
	{"/go/lock", layout.Lock, layout.GoZooKeeper, "holder go-B"},
}

func TestClientsDecodeRightOnARealServer(t *testing.T) {
	t.Parallel()
	clientsDecodeRight(t, peers.ZooKeeper(t, peers.Options{}).Addr)
}

func TestClientsDecodeRightOnTheEmbeddedServer(t *testing.T) {
	t.Parallel()
	clientsDecodeRight(t, embedded(t))
}

func embedded(t *testing.T) string {
	t.Helper()
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return addr.String()
}

func clientsDecodeRight(t *testing.T, addr string) {
	kz := peers.Kazoo(t, kazooLocks, addr)
	cur := peers.Java(t, "Contend", contend, addr)
	goLocks := goContend(t, addr)
	kz.Expect("READY", 60*time.Second)
	cur.Expect("READY", 90*time.Second)
	check(t, addr, wantStanding)
	revokeCurator(t, addr, cur)
	kz.Say("leave")
	cur.Say("leave")
	goLocks()
	kz.Expect("LEFT", 30*time.Second)
	cur.Expect("LEFT", 30*time.Second)
	check(t, addr, wantLeft)
	if strings.Contains(cur.Output(), "FAILED") {
		t.Fatal(cur.Output())
	}
}

// goContend takes go-zookeeper's own lock twice and returns what releases the first.
func goContend(t *testing.T, addr string) (leave func()) {
	t.Helper()
	var locks []*zk.Lock
	for i := range 2 {
		conn, _, err := zk.Connect([]string{addr}, 6*time.Second, zk.WithLogger(mute{}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		l := zk.NewLock(conn, "/go/lock", zk.WorldACL(zk.PermAll))
		locks = append(locks, l)
		done := make(chan error, 1)
		go func() { done <- l.LockWithData([]byte("go-" + string(rune('A'+i)))) }()
		peers.WaitFor(t, 20*time.Second, "go-zookeeper's place in line", func() bool {
			names, _, err := conn.Children("/go/lock")
			return err == nil && len(names) == i+1
		})
		if i == 0 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	}
	return func() {
		if err := locks[0].Unlock(); err != nil {
			t.Fatal(err)
		}
	}
}

type mute struct{}

func (mute) Printf(string, ...any) {}

// decode reads a server once.
func decode(t *testing.T, addr string) *model.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := zkc.Dial(ctx, zkc.Config{Servers: []string{addr}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	snap, err := mirror.Load(ctx, conn, mirror.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return inspect.Decode(snap, nil, model.Hints{})
}

// check polls until every recipe decodes as wanted: a client's own view and the tree may be a moment apart.
func check(t *testing.T, addr string, list []want) {
	t.Helper()
	var wrong []string
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		wrong = nil
		res := decode(t, addr)
		for _, w := range list {
			if got := describe(res.ByPath(w.path)); !fits(got, w) {
				wrong = append(wrong, fmt.Sprintf("%s: got %s; want %s %s %s", w.path, got, w.kind, w.dialect, w.claims))
			}
		}
		if len(wrong) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(strings.Join(wrong, "\n"))
		}
	}
}

func describe(m *model.Model) string {
	if m == nil {
		return "nothing"
	}
	var claims []string
	for _, c := range m.Claims {
		mode := ""
		if c.Mode() == layout.Read || c.Mode() == layout.Write {
			mode = string(c.Mode()) + " "
		}
		claims = append(claims, string(c.Role())+" "+mode+c.Owner())
	}
	return fmt.Sprintf("%s %s %s", m.Kind, m.Dialect, strings.Join(claims, ", "))
}

func fits(got string, w want) bool {
	pattern := strings.Split(fmt.Sprintf("%s %s %s", w.kind, w.dialect, w.claims), " ")
	words := strings.Split(got, " ")
	if len(pattern) != len(words) {
		return false
	}
	for i, p := range pattern {
		any := strings.HasPrefix(p, "*") && len(strings.TrimSuffix(words[i], ",")) > 0
		if p != words[i] && !any {
			return false
		}
	}
	return true
}
