package inspect

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// BenchmarkMemoryMillion measures what a million znodes and their decoding keep in memory above names and data: B/znode.
// In the trees one znode in ten, one in two, or nearly every one stands in a lock or an election. Then a claim goes, and
// the picture before and the one after are kept both: two-B/znode.
func BenchmarkMemoryMillion(b *testing.B) {
	for _, share := range []int{10, 2, 1} {
		b.Run(fmt.Sprintf("one-in-%d", share), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				s, bytes := millionTree(share)
				tree := heap()
				r := Decode(s, nil, Hints{})
				all := heap()
				if r.Models.Len() != 100_000/share {
					b.Fatal(r.Models.Len())
				}
				b.ReportMetric(float64(tree-before-bytes)/1e6, "tree-B/znode")
				b.ReportMetric(float64(all-before-bytes)/1e6, "B/znode")
				after := s.WithDeleted(r.Models.At(r.Models.Len() / 2).Claims[0].Path())
				again := Decode(after, r, Hints{})
				b.ReportMetric(float64(heap()-before-bytes)/1e6, "two-B/znode")
				for _, x := range []any{s, r, after, again} {
					runtime.KeepAlive(x)
				}
			}
		})
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
func millionTree(share int) (s *Snapshot, bytes uint64) {
	root := &Node{}
	for i := range 100 {
		group := &Node{Name: fmt.Sprintf("group-%03d", i), Children: make([]*Node, 0, 1000)}
		for j := range 1000 {
			dir := &Node{Name: fmt.Sprintf("resource-%06d", i*1000+j), Czxid: 1, HasCversion: true, Cversion: 9, NumChildren: 9}
			for k := range 9 {
				z := (i*1000+j)*9 + k
				n := &Node{Name: fmt.Sprintf("item-%d-%d", k, z), Czxid: Zxid(z + 2), Ctime: Millis(z + 1), Data: []byte(fmt.Sprintf("10.%d.%d.%d", z>>16, z>>8&255, z&255))}
				if j%share == 0 {
					guid := fmt.Sprintf("_c_%08x-1111-4222-8333-%012x", uint32(z*2654435761), z)
					n.Name = guid + [...]string{"-lock-", "-latch-"}[j/share%2] + SequenceText(int32(k))
					n.Owner = SessionID(1<<56 + z%5000)
				}
				bytes += uint64(len(n.Name) + len(n.Data))
				dir.insert(n)
			}
			bytes += uint64(len(dir.Name))
			group.Children = append(group.Children, dir)
		}
		root.insert(group)
	}
	return &Snapshot{Root: root, Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}, bytes
}
