package waits_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// drawLines draws lines of locks, elections and semaphores in which few sessions stand, in any order, also more than once.
func drawLines(t *rapid.T) map[string][]znode.SessionID {
	lines := map[string][]znode.SessionID{}
	for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
		lines[fmt.Sprintf("l%02d", i)] = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 5), func(i int) znode.SessionID {
			return znode.SessionID(i)
		}), 1, 4).Draw(t, "line")
	}
	return lines
}

// The search for knots comes to what a plain one comes to that goes from every wait to every other.
func TestKnotsAreThoseOfAPlainSearch(t *testing.T) {
	rings := 0
	rapid.Check(t, func(t *rapid.T) {
		s := waitsTree(drawLines(t))
		for _, d := range s.Root.Children[0].Children { // who came first is drawn
			for _, c := range d.Children {
				c.Czxid = znode.Zxid(rapid.IntRange(1, 100).Draw(t, "czxid"))
				c.Ctime = znode.Millis(1_000_000 + 1000*int64(c.Czxid))
			}
		}
		w := waits.Of(inspect.Decode(s, nil, model.Hints{}), nil)
		if text := waits.PlainlyDiffers(w); text != "" {
			t.Fatal(text)
		}
		rings += len(w.Cycles)
	})
	if rings == 0 {
		t.Error("nobody waits in a ring: nothing is compared")
	}
}

// BenchmarkManyLines draws the graph of sessions that wait in 2,000 and in 16,000 lines, for each other or one for the next:
// the price grows with the claims, not with the pairs of them.
func BenchmarkManyLines(b *testing.B) {
	for name, second := range map[string][]znode.SessionID{"ring": {0xb, 0xa}, "chain": {0xb, 0xc}} {
		for _, n := range []int{1000, 8000} {
			lines := map[string][]znode.SessionID{}
			for i := range n {
				lines[fmt.Sprintf("a%05d", i)], lines[fmt.Sprintf("b%05d", i)] = []znode.SessionID{0xa, 0xb}, second
			}
			res := inspect.Decode(waitsTree(lines), nil, model.Hints{})
			b.Run(fmt.Sprintf("%s/%d", name, 2*n), func(b *testing.B) {
				for b.Loop() {
					waits.Of(res, nil)
				}
			})
		}
	}
}
