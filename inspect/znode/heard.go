package znode

import "time"

// pollGap is how often the members of an ensemble are asked who is connected.
const pollGap = 5 * time.Second

// Unheard is for how long no server had heard a session when the servers were asked: its expiry is the last sign of its
// life and its timeout, rounded up, so that the time is no shorter than said. known is false where the
// leader told no expiry.
func (s *Snapshot) Unheard(x Session) (d time.Duration, known bool) {
	if x.ExpiresAt.IsZero() || x.Timeout <= 0 {
		return 0, false
	}
	asked := s.AskedAt
	if asked.IsZero() {
		asked = s.TakenAt
	}
	return max(0, asked.Sub(x.ExpiresAt.Add(-x.Timeout))), true
}

// Silent reports whether a session is connected and nobody heard it for SilentAfter, longer than a client is silent.
// latest is LastHeard; it is asked for only where the server's clock is not known, which is then compared with itself
// alone.
func (s *Snapshot) Silent(x Session, latest func() time.Time) bool {
	if x.Connected == nil || !*x.Connected {
		return false
	}
	d, known := s.Unheard(x)
	most := x.SilentAfter()
	if !known || d <= most {
		return false
	}
	return x.Within != 0 || s.AskedAt.IsZero() || latest().Sub(x.ExpiresAt.Add(-x.Timeout)) > most
}

// SilentAfter is for how long a connected session must not have been heard before it is told as silent: half its
// timeout and one round of questions, or two thirds of it where that is less, as of short ones, which would expire
// before. Clients ping at a third, and members pass that on within half a tick, of which a timeout has at least two.
func (x Session) SilentAfter() time.Duration {
	return min(x.Timeout/2+pollGap, x.Timeout*2/3) + x.Within
}

// ExpiresUnseen reports whether a session can expire between two rounds of questions, before it is told as silent.
func (x Session) ExpiresUnseen() bool { return x.SilentAfter()+pollGap > x.Timeout }

// passedOn is how long members take to pass a sign of life on to the leader: half a tick.
const passedOn = time.Second

// MissedPing reports whether nobody had heard a session, when the servers were asked, for longer than its pings are
// apart, by clocks that were compared.
func (s *Snapshot) MissedPing(x Session) bool {
	d, known := s.Unheard(x)
	return known && x.Within != 0 && d > x.Timeout/3+passedOn+x.Within
}

// ticks is how much later than it is sent a sign of life may count: the leader rounds, and members pass it on in
// rounds.
const ticks = 4 * time.Second

// Late reports whether a session is connected and nobody heard it for longer than a client that works is silent, which
// pings at a third of its timeout. It is no evidence that the client hangs, and enough to look again.
func (s *Snapshot) Late(x Session) bool {
	d, known := s.Unheard(x)
	return known && x.Connected != nil && *x.Connected && d > x.Timeout/3+ticks+x.Within
}

// LastHeard is when any session was heard last, by the servers' clock.
func (s *Snapshot) LastHeard() (latest time.Time) {
	for _, x := range s.Sessions {
		if heard := x.ExpiresAt.Add(-x.Timeout); !x.ExpiresAt.IsZero() && x.Timeout > 0 && heard.After(latest) {
			latest = heard
		}
	}
	return latest
}
