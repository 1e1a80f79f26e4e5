package view

import (
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// SessionNow says in a line whether a session is connected, when it was last heard, and when it expires, as far as that is
// known; empty: nothing is of a session.
func (sh *Shown) SessionNow(snap *znode.Snapshot, id znode.SessionID) string {
	x, known := snap.Sessions[id]
	switch {
	case id == 0:
		return ""
	case !known && knownAbsent(snap):
		return "no server has its session " + id.String()
	case snap.Sessions == nil:
		return "no server was asked whether its session is connected"
	case !known || x.Connected == nil:
		return "whether its session is connected is not known"
	}
	left, ago := x.ExpiresAt.Sub(sh.Now), sh.Now.Sub(x.ExpiresAt.Add(-x.Timeout))
	_, told := snap.Unheard(x)
	switch {
	case *x.Connected && !told:
		return "its session is connected to " + term.Safe(x.Server) + "; when it was last heard is not known"
	case *x.Connected && snap.Silent(x, snap.LastHeard):
		return "its session " + expiry(left) + " unless it is heard: connected, silent for " + say.Age(ago)
	case *x.Connected:
		return "its session is connected to " + term.Safe(x.Server) + ", heard " + sh.Theme.AtMost + say.Age(ago) + " ago"
	case !told:
		return "its session is not connected; when it expires is not known"
	}
	return "its session " + expiry(left) + ": not connected, last heard " + say.Age(ago) + " ago"
}

// expiry is when a session expires.
func expiry(left time.Duration) string {
	if left <= 0 {
		return "is due to expire"
	}
	return "expires in " + say.Age(left)
}
