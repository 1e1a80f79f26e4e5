package tui

import (
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// answered counts the servers that were asked, and those that answered.
func answered(s *znode.Snapshot) (asked, told int) {
	for i := range s.Servers {
		if s.Servers[i].Answered {
			told++
		}
	}
	return len(s.Servers), told
}

// knownAbsent reports whether a session that no server named is known to be gone.
func knownAbsent(s *znode.Snapshot) bool {
	return s.Sessions != nil && len(s.Servers) > 0 && s.ToldSessions()
}

// census is how many znodes a picture has, counted now and then: the walk is long in a large tree.
type census struct {
	of *znode.Snapshot
	at time.Time
	n  int
}

// recount is how old a count may be.
const recount = 5 * time.Second

func (c *census) count(s *znode.Snapshot, now time.Time) int {
	if c.of == nil || c.of != s && now.Sub(c.at) >= recount {
		c.of, c.at, c.n = s, now, count(s.Root)
	}
	return c.n
}
