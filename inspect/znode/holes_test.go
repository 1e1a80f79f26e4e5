package znode_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/znode"
)

func TestKnown(t *testing.T) {
	hidden := &znode.Node{Name: "vault", NumChildren: 2, Flags: znode.Unreadable | znode.NotListed,
		Children: []*znode.Node{{Name: "seen"}}}
	big := &znode.Node{Name: "big", NumChildren: 70_000, Flags: znode.NotListed}
	cut := &znode.Node{Name: "cut", NumChildren: 3, Children: []*znode.Node{{Name: "a"}}}
	full := &znode.Node{Name: "full", NumChildren: 1, Children: []*znode.Node{{Name: "a"}}}
	mute := &znode.Node{Name: "mute", Flags: znode.NoStat | znode.Unreadable | znode.NotListed}
	some := &znode.Node{Name: "names", NumChildren: 2, Flags: znode.NamesRead,
		Children: []*znode.Node{{Name: "a"}, {Name: "b", Flags: znode.NameOnly | znode.NoStat | znode.Unreadable | znode.NotListed}}}
	root := &znode.Node{NumChildren: 7, Children: []*znode.Node{big, cut, full, mute, some, hidden}}
	s := &znode.Snapshot{Root: root, Base: "/", Complete: true, Missing: []string{"/vault/gone"}}
	for path, want := range map[string]string{
		"/": "there", "/full": "there", "/names/b": "there", "/vault/seen": "there",
		"/none": "", "/full/none": "", "/full/a/none": "", "/names/none": "", "/vault/gone": "",
		"/vault/gone/below": "",
		"/vault/x":          "no permission to list /vault", "/vault/x/y": "no permission to list /vault",
		"/big/x":  "/big has 70000 children, which were counted and not listed",
		"/cut/b":  "of the 3 children of /cut only 1 were read",
		"/mute/x": "the server does not let /mute be read", "/names/b/x": "of /names/b only the name was read",
		"/zookeeper": "ZooKeeper's own znodes are left out", "/zookeeper/config": "ZooKeeper's own znodes are left out",
	} {
		n, why := s.Known(path)
		if (n != nil) != (want == "there") || n == nil && why != want {
			t.Errorf("%s: %v, %q, want %q", path, n, why, want)
		}
	}
	sub := &znode.Snapshot{Root: full, Base: "/full", Complete: true}
	if n, why := sub.Known("/cut"); n != nil || why != "only /full and what is below it was read" {
		t.Error(n, why)
	}
	for s, want := range map[*znode.Snapshot]string{
		{Root: &znode.Node{Name: "x", Flags: znode.NoStat},
			Base: "/x"}: "the tree is still being read",
		{Root: &znode.Node{Name: "x", Flags: znode.NoStat}, Base: "/x", Partial: []string{"/x does not exist"}}: "",
	} {
		for _, path := range []string{"/x", "/x/y"} {
			if n, why := s.Known(path); n != nil || why != want && path == "/x" {
				t.Errorf("%s: %v, %q, want %q", path, n, why, want)
			}
		}
	}
}
