package inspect_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

func BenchmarkDecodeFull(b *testing.B) {
	s := script.BigTree(10000, 9) // 100,000 znodes in 10,000 recipes
	b.ReportAllocs()
	for b.Loop() {
		if r := inspect.Decode(s, nil, model.Hints{}); r.Models.Len() != 10000 {
			b.Fatal(r.Models.Len())
		}
	}
}

func BenchmarkDecodeOneChange(b *testing.B) {
	for _, dirs := range []int{1000, 10000, 50000} {
		b.Run(fmt.Sprintf("recipes=%d", dirs), func(b *testing.B) { benchChange(b, script.BigTree(dirs, 9)) })
	}
}

// BenchmarkDecodeOneChangeFlat has all recipes in one directory: the most siblings to step over.
func BenchmarkDecodeOneChangeFlat(b *testing.B) {
	s := script.BigTree(10000, 9)
	flat := &znode.Node{Name: "locks"}
	for _, group := range s.Root.Children {
		for _, dir := range group.Children[0].Children {
			flat.Insert(dir)
		}
	}
	s.Root = &znode.Node{Children: []*znode.Node{flat}, NumChildren: 1}
	benchChange(b, s)
}

func benchChange(b *testing.B, s *znode.Snapshot) {
	prev := inspect.Decode(s, nil, model.Hints{})
	m := prev.Models.At(prev.Models.Len() / 2)
	without := s.WithDeleted(m.Claims[0].Path())
	results := [2]*model.Result{prev, inspect.Decode(without, prev, model.Hints{})}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		from, to := i%2, 1-i%2
		r := inspect.Decode(results[to].Snapshot, results[from], model.Hints{})
		if r.Models.Len() != prev.Models.Len() {
			b.Fatal(r.Models.Len())
		}
		results[to] = r
	}
}

func BenchmarkDiffOneChange(b *testing.B) {
	s := script.BigTree(10000, 9)
	prev := inspect.Decode(s, nil, model.Hints{})
	next := inspect.Decode(s.WithDeleted(prev.Models.At(5000).Claims[0].Path()), prev, model.Hints{})
	for b.Loop() {
		if len(story.Diff(prev, next)) == 0 {
			b.Fatal("no events")
		}
	}
}

// BenchmarkOneLock10000 is one lock directory with 10,000 contenders: one leaves, what happened is told.
func BenchmarkOneLock10000(b *testing.B) {
	s := script.BigTree(1, 10000)
	prev := inspect.Decode(s, nil, model.Hints{})
	m := prev.Models.At(0)
	without := s.WithDeleted(m.Claims[5000].Path())
	for b.Loop() {
		next := inspect.Decode(without, prev, model.Hints{})
		if len(story.Diff(prev, next)) == 0 {
			b.Fatal("no events")
		}
	}
}

// kindsTree is a tree of recipes that are no plain lines: kazoo's semaphores, queues, groups, double barriers.
func kindsTree(dirs, each int) *znode.Snapshot {
	tree := znode.NewTreeBuilder("/")
	z := 0
	for i := range dirs {
		dir := fmt.Sprintf("/group-%d/%s/r-%d", i/1000, [...]string{"sem", "queue", "crew", "barriers"}[i%4], i)
		tree.Add(dir, &znode.Node{Czxid: znode.Zxid(i + 1), Data: []byte([...]string{"5", "", "", ""}[i%4])}, nil)
		for j := range each {
			z++
			hex := fmt.Sprintf("%032x", z)
			name := [...]string{hex, "queue-" + layout.SequenceText(int32(j)), fmt.Sprintf("member-%d", z), hex}[i%4]
			n := &znode.Node{Czxid: znode.Zxid(z), Ctime: znode.Millis(z), Data: []byte("10.0.0.1"), DataLength: 8}
			if i%4 != 1 {
				n.Owner = znode.SessionID(1<<56 + z%5000)
			}
			tree.Add(dir+"/"+name, n, nil)
		}
	}
	return &znode.Snapshot{Root: tree.Build(), Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}
}

func BenchmarkDecodeFullKinds(b *testing.B) {
	s := kindsTree(10000, 9)
	b.ReportAllocs()
	for b.Loop() {
		if r := inspect.Decode(s, nil, model.Hints{}); r.Models.Len() != 10000 {
			b.Fatal(r.Models.Len())
		}
	}
}

func BenchmarkDecodeOneChangeKinds(b *testing.B) { benchChange(b, kindsTree(10000, 9)) }

func BenchmarkDecodeOrdinary(b *testing.B) {
	tree := znode.NewTreeBuilder("/")
	for i := range 100000 {
		tree.Add(fmt.Sprintf("/app/%d/item-%d", i/100, i),
			&znode.Node{Data: []byte("some data"), Czxid: znode.Zxid(i + 1)}, nil)
	}
	s := &znode.Snapshot{Root: tree.Build(), Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}
	b.ReportAllocs()
	for b.Loop() {
		if r := inspect.Decode(s, nil, model.Hints{}); r.Models.Len() != 0 {
			b.Fatal(r.Models.Len())
		}
	}
}
