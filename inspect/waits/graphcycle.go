package waits

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Cycle is what looks like a deadlock: each session waits for the next, the last one for the first. Sessions are not
// threads, so it is evidence and no proof; Severity grades it.
type Cycle struct {
	Waits    []Wait
	Proof    model.Proof    // proven when every edge is; refuted when one is: the wait is over, but nobody wakes; else likely
	Stands   bool           // an edge is an election's: it blocks only those who do nothing until they lead
	Severity model.Severity // how much it weighs
	Because  string         // what the severity rests on
	Since    time.Time      // when the last of its waits began, as early as that can be; zero: unknown
	Exact    bool           // Since is when it was; else it may have been later
	Breaks   []Break        // one for each session, in the order of Waits
	Victim   int            // index into Breaks: whose claim is best broken
	Reason   string         // why that one
	Behind   int            // how many more sessions wait behind the cycle
	Across   int            // of these, the ones behind another claim of a session that waits: threads of one process may differ
}

// Break says what follows when the claim that a session of a cycle holds is broken.
type Break struct {
	Session znode.SessionID
	Claim   *model.Claim
	Path    string // of the recipe
	Next    string // whose turn it is then, unless it is known not to wake; empty: nobody's
	Sure    bool   // Next is known to take over by itself
}

// mostSure bounds how many cycles of one knot are told where each is as sure as can be.
const mostSure = 20

// findCycles finds the cycles of the knots, the surest first: of claims of one line, among quiet sessions that are seen
// watching, among quiet ones, among all, and at last with elections. A session is told in one of them, and in each line
// whose claims wait for each other.
func (w *Waits) findCycles(g *waitGraph) (out []Cycle) {
	stuck := g.stuck(false)
	out, ringed := w.lineCycles(g, stuck)
	told := map[znode.SessionID]bool{}
	free := func(n int32) bool { return stuck[n] && !ringed[n] && !told[g.waiter(n).From] }
	quiet := func(n int32) bool { return free(n) && !w.works(g.waiter(n).From) }
	sure := func(n int32) bool { return quiet(n) && g.waiter(n).Waiter.Proof() == model.Proven }
	for range mostSure {
		found := w.cyclesOf(g, sure, told, false)
		if out = append(out, found...); len(found) == 0 {
			break
		}
	}
	out = append(out, w.cyclesOf(g, quiet, told, true)...)
	out = append(out, w.cyclesOf(g, free, told, true)...)
	stuck = g.stuck(true)
	out = append(out, w.cyclesOf(g, free, told, true)...)
	sorted.By(out, func(a, b Cycle) int { return int(b.Severity) - int(a.Severity) })
	return out
}

// lineCycles finds a cycle in every line whose claims wait for each other, whatever the threads of their sessions do:
// the surest of a line, and of these the one that is nearest to its head. ringed are the waits of all that there are.
func (w *Waits) lineCycles(g *waitGraph, stuck []bool) (out []Cycle, ringed map[int32]bool) {
	if !slices.ContainsFunc(g.edges, func(e Wait) bool { return e.Waiter.Reason == model.BehindLater }) {
		return nil, nil
	}
	lines := *g
	lines.inLine = true
	seen := lines
	seen.proven = true
	told := map[*model.Model]bool{}
	ringed = map[int32]bool{}
	for _, g := range []*waitGraph{&seen, &lines} {
		knots := g.knots(func(n int32) bool { return stuck[n] })
		slices.SortFunc(knots, slices.Compare)
		for _, knot := range knots {
			for _, n := range knot {
				ringed[n] = true
			}
			m := g.waiter(knot[0]).Model
			if waits := g.round(knot); waits != nil && !told[m] {
				told[m] = true
				out = append(out, w.describe(&lines, waits))
			}
		}
	}
	return out, ringed
}

// cyclesOf finds a cycle in every knot of the waits that are allowed, and notes the sessions that are told by it: those
// of the whole knot, or of the cycle alone.
func (w *Waits) cyclesOf(g *waitGraph, allowed func(int32) bool, told map[znode.SessionID]bool,
	whole bool) (out []Cycle) {
	for _, knot := range g.knots(allowed) {
		waits := g.round(knot)
		if waits == nil {
			continue // a session that waits for itself hides no others
		}
		if whole {
			for _, n := range knot {
				told[g.waiter(n).From] = true
			}
		}
		for _, e := range waits {
			told[e.From] = true
		}
		if !onlyElections(waits) { // two that stand by for each other block nobody
			out = append(out, w.describe(g, waits))
		}
	}
	return out
}

func onlyElections(waits []Wait) bool {
	return !slices.ContainsFunc(waits, func(e Wait) bool { return !e.Model.Kind.Leads() })
}

// describe completes a cycle: how sure, since when, what breaking each member would do, and whom to choose.
func (w *Waits) describe(g *waitGraph, waits []Wait) Cycle {
	c := Cycle{Waits: waits, Proof: model.Proven, Exact: true}
	var members []znode.SessionID
	for i, e := range waits {
		members = append(members, e.From)
		switch {
		case e.Proof == model.Refuted:
			c.Proof = model.Refuted
		case e.Proof == model.Likely && c.Proof != model.Refuted:
			c.Proof = model.Likely
		}
		c.Stands = c.Stands || e.Model.Kind.Leads()
		held := c.held(i)
		c.began(e.Waiter, held.Blocker)
		b := Break{Session: e.From, Claim: held.Blocker, Path: held.Model.Path}
		fate := FateOf(w.Result, held.Model, held.Blocker)
		b.Next, b.Sure = fate.next(), fate.Takes == model.Yes
		c.Breaks = append(c.Breaks, b)
	}
	behind := g.crowd(g.onRing(waits), members...)
	c.Behind, c.Across = behind.all, behind.across
	w.grade(g, &c)
	c.Victim, c.Reason = w.victim(&c)
	return c
}

// onRing lists the edges that wait for a claim of a cycle: for one that waits, or for what is waited for.
func (g *waitGraph) onRing(waits []Wait) (out []int32) {
	for n := range g.nodes {
		node := int32(n)
		for i := range waits {
			if e := &waits[i]; g.waiter(node).Waiter == e.Waiter {
				out = append(out, g.waitersOn(g.nodes[n].claim)...)
				out = append(out, g.waitersOn(g.nodes[n].base+int32(e.Blocker.Position()))...)
			}
		}
	}
	return out
}

// Crowd says how many more wait behind a cycle, and how many only if threads are as they seem; empty where nobody does.
// Numbers are printed by the function.
func (c *Cycle) Crowd(number func(int) string) string {
	switch sure := c.Behind - c.Across; {
	case c.Behind == 0:
		return ""
	case c.Across == 0:
		return number(c.Behind) + " more waiting behind it"
	case sure == 0:
		return number(c.Across) + " more may be waiting behind it"
	default:
		return number(sure) + " more waiting behind it, and perhaps " + number(c.Across)
	}
}

// began takes what a session of the cycle waits with and what it is waited for into account of since when the cycle
// stands: since the last of them came to wait, or to hold. Where that a claim came to hold was not seen, it may have
// been later than its znode tells.
func (c *Cycle) began(wait, held *model.Claim) {
	for _, at := range []time.Time{wait.Created(), held.Since()} {
		if at.After(c.Since) {
			c.Since = at
		}
	}
	c.Exact = c.Exact && !wait.Created().IsZero() && held.Exact() && !held.Since().IsZero()
}

// Lasts says for how long the cycle has stood at a moment, with AtMost before it where it may be less; empty: not known.
func (c *Cycle) Lasts(now time.Time) string { return model.Span(c.Since, c.Exact, now) }

// held is the wait whose blocker the session of a member holds: the one before waits for it.
func (c *Cycle) held(i int) *Wait { return &c.Waits[(i+len(c.Waits)-1)%len(c.Waits)] }

// clause says what a member of a cycle does.
func (c *Cycle) clause(names map[znode.SessionID]string, i int) string {
	e, path := &c.Waits[i], say.Printable(c.Waits[i].Model.Path)
	switch {
	case !c.waitsItself(i):
		return Label(names, e.From) + " holds " + say.Printable(c.held(i).Model.Path) + " and waits for " + path
	case e.Waiter.Reason == model.BehindLater:
		return Called(names, e.Waiter) + " in line for " + path + " waits for the writer behind it, " +
			Called(names, e.Blocker) + say.Either(e.From == e.To, " of the same session", "")
	}
	return Called(names, e.Waiter) + " in line for " + path + " waits for " + Called(names, e.Blocker) +
		say.Either(e.From == e.To, " of the same session", "")
}

// waitsItself reports whether what the others wait for of a member is the very claim that waits.
func (c *Cycle) waitsItself(i int) bool { return c.held(i).Blocker == c.Waits[i].Waiter }

// InLine reports whether a cycle is one of claims alone, none of which holds: threads make no difference to it.
func (c *Cycle) InLine() bool {
	for i := range c.Waits {
		if !c.waitsItself(i) {
			return false
		}
	}
	return true
}

// Doubt says that sessions are not threads, with a semicolon before it, where nothing else is left to doubt; else it
// is empty.
func (c *Cycle) Doubt() string {
	if c.Severity == model.High && !c.InLine() {
		return "; threads of one process may differ"
	}
	return ""
}

// Finding tells of a cycle.
func (c *Cycle) Finding(names map[znode.SessionID]string) model.Finding {
	f := model.Finding{Code: model.CodeDeadlock, Severity: c.Severity}
	f.Sessions, f.Paths = c.parties()
	clauses := make([]string, len(c.Waits))
	for i := range c.Waits {
		clauses[i] = c.clause(names, i)
	}
	f.Text = "looks like a deadlock: " + strings.Join(clauses, ", ") + "; " + c.Because
	f.Text += c.Doubt()
	if c.Severity == model.Low {
		return f
	}
	f.Text += "; " + c.Remedy(names)
	return f
}

// Remedy says whose claim is best broken, and why. It ends the deadlock only where somebody holds then: of several
// readers that wait for one writer and it for them the others still do.
func (c *Cycle) Remedy(names map[znode.SessionID]string) string {
	v := &c.Breaks[c.Victim]
	text := "break the claim of " + Called(names, v.Claim) + " on " + say.Printable(v.Path)
	if v.Next == "" {
		return text + ", which does not end it alone, for nobody holds then: " + c.Reason
	}
	return "to end it, " + text + ": " + c.Reason
}
