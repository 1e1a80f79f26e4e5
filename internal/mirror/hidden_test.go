package mirror

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// secret is an ACL for those who know the password only.
func secret() []wire.ACL {
	return []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("bob:secret")}}
}

// TestDigestOnlyLock follows a lock whose contenders nobody else may read, on a real server, which
// withholds their events (CVE-2024-23944).
func TestDigestOnlyLock(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	bob := dial(t, zkc.Config{Servers: []string{s.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}})
	ctx := context.Background()
	contend := func() string {
		t.Helper()
		made, err := bob.Create(ctx, "/lock/c-", []byte("bob"), wire.FlagEphemeralSequence, secret())
		if err != nil {
			t.Fatal(err)
		}
		return made.Path
	}
	create(t, bob, "/lock", "", 0)
	first := contend()
	m := start(t, zkc.Config{Servers: []string{s.Addr}}, Options{Reconcile: 2 * time.Second})
	unreadable := func(path string) func(*znode.Snapshot) bool {
		return func(s *znode.Snapshot) bool {
			n := s.At(path)
			return n != nil && n.Has(znode.Unreadable) && n.Data == nil && n.Owner != 0 && n.Czxid != 0
		}
	}
	snap := await(t, m, 10*time.Second, "the first contender, without its data", unreadable(first))
	if !snap.Complete {
		t.Fatalf("%q", snap.Partial)
	}
	fast := func(what string, ok func(*znode.Snapshot) bool) {
		t.Helper()
		begun := time.Now()
		await(t, m, 5*time.Second, what, ok)
		t.Logf("%s: after %v", what, time.Since(begun))
	}
	second := contend()
	fast("a second comes", unreadable(second))
	if err := bob.Delete(ctx, first, -1); err != nil {
		t.Fatal(err)
	}
	fast("the first goes", func(s *znode.Snapshot) bool { return s.At(first) == nil && s.At("/lock").NumChildren == 1 })
	third := contend()
	fast("a third comes", unreadable(third))
	for _, p := range []string{second, third} {
		if err := bob.Delete(ctx, p, -1); err != nil {
			t.Fatal(err)
		}
	}
	fast("the lock is empty", func(s *znode.Snapshot) bool { return len(s.At("/lock").Children) == 0 })
	fourth := contend()
	fast("the empty lock is taken again", unreadable(fourth))
	if st := m.Status(); st.Missed != 0 || st.Loads != 1 || st.Counters.Watches != 2 {
		t.Errorf("%+v", st)
	}
}

// TestUnreadableInANewPlace has the first unreadable znode of a directory, of which no event comes at all:
// only the background comparison can notice.
func TestUnreadableInANewPlace(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	bob := dial(t, zkc.Config{Servers: []string{s.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}})
	ctx := context.Background()
	m := start(t, zkc.Config{Servers: []string{s.Addr}}, Options{Reconcile: time.Second})
	create(t, bob, "/other", "", 0)
	await(t, m, 10*time.Second, "the directory", func(s *znode.Snapshot) bool { return s.At("/other") != nil })
	if _, err := bob.Create(ctx, "/other/x", nil, 0, secret()); err != nil {
		t.Fatal(err)
	}
	await(t, m, 10*time.Second, "the znode", unreadableAt("/other/x"))
	// Given the right to read, its data comes.
	if _, err := bob.SetACL(ctx, "/other/x", wire.OpenACL(), -1); err != nil {
		t.Fatal(err)
	}
	await(t, m, 10*time.Second, "its data", func(s *znode.Snapshot) bool { return s.At("/other/x").Flags == 0 })
	if st := m.Status(); st.Missed != 0 || st.Loads != 1 {
		t.Errorf("%+v", st)
	}
}

func unreadableAt(path string) func(*znode.Snapshot) bool {
	return func(s *znode.Snapshot) bool { n := s.At(path); return n != nil && n.Has(znode.Unreadable) }
}

// TestUnreadableInTheRoot must not lose the recursive watch, which a one-shot watch on its root would
// replace.
func TestUnreadableInTheRoot(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	bob := dial(t, zkc.Config{Servers: []string{s.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("bob:secret")}}})
	ctx := context.Background()
	hide := func(path string) {
		t.Helper()
		if _, err := bob.Create(ctx, path, nil, 0, secret()); err != nil {
			t.Fatal(err)
		}
	}
	hide("/h1")
	m := start(t, zkc.Config{Servers: []string{s.Addr}}, Options{Reconcile: -1})
	await(t, m, 10*time.Second, "the load", unreadableAt("/h1"))
	hide("/h2")
	await(t, m, 5*time.Second, "a second", unreadableAt("/h2"))
	for i := range 3 {
		path := fmt.Sprintf("/open%d", i)
		create(t, bob, path, "x", 0)
		await(t, m, 5*time.Second, "events still come", func(s *znode.Snapshot) bool { return s.At(path) != nil })
		if _, err := bob.Set(ctx, path, []byte("y"), -1); err != nil {
			t.Fatal(err)
		}
		await(t, m, 5*time.Second, "and again", func(s *znode.Snapshot) bool { return string(s.At(path).Data) == "y" })
	}
	// A directory of which even the children are none of our business.
	hide("/h1/below")
	await(t, m, 5*time.Second, "its children are counted", func(s *znode.Snapshot) bool {
		n := s.At("/h1")
		return n.Has(znode.NotListed|znode.Unreadable) && n.NumChildren == 1 && fmt.Sprint(s.Partial) == "[/h1: no permission to list its 1 children]"
	})
}
