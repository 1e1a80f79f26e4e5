package inspect_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// BenchmarkMemoryMillion measures what a million znodes and their decoding keep in memory above names and data:
// B/znode. In the first trees one znode in ten, one in two, or nearly every one stands in a lock or an election; then
// in a queue or a group; in the last ones each is a recipe by itself. Then a claim goes, and the picture before and the
// one after are kept both: two-B/znode.
func BenchmarkMemoryMillion(b *testing.B) {
	for _, share := range []int{10, 2, 1} {
		b.Run(fmt.Sprintf("one-in-%d", share), func(b *testing.B) {
			keepMillion(b, func() (*znode.Snapshot, uint64) { return millionTree(share) }, 100_000/share)
		})
	}
	for _, word := range []string{"queues", "members", "locks", "config"} {
		models := map[string]int{"queues": 1000, "members": 1000, "locks": 1_000_000, "config": 1_000_000}[word]
		b.Run(word, func(b *testing.B) {
			keepMillion(b, func() (*znode.Snapshot, uint64) { return millionBelow(word) }, models)
		})
	}
}

func keepMillion(b *testing.B, tree func() (*znode.Snapshot, uint64), models int) {
	for b.Loop() {
		before := heap()
		s, bytes := tree()
		bare := heap()
		r := inspect.Decode(s, nil, model.Hints{})
		all := heap()
		if r.Models.Len() != models {
			b.Fatal(r.Models.Len())
		}
		b.ReportMetric(float64(bare-before-bytes)/1e6, "tree-B/znode")
		b.ReportMetric(float64(all-before-bytes)/1e6, "B/znode")
		after := s.WithDeleted(r.Models.At(r.Models.Len() / 2).Claims[0].Path())
		again := inspect.Decode(after, r, model.Hints{})
		b.ReportMetric(float64(heap()-before-bytes)/1e6, "two-B/znode")
		for _, x := range []any{s, r, after, again} {
			runtime.KeepAlive(x)
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// millionTree makes a million znodes, as a mirror does, and says how long their names and data are.
func millionTree(share int) (s *znode.Snapshot, bytes uint64) {
	root := &znode.Node{}
	for i := range 100 {
		group := &znode.Node{Name: fmt.Sprintf("group-%03d", i), Children: make([]*znode.Node, 0, 1000)}
		for j := range 1000 {
			dir := &znode.Node{Name: fmt.Sprintf("resource-%06d", i*1000+j), Czxid: 1, HasCversion: true,
				Cversion: 9, NumChildren: 9}
			for k := range 9 {
				z := (i*1000+j)*9 + k
				n := &znode.Node{Name: fmt.Sprintf("item-%d-%d", k, z), Czxid: znode.Zxid(z + 2),
					Ctime: znode.Millis(z + 1), Data: []byte(fmt.Sprintf("10.%d.%d.%d", z>>16, z>>8&255, z&255))}
				if j%share == 0 {
					guid := fmt.Sprintf("_c_%08x-1111-4222-8333-%012x", uint32(z*2654435761), z)
					n.Name = guid + [...]string{"-lock-", "-latch-"}[j/share%2] + layout.SequenceText(int32(k))
					n.Owner = znode.SessionID(1<<56 + z%5000)
				}
				bytes += uint64(len(n.Name) + len(n.Data))
				dir.Insert(n)
			}
			bytes += uint64(len(dir.Name))
			group.Children = append(group.Children, dir)
		}
		root.Insert(group)
	}
	return &znode.Snapshot{Root: root, Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}, bytes
}

// millionBelow makes a thousand directories of a name with a thousand znodes each.
func millionBelow(word string) (s *znode.Snapshot, bytes uint64) {
	root := &znode.Node{}
	for i := range 1000 {
		dir := &znode.Node{Name: word, HasCversion: true, Cversion: 1000, NumChildren: 1000,
			Children: make([]*znode.Node, 1000)}
		for j := range dir.Children {
			n := &znode.Node{Name: fmt.Sprintf("resource-%06d-x", j), Czxid: znode.Zxid(i*1000 + j + 2),
				Ctime: znode.Millis(j + 1), Data: []byte(fmt.Sprintf("10.1.%d.%d", i>>4, j>>2))}
			switch word {
			case "queues":
				n.Name = "queue-" + layout.SequenceText(int32(j))
			case "members", "locks":
				n.Owner = znode.SessionID(1<<56 + j)
			}
			dir.Children[j] = n
			bytes += uint64(len(n.Name) + len(n.Data))
		}
		root.Insert(&znode.Node{Name: fmt.Sprintf("app-%04d", i), NumChildren: 1, Children: []*znode.Node{dir}})
	}
	return &znode.Snapshot{Root: root, Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}, bytes
}
