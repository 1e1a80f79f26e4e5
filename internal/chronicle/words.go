package chronicle

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// CameText says when a claim came.
func (s *Stay) CameText() string {
	if s.Start {
		return "before " + s.Came.Text()
	}
	return s.Came.Text()
}

// HeldText says for how long a claim held, until it went or until the end.
func (s *Stay) HeldText(end time.Time) string {
	switch {
	case s.Held.At.IsZero():
		return "-"
	case s.Doubt:
		return "<=" + Exactly(s.HeldFor(end))
	case s.HeldFrom:
		return ">=" + Exactly(s.HeldFor(end))
	}
	return betweenText(s.Held, s.Left, end)
}

// PlaceText says where in line a claim came, counted from one, and of how many.
func (s *Stay) PlaceText() string {
	if s.Of == 0 {
		return "?"
	}
	return fmt.Sprintf("%d/%d", s.Position+1, s.Of)
}

// HeldText says for how long all claims of a name held, with the most that it can be where that is not known of each.
func (o *Owner) HeldText() string {
	if o.Maybe == 0 {
		return Exactly(o.Held)
	}
	return Exactly(o.Held) + " to " + Exactly(o.Held+o.Maybe)
}

// WaitedText says for how long a claim waited, until it held, went, or until the end.
func (s *Stay) WaitedText(end time.Time) string {
	switch {
	case s.Held.At.IsZero():
		return betweenText(s.Came, s.Left, end)
	case s.Doubt:
		return ">=" + Exactly(s.Waited(end))
	}
	return betweenText(s.Came, s.Held, end)
}

// betweenText is how long it was from one moment to another, or until the end, with both bounds where they differ.
func betweenText(a, b Moment, end time.Time) string {
	if b.At.IsZero() {
		b.At = end
	}
	least, most := Between(a, b)
	if least == most {
		return Exactly(most)
	}
	return Exactly(least) + " to " + Exactly(most)
}

// HowText says how a claim went, and by whom.
func (s *Stay) HowText() string {
	text := string(s.How)
	switch s.How {
	case Here:
		text = "still there"
	case Closed:
		text = "its client closed the session"
	case Expired:
		text = "the server ended the session (it expired, or an administrator ended it)"
		if s := s.Left.By().Silent; !s.From.IsZero() {
			text += ", last heard between " + s.From.Format("15:04:05.000") + " and " + s.To.Format("15:04:05.000")
		}
	case Broken:
		text = "broken by " + SessionText(s.Left.By().Session)
	case Deleted:
		text = "deleted by " + SessionText(s.Left.By().Session) + "; who made it is not known"
		if s.MadeBy != 0 {
			text = "deleted by " + SessionText(s.Left.By().Session) + ", made by " + SessionText(s.MadeBy)
		}
	}
	switch {
	case s.Doubt && !s.Left.From.IsZero():
		text += "; whether it held is not known"
	case s.Doubt:
		text += "; read, or waited for a later writer: not known"
	}
	if !s.Asked.At.IsZero() {
		text += ", asked to let go at " + s.Asked.Text()
	}
	return text
}

// SessionText writes a session; one that is not told as a dash.
func SessionText(id znode.SessionID) string {
	if id == 0 {
		return "-"
	}
	return id.String()
}

// Text says of when a moment is, with both bounds where it was not seen.
func (m Moment) Text() string {
	if m.At.IsZero() {
		return "-"
	}
	at := m.At.UTC().Format("15:04:05.000")
	if !m.From.IsZero() {
		at = "between " + m.From.UTC().Format("15:04:05.000") + " and " + at + " (not seen)"
	}
	return at
}

// Clock writes a time in full, in UTC.
func Clock(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Exactly writes a duration to the millisecond, below a minute, and else as coarse as elsewhere.
func Exactly(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	return say.Age(d)
}

// Text says how durations are spread; what is what lasted.
func (s Spread) Text(what string) string {
	if s.N == 0 {
		return what + ": none from beginning to end"
	}
	return fmt.Sprintf("%s: p50 %s, p95 %s, max %s (n %d)", what, Exactly(s.P50), Exactly(s.P95), Exactly(s.Max), s.N)
}

// TogetherText says that findings were not looked for at each change; empty where they were.
func (c *Chronicle) TogetherText() string {
	if c.Together == 0 {
		return ""
	}
	return fmt.Sprintf("it changed %d times, too often to look for findings each time: they were looked for %d times, and when one began or ended is told within two of those. Claims are told of every change", c.States-1, c.States-1-c.Together)
}

// DoubtsText says that so many claims are not counted, since it is not known whether they held.
func DoubtsText(n int) string {
	return fmt.Sprintf("%s not counted: whether each held is not known. It read, or waited for a later writer as kazoo before 2.9 may, or it went in a gap", say.Plural(n, "claim is", "claims are"))
}
