package limits

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
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
// before anybody looked only the time since then counts: it may have waited before.
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

// surely is for how long a claim has had its role at least.
func (j *judge) surely(c *model.Claim) time.Duration {
	since := c.Since()
	if p := j.result.Pulse; !c.Exact() {
		if p == nil || p.Began.IsZero() {
			return 0
		}
		since = p.Began
	}
	if since.IsZero() {
		return 0
	}
	return j.now.Sub(since)
}

// over says on how many days it was seen: what a day's first hour was like is not remembered.
func over(d time.Duration) string {
	if n := int((d + 24*time.Hour - 1) / (24 * time.Hour)); n > 1 {
		return say.Plural(n, "day", "days")
	}
	return "today"
}
