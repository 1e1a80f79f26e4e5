package znode

import (
	"time"
)

// AsOf is the moment up to which the picture is known to hold: a tree that does not change is not taken again, but the
// servers are asked again and again.
func (s *Snapshot) AsOf() time.Time {
	if s.LostSince.IsZero() && s.AskedAt.After(s.TakenAt) {
		return s.AskedAt
	}
	return s.TakenAt
}

// UnchangedUntil is the picture as of a later moment, until which nothing came.
func (s *Snapshot) UnchangedUntil(now time.Time) *Snapshot {
	if !s.TakenAt.Before(now) {
		return s
	}
	c := *s
	c.TakenAt = now
	return &c
}

// ToldSessions reports whether every server told which sessions are connected to it: then a session that
// none of them named is known to be absent.
func (s *Snapshot) ToldSessions() bool { return AllAnswered(s.Servers) && !s.SessionsPartial }

// ToldWatches reports whether every server listed its watches.
func (s *Snapshot) ToldWatches() bool { return AllAnswered(s.Servers) && !s.WatchesPartial }

// ListsWatches reports whether the watches that the snapshot lists are all that there are: no server is known to have
// kept its own back.
func (s *Snapshot) ListsWatches() bool {
	return s.Watches != nil && !s.WatchesPartial && (len(s.Servers) == 0 || AllAnswered(s.Servers))
}

// Loading reports whether the first reading of the tree still runs.
func (s *Snapshot) Loading() bool { return !s.Complete && len(s.Partial) == 0 }

// AllAnswered reports whether there are servers, and each of them told what it knows.
func AllAnswered(servers []Server) bool {
	for i := range servers {
		if !servers[i].Answered || servers[i].Tier == "none" {
			return false
		}
	}
	return len(servers) > 0
}

// Gap is a span of time in which changes were not seen, because the reader had no connection. The zero value is none.
type Gap struct{ From, To time.Time }

// Missed returns the gap that two successive pictures of one run lie on either side of: what differs between them came
// about in it, for all that is known. ok is false where they were taken without one between them.
func Missed(prev, next *Snapshot) (g Gap, ok bool) {
	g = next.Gap
	return g, !g.To.IsZero() && (!g.To.Equal(prev.Gap.To) || next.TakenAt.Equal(g.To))
}
