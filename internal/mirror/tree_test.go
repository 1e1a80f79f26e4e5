package mirror

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/znode"
)

// TestEditsAgainstAPlainModel applies random edits to a tree and to a map of paths.
func TestEditsAgainstAPlainModel(t *testing.T) {
	o := Options{}.withDefaults("")
	r := rand.New(rand.NewPCG(1, 2))
	root := &znode.Node{HasCversion: true}
	model := map[string]znode.Zxid{"/": 0}
	nodes := 1
	for round := range 3000 {
		edits := map[string]*znode.Node{}
		for range r.IntN(12) {
			path := randomPath(r)
			if r.IntN(3) == 0 {
				edits[path] = nil
			} else {
				_, name := znode.Split(path)
				edits[path] = &znode.Node{Name: name, Czxid: znode.Zxid(r.IntN(2)), Mzxid: znode.Zxid(round)}
			}
		}
		before, picture := root, fmt.Sprint(pathsOf(root, "/"))
		e := editor{opts: &o, room: 1 << 20, bad: func(string) bool { return false }}
		var list []edit
		for _, path := range slices.SortedFunc(maps.Keys(edits), znode.ComparePaths) {
			list = append(list, edit{path, edits[path]})
			applyToModel(model, path, edits[path])
		}
		root = e.apply(root, list)
		nodes += e.added - e.removed
		got, want := pathsOf(root, "/"), slices.SortedFunc(maps.Keys(model), znode.ComparePaths)
		if fmt.Sprint(got) != fmt.Sprint(want) || nodes != len(want) {
			t.Fatalf("round %d, %d znodes counted:\n%v\nhas\n%v\nwant\n%v", round, nodes, list, got, want)
		}
		if fmt.Sprint(pathsOf(before, "/")) != picture {
			t.Fatal("the tree before has changed")
		}
		if len(list) == 0 && root != before {
			t.Fatal("no edit, but another tree")
		}
	}
}

func randomPath(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString([]string{"/a", "/a-b", "/b", "/a0", "/\x01"}[r.IntN(5)])
	}
	return b.String()
}

// applyToModel does what the editor should: a znode needs its parent, and one with another czxid is another.
func applyToModel(model map[string]znode.Zxid, path string, n *znode.Node) {
	dir, _ := znode.Split(path)
	if _, there := model[dir]; !there {
		return
	}
	if old, there := model[path]; n == nil || there && old != n.Czxid {
		maps.DeleteFunc(model, func(p string, _ znode.Zxid) bool { return p == path || strings.HasPrefix(p, path+"/") })
	}
	if n != nil {
		model[path] = n.Czxid
	}
}

func pathsOf(n *znode.Node, path string) []string {
	out := []string{path}
	for _, c := range n.Children {
		out = append(out, pathsOf(c, znode.Join(path, c.Name))...)
	}
	return out
}

func TestTreeOrder(t *testing.T) {
	want := []string{"/", "/a", "/a/b", "/a/b/c", "/a\x01", "/a-b", "/a-b/c", "/a0", "/b"}
	got := slices.Clone(want)
	rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
	slices.SortFunc(got, znode.ComparePaths)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
