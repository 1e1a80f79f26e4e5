package znode_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/script"
	"pgregory.net/rapid"
)

func TestEdits(t *testing.T) {
	s := script.New(t)
	s.Apply("/l kids=2 cv=2\n/l/a owner=A\n/l/b data=\"x\"\n/other/x\n/l kids=2 cv=2")
	base := s.Snapshot()

	del := base.WithDeleted("/l/a")
	if del.At("/l/a") != nil || base.At("/l/a") == nil {
		t.Error("delete")
	}
	if l := del.At("/l"); l.NumChildren != 1 || l.Cversion != 3 {
		t.Errorf("parent of a deleted child: %+v", l)
	}
	if del.At("/other") != base.At("/other") || del.At("/l/b") != base.At("/l/b") {
		t.Error("unchanged parts are not shared")
	}

	data := base.WithData("/l/b", []byte("unlock"))
	if n := data.At("/l/b"); string(n.Data) != "unlock" || n.DataLength != 6 || n.Version != 1 ||
		string(base.At("/l/b").Data) != "x" {
		t.Errorf("%+v", n)
	}

	made := base.WithCreated("/l/c", znode.Node{Owner: 5})
	if n := made.At("/l/c"); n.Name != "c" || n.Owner != 5 || n.Czxid <= base.At("/l/b").Czxid {
		t.Errorf("%+v", n)
	}
	if l := made.At("/l"); l.NumChildren != 3 || len(l.Children) != 3 || l.Children[2].Name != "c" {
		t.Errorf("%+v", l)
	}

	for name, got := range map[string]*znode.Snapshot{
		"delete the root":           base.WithDeleted("/"),
		"delete nothing":            base.WithDeleted("/x/y"),
		"delete below a leaf":       base.WithDeleted("/l/a/b"),
		"write to nothing":          base.WithData("/x", nil),
		"create what is there":      base.WithCreated("/l/a", znode.Node{}),
		"create without a parent":   base.WithCreated("/x/y", znode.Node{}),
		"create the root":           base.WithCreated("/", znode.Node{}),
		"delete with a slash":       base.WithDeleted("/l/"),
		"write beside a slash":      base.WithData("/l/", nil),
		"delete outside":            base.WithDeleted("l"),
		"delete an empty path":      base.WithDeleted(""),
		"write to an empty path":    base.WithData("", nil),
		"create with an empty path": base.WithCreated("", znode.Node{}),
	} {
		if got != base {
			t.Errorf("%s changed something", name)
		}
	}
}

// Edits on any tree keep children sorted and unique, and the original as it was.
func TestEditsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script.AnySnapshot(t)
		before := script.ResultText(inspect.Decode(s, nil, model.Hints{}))
		next := s
		for range 5 {
			path := rapid.SampledFrom(script.AllPaths(next)).Draw(t, "path")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				next = next.WithDeleted(path)
			case 1:
				next = next.WithData(path, []byte("x"))
			case 2:
				next = next.WithCreated(znode.Join(path, rapid.StringMatching(`[a-c]{1,2}`).Draw(t, "name")),
					znode.Node{})
			}
		}
		checkSorted(t, next.Root)
		if after := script.ResultText(inspect.Decode(s, nil, model.Hints{})); after != before {
			t.Fatal("the original changed")
		}
	})
}

func checkSorted(t *rapid.T, n *znode.Node) {
	for i, c := range n.Children {
		if i > 0 && n.Children[i-1].Name >= c.Name {
			t.Fatalf("%q before %q", n.Children[i-1].Name, c.Name)
		}
		if n.Child(c.Name) != c {
			t.Fatalf("%q is not found", c.Name)
		}
		checkSorted(t, c)
	}
}
