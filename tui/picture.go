package tui

import (
	"time"

	"github.com/zkscope/zkscope/inspect"
)

// answered counts the servers that were asked, and those that answered.
func answered(s *inspect.Snapshot) (asked, told int) {
	for i := range s.Servers {
		if s.Servers[i].Answered {
			told++
		}
	}
	return len(s.Servers), told
}

// everyServerAnswered reports whether a session that no server told of is known to be absent.
func everyServerAnswered(s *inspect.Snapshot) bool {
	asked, told := answered(s)
	return asked > 0 && asked == told && s.Sessions != nil
}

// walk calls f for every znode of a picture, parents first.
func walk(s *inspect.Snapshot, f func(path string, n *inspect.Node)) {
	var below func(path string, n *inspect.Node)
	below = func(path string, n *inspect.Node) {
		f(path, n)
		for _, c := range n.Children {
			below(inspect.Join(path, c.Name), c)
		}
	}
	below(s.Base, s.Root)
}

// census is how many znodes a picture has, counted now and then: the walk is long in a large tree.
type census struct {
	of *inspect.Snapshot
	at time.Time
	n  int
}

// recount is how old a count may be.
const recount = 5 * time.Second

func (c *census) count(s *inspect.Snapshot, now time.Time) int {
	if c.of == nil || c.of != s && now.Sub(c.at) >= recount {
		c.of, c.at, c.n = s, now, count(s.Root)
	}
	return c.n
}
