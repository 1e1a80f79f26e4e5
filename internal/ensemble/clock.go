package ensemble

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// Clock is how far a server's wall clock is ahead of ours; negative when it is behind.
type Clock struct {
	Known  bool
	Ahead  time.Duration
	Within time.Duration // how far Ahead may be off
}

// Off reports whether the clocks certainly differ by more than a second.
func (c Clock) Off() bool { return c.Known && c.Ahead.Abs()-c.Within > time.Second }

// clockOfDate compares clocks by the Date of an HTTP reply, which is in whole seconds.
func clockOfDate(date time.Time, q question) Clock {
	if date.IsZero() {
		return Clock{}
	}
	const half = 500 * time.Millisecond
	return Clock{Known: true, Ahead: date.Add(half).Sub(q.middle()), Within: half + q.heard.Sub(q.sent)/2}
}

// clockOfSelf compares clocks by our own connection: the server says when it was made.
func (ep *endpoint) clockOfSelf(id znode.SessionID, since time.Time) {
	for _, c := range ep.conns {
		if c.session == id && !c.since.IsZero() && !since.IsZero() {
			ep.clock = Clock{Known: true, Ahead: c.since.Sub(since), Within: 500 * time.Millisecond}
		}
	}
}

// clockOfDump compares clocks by the dates in a dump, where nothing better is known: the first expiry that is listed
// cannot have passed, nor be further away than the longest timeout and two ticks. All it can tell is that a clock is
// off by at least so much.
func (ep *endpoint) clockOfDump() {
	if ep.clock.Known || ep.dump == nil || ep.dump.first.IsZero() || ep.conf == nil || ep.conf.most <= 0 {
		return
	}
	now := ep.asked.middle()
	early, late := ep.dump.first.Sub(now)+time.Second, ep.dump.first.Sub(now)-ep.conf.most-2*ep.conf.tick
	switch {
	case early < 0:
		ep.clock = Clock{Known: true, Ahead: early, Within: ep.conf.most + 2*ep.conf.tick}
	case late > 0:
		ep.clock = Clock{Known: true, Ahead: late, Within: ep.conf.most + 2*ep.conf.tick}
	}
}

// expiry turns what a session tracker said into a time of our clock, and how far that may be off; zero where that is not
// known. Both are zero when nothing was said.
func (ep *endpoint) expiry(t tracked, self znode.SessionID, heard time.Time) (at time.Time, within time.Duration) {
	switch {
	case !t.expires.IsZero():
		at = t.expires.Add(500 * time.Millisecond) // dates are cut to seconds
		if !ep.clock.Known {
			return at, 0
		}
		return at.Add(-ep.clock.Ahead), 500*time.Millisecond + ep.clock.Within
	case t.ms > 0:
		now, slack, ok := ep.monotonic(self, heard)
		if !ok {
			return at, 0
		}
		return ep.asked.middle().Add(time.Duration(t.ms-now) * time.Millisecond), slack
	}
	return at, 0
}

// monotonic is what the server's monotonic clock showed when it was asked for its dump. The last response to our own
// session tells it best; else it lies between the last response to anybody and the first expiry to come.
func (ep *endpoint) monotonic(self znode.SessionID, heard time.Time) (now int64, slack time.Duration, ok bool) {
	latest := int64(0)
	for _, c := range ep.conns {
		if c.session == self && self != 0 && c.heard > 0 && !heard.IsZero() {
			since := ep.asked.middle().Sub(heard)
			return c.heard + since.Milliseconds(), time.Second, since >= 0
		}
		latest = max(latest, c.heard)
	}
	first := ep.dump.firstMs
	if first == 0 || ep.conf == nil || ep.conf.tick <= 0 {
		return 0, 0, false
	}
	tick := ep.conf.tick.Milliseconds()
	low := max(latest, first-tick)
	if low > first {
		low = first
	}
	return (low + first) / 2, millis((first-low)/2) + time.Second, true
}

// lastsUntil is until when a connected session lasts where no tracker told: its timeout after the last response that it
// was sent. The newest response to anybody stands for now, which it is not after: the session is heard no later than that.
func (ep *endpoint) lastsUntil(c connection, at time.Time) (until time.Time, within time.Duration) {
	if c.heard <= 0 || c.timeout <= 0 {
		return until, 0
	}
	latest := c.heard
	for _, o := range ep.conns {
		latest = max(latest, o.heard)
	}
	return at.Add(c.timeout - millis(latest-c.heard)), time.Second
}

// ClockOf compares our clock with that of the member at an address, by our own session on it, which the Config's Self
// tells of. ok is false when the member does not list its connections.
func (e *Ensemble) ClockOf(ctx context.Context, addr string) (c Clock, ok bool) {
	id, since, _ := e.self()
	ep := &endpoint{addr: addr, fourLetter: addr, shut: map[string]time.Time{}, lengths: map[string]int{}}
	ep.why = map[string]error{}
	text, err := e.ask(ctx, ep, wordCons)
	if err != nil {
		return c, false
	}
	ep.conns, _ = parseCons(text)
	ep.clockOfSelf(id, since)
	return ep.clock, ep.clock.Known
}
