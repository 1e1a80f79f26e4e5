package ensemble

import (
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// madeBy is a connection, as a member tells of it.
type madeBy struct {
	endpoint *endpoint
	session  znode.SessionID
	addr     string
}

// madeAt is when a connection was made, by its member's clock and by ours.
type madeAt struct{ theirs, ours time.Time }

// madeAt returns when a connection was made, by our clock as far as its member's is known; zero: not told. A connection
// keeps the moment that it was first told of: a member's clock is estimated anew in every round, and a connection that
// seems to be made at another moment would be taken for another one.
func (e *Ensemble) madeAt(ep *endpoint, c connection, now map[madeBy]madeAt) time.Time {
	if c.since.IsZero() {
		return c.since
	}
	by := madeBy{ep, c.session, c.addr}
	at, known := e.made[by]
	if !known || !at.theirs.Equal(c.since) {
		at = madeAt{c.since, c.since}
		if ep.clock.Known {
			at.ours = c.since.Add(-ep.clock.Ahead)
		}
	}
	now[by] = at
	return at.ours
}
