package inspect

import "time"

// pollGap is how often the members of an ensemble are asked who is connected.
const pollGap = 5 * time.Second

// unheard is for how long no server had heard a session when the servers were asked: its expiry is the last sign of its
// life and its timeout, rounded up, so that the time is no shorter than said. known is false where the leader told no expiry.
func (s *Snapshot) unheard(x Session) (d time.Duration, known bool) {
	if x.ExpiresAt.IsZero() || x.Timeout <= 0 {
		return 0, false
	}
	asked := s.AskedAt
	if asked.IsZero() {
		asked = s.TakenAt
	}
	return max(0, asked.Sub(x.ExpiresAt.Add(-x.Timeout))), true
}

// silent reports whether a session is connected and nobody heard it for longer than a client is silent: clients ping at a
// third of their timeout, so that half of it and one round of questions more is too long. latest is lastHeard; it is asked
// for only where the server's clock is not known, which is then compared with itself alone.
func (s *Snapshot) silent(x Session, latest func() time.Time) bool {
	if x.Connected == nil || !*x.Connected {
		return false
	}
	d, known := s.unheard(x)
	most := x.Timeout/2 + pollGap + x.Within
	if !known || d <= most {
		return false
	}
	return x.Within != 0 || s.AskedAt.IsZero() || latest().Sub(x.ExpiresAt.Add(-x.Timeout)) > most
}

// lastHeard is when any session was heard last, by the servers' clock.
func (s *Snapshot) lastHeard() (latest time.Time) {
	for _, x := range s.Sessions {
		if heard := x.ExpiresAt.Add(-x.Timeout); !x.ExpiresAt.IsZero() && x.Timeout > 0 && heard.After(latest) {
			latest = heard
		}
	}
	return latest
}

// silence says in words since when owners were not heard, and until when that can last.
func (v *builder) silence(claims []*Claim) string {
	if len(claims) > 1 {
		return plural(len(claims), "owner is", "owners are") + " connected and not heard for more than half of the session timeout: " + names(claims) + "; the clients may hang"
	}
	c := claims[0]
	s := v.snap.Sessions[c.Session]
	return Printable(c.Owner()) + " (" + string(c.Role()) + ") is connected and not heard since " + clock(s.ExpiresAt.Add(-s.Timeout)) +
		" UTC: its client may hang; its session expires at " + clock(s.ExpiresAt) + " UTC unless it is heard"
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// hushed are the signs of a connected session that is silent.
func (s *Snapshot) hushed(x Session) []Sign {
	return []Sign{
		{Code: "silent", Leans: PointsStale, Text: "no server heard session " + x.ID.String() + " since about " + clock(x.ExpiresAt.Add(-x.Timeout)) +
			" UTC: clients ping at a third of their timeout, which is " + Age(x.Timeout)},
		{Code: "expiry", Leans: PointsNeither, Until: x.ExpiresAt, Within: x.Within, Text: "unless it is heard, its session expires"},
	}
}
