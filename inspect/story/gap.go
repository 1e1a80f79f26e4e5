package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/say"
)

// What happened to the reader's own connection, in Event.What. The words are stable.
const (
	EventDisconnected = "disconnected" // from now on changes are not seen
	EventGap          = "gap"          // a span in which changes were not seen is over
)

// connection notes what became of the reader's connection.
func (d *differ) connection() {
	is, was := d.snap, d.before
	about := Event{Path: is.Base}
	if !is.Gap.To.IsZero() && !is.Gap.To.Equal(was.Gap.To) {
		e := about
		e.At, e.From, e.What, e.Text = is.Gap.To, is.Gap.From, EventGap,
			"no connection: what came and went is not known"
		d.events = append(d.events, e)
	}
	if !is.LostSince.IsZero() && was.LostSince.IsZero() {
		e := about
		e.At, e.What, e.Text = is.LostSince, EventDisconnected,
			"the connection is lost: what happens from now on is not seen"
		d.events = append(d.events, e)
	}
}

// Unseen reports whether nobody saw when it happened: between From and At.
func (e *Event) Unseen() bool { return !e.From.IsZero() }

// Told returns the text, and where nobody saw when it happened between which moments that was, as clock prints them.
func (e *Event) Told(clock func(time.Time) string) string {
	if !e.Unseen() {
		return e.Text
	}
	return "between " + clock(e.From) + " and " + clock(e.At) + " (not seen): " + e.Text
}

// span is how long something lasted that ends now; what ended in a gap lasted so long at most.
func (d *differ) span(since time.Time) time.Duration { return say.Between(since, d.now) }

// lasted is the same in words, with both bounds where the end was not seen; empty where the beginning is not known.
func (d *differ) lasted(since time.Time) string {
	switch most := say.Age(d.now.Sub(since)); {
	case since.IsZero():
		return ""
	case !d.unseen:
		return most
	case since.Before(d.gap.From):
		return say.Age(d.gap.From.Sub(since)) + " to " + most
	default:
		return "at most " + most
	}
}

// after is " after holding 3m12s", or nothing when the beginning is not known.
func (d *differ) after(doing string, since time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " after " + doing + d.lasted(since)
}
