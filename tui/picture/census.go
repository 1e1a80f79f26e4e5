package picture

import (
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// census is how many znodes a picture has, counted now and then: the walk is long in a large tree.
type census struct {
	of *znode.Snapshot
	at time.Time
	n  int
}

// recount is how old a count may be.
const recount = 5 * time.Second

// Count is how many znodes a picture has, as it was a moment ago.
func (c *census) Count(s *znode.Snapshot, now time.Time) int {
	if c.of == nil || c.of != s && now.Sub(c.at) >= recount {
		c.of, c.at, c.n = s, now, Count(s.Root)
	}
	return c.n
}

// Count counts a znode and those below it.
func Count(n *znode.Node) int {
	total := 1
	for _, c := range n.Children {
		total += Count(c)
	}
	return total
}
