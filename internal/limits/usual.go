package limits

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Usual is for how long a recipe was held before, of all times that are remembered.
type Usual struct {
	P95   time.Duration // 95 of 100 times no longer than this
	Times int
	Over  time.Duration // from the beginning of the first day on which it was seen, at most as long as is remembered
}

// UsualLeast is how many times a recipe must have been held for it to be said what is usual there.
const UsualLeast = 20

// A claim is told that holds for more than longHeld times as long as usual, and no less than longLeast: a lock that is
// usually held for milliseconds is late by nobody's measure after a few more of them.
const (
	longHeld  = 10
	longLeast = time.Second
	tenth     = time.Second / 10 // what is usual is told to that, rounded up
)

// heldLong finds the claim that holds for far longer than is usual in its recipe. Leaders do, and should. Of a claim that held
// before anybody looked only what it has held surely counts: it may have waited before.
func (j *judge) heldLong(m *model.Model) (f model.Finding, is bool) {
	u, known := j.usual[m.Path]
	if !known || u.Times < UsualLeast || u.P95 <= 0 || m.Kind.Leads() {
		return f, false
	}
	var worst *model.Claim
	var held time.Duration
	for i := range m.Claims {
		c := &m.Claims[i]
		if model.Holding(c.Role()) && j.surely(c) > held {
			worst, held = c, j.surely(c)
		}
	}
	if worst == nil || held < max(longLeast, longHeld*u.P95) {
		return f, false
	}
	f = model.Finding{Code: model.CodeHeldLong, Severity: model.Medium, Paths: []string{worst.Path()}}
	if worst.Session != 0 {
		f.Sessions = append(f.Sessions, worst.Session)
	}
	f.Text = lasting(worst, Held, j.now) + ": "
	if !worst.Exact() {
		f.Text += "at least "
	}
	f.Text += say.Itoa(int64(held/u.P95)) + " × its usual time (p95 of " + over(u.Over) + ": " +
		say.Fine((u.P95 + tenth - 1).Truncate(tenth)) + ", n " + strconv.Itoa(u.Times) + ")"
	return f, true
}

// surely is for how long a claim has had its role at least: of one that holds, and of which it was not seen since when, as
// long as it was looked at, or as nobody can have gone from ahead of it.
func (j *judge) surely(c *model.Claim) time.Duration {
	since := c.Since()
	switch {
	case c.Reason == model.UnlessOld:
		return 0 // whether it holds is not known
	case !c.Exact():
		since = j.unmoved(c)
		if p := j.result.Pulse; p != nil && !p.Began.IsZero() && (since.IsZero() || p.Began.Before(since)) {
			since = p.Began
		}
	}
	if since.IsZero() {
		return 0
	}
	return max(0, j.now.Sub(since))
}

// unmoved is a moment since when nothing went from a claim's directory: the claim was in the same place then. The directory
// tells which transaction changed its children last; where that is the one that made a child which is there, nobody has gone
// since then, and where there were no more changes than there are children, nobody ever. Zero: not known.
func (j *judge) unmoved(c *model.Claim) time.Time {
	dir := j.result.Snapshot.At(znode.ParentPath(c.Path()))
	if dir == nil || dir.Has(znode.NotListed) || int(dir.NumChildren) != len(dir.Children) {
		return time.Time{}
	}
	if dir.HasCversion && dir.Cversion == dir.NumChildren {
		return c.Created()
	}
	for _, n := range dir.Children {
		if n.Czxid == dir.Pzxid && n.Czxid != 0 && !n.Has(znode.Numbered) {
			return n.Ctime.Time()
		}
	}
	return time.Time{}
}

// over says on how many days it was seen: what a day's first hour was like is not remembered.
func over(d time.Duration) string {
	if n := int((d + 24*time.Hour - 1) / (24 * time.Hour)); n > 1 {
		return say.Plural(n, "day", "days")
	}
	return "today"
}
