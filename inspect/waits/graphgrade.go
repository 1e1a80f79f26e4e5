package waits

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// StandsStill is how long the sessions of a deadlock must be watched before it can be graded high.
const StandsStill = model.QuietFor

// MayStand reports whether a cycle that is seen as watches could weigh more if it was watched for StandsStill.
func (w *Waits) MayStand() bool {
	return !w.Result.Pulse.Covers(w.Result.Snapshot.AsOf()) && slices.ContainsFunc(w.Cycles, func(c Cycle) bool {
		return c.Proof == model.Proven && !c.Stands
	})
}

// Unsettled reports whether one more list of the servers' watches may refute a wait that the last one lacked. Only
// waits that stand count: where claims come and go all the time a list always lacks some.
func Unsettled(r *model.Result) bool { return unsettled(r, linesOf(r)) }

// Unsettled is that of the result; what does not wait costs nothing.
func (w *Waits) Unsettled() bool { return unsettled(w.Result, w.lines) }

func unsettled(r *model.Result, lines []*model.Model) bool {
	if !r.Snapshot.ListsWatches() {
		return false
	}
	stood := model.MomentOf(r.Snapshot.AsOf().Add(-2 * model.RewatchWithin))
	for _, m := range lines {
		for i := range m.Claims {
			if c := &m.Claims[i]; c.Proof() == model.Likely && c.BlockedSince <= stood &&
				(c.ListsWithout > 0 || c.HasNote(model.NoteOwnWatch) && justAway(r, c.Session)) {
				return true
			}
		}
	}
	return false
}

// justAway reports whether a session without a connection may be back in a moment: by then its client has set its
// watches again, or never will. Clients ping at a third of their timeout.
func justAway(r *model.Result, id znode.SessionID) bool {
	s := r.Snapshot.Sessions[id]
	if s.Connected == nil {
		return true // it was missed in one round
	}
	ago, known := r.Snapshot.Unheard(s)
	return known && ago < s.Timeout/3+2*model.RewatchWithin
}

// standsFor is for how long a deadlock must have stood to be graded high. Threads of two processes that each do some
// seconds' work under one lock, while others of their threads wait for the other, look the same for as long as that
// work takes: seldom for six times as long as it takes to be called quiet. That threads tell themselves apart by what
// else they do is known only where that was seen: in 60 worlds of the bench, whose threads hold for up to 25 s, who had
// only looked for 20 s at most was told a false deadlock 11 times in 244 after 5 s, 3 in 216 after 10 s, and never in
// 185 after 15 s; in 829 worlds 3 times in 1,543 after 15 s.
const standsFor = 6 * model.QuietFor

// grade says how much a cycle weighs, and on what that rests. It is high only where every wait is seen as a watch, has
// stood for a while, and the sessions are seen to stand still; names or further waits that tell of several threads take
// a grade away; whoever goes on working, or only stands for an election, is not stuck.
func (w *Waits) grade(g *waitGraph, c *Cycle) {
	if c.InLine() {
		w.gradeInLine(c)
		return
	}
	because := []string{c.seen()}
	unsettled := false
	switch working := w.working(c); {
	case len(working) > 0:
		c.Severity = model.Low
		because = append(because, say.List(working)+say.Choose(len(working), " is", " are")+
			" active: a claim came or went within "+say.Age(model.QuietFor))
	case !w.Result.Pulse.Covers(w.Result.Snapshot.AsOf()):
		because, unsettled = append(because, "whether they stand still is not known"), true
	default:
		because = append(because, "nothing of theirs moved for "+say.Age(model.QuietFor))
	}
	if since := w.closed(c); !since.IsZero() && w.Result.Snapshot.AsOf().Sub(since) < standsFor {
		c.Severity = min(c.Severity, model.Medium)
		because = append(because, "it has stood for less than "+say.Age(standsFor))
	}
	if text := w.severalThreads(g, c); text != "" {
		c.Severity = max(c.Severity-1, model.Low)
		because = append(because, text)
	}
	if unsettled && c.Severity == model.High { // last, so that a second look tells the same of what weighs less anyhow
		c.Severity, because[1] = model.Medium, "medium until two looks tell that they stand still"
	}
	if c.Stands {
		c.Severity = model.Low
		because = append(because, "who stands for an election is stuck only if it does nothing else until it leads")
	}
	c.Because = strings.Join(because, ", ")
}

// seen grades a cycle by its waits alone, and says how they are seen.
func (c *Cycle) seen() string {
	c.Severity = model.Medium
	switch c.Proof {
	case model.Likely:
		return "not all waits are seen as watches"
	case model.Refuted:
		return "one waits without a watch and does not wake by itself"
	}
	c.Severity = model.High
	return "all waits are seen as watches"
}

// gradeInLine is grade for claims of one line that wait for each other and do not hold: whatever else the threads of
// their sessions do, these stand until one of them is given up.
func (w *Waits) gradeInLine(c *Cycle) {
	because := []string{c.seen()}
	because = append(because, "the claims themselves wait for each other, whatever else their sessions do")
	now := w.Result.Snapshot.AsOf()
	switch since := w.closed(c); {
	case since.IsZero() && !w.Result.Pulse.Covers(now):
		c.Severity = min(c.Severity, model.Medium)
		because = append(because, "for how long is not known")
	case !since.IsZero() && now.Sub(since) < model.QuietFor:
		c.Severity = min(c.Severity, model.Medium)
		because = append(because, "it has stood for less than "+say.Age(model.QuietFor))
	}
	c.Because = strings.Join(because, ", ")
}

// closed is when the last claim of a cycle came to wait or to hold: by the age of its znode, or as the run saw it,
// whichever is the earlier; zero: not known.
func (w *Waits) closed(c *Cycle) (last time.Time) {
	for i := range c.Waits {
		wait, held := c.Waits[i].Waiter, c.held(i).Blocker
		began := wait.Created()
		if seen := wait.FirstSeen.Time(); began.IsZero() || !seen.IsZero() && seen.Before(began) {
			began = seen
		}
		if held.RoleChangeSeen && held.Since().After(began) {
			began = held.Since()
		}
		if began.After(last) {
			last = began
		}
	}
	return last
}

// severalThreads says what tells that a session of a cycle is several threads: the names on its two claims differ, it
// waits in more than one place, it came to hold something while it waited, or it was seen to do either.
func (w *Waits) severalThreads(g *waitGraph, c *Cycle) string {
	for i := range c.Waits {
		held, wait := c.held(i).Blocker, c.Waits[i].Waiter
		if held.OwnerSource() == model.FromData && wait.OwnerSource() == model.FromData &&
			held.Owner() != wait.Owner() {
			return "its claims are named " + say.Visible(held.Owner()) + " and " + say.Visible(wait.Owner()) +
				", which may be two threads"
		}
	}
	for i := range c.Waits {
		id, name := c.Waits[i].From, say.Printable(c.Waits[i].Waiter.Owner())
		switch n := g.places(id); {
		case n > 1:
			return name + " waits in " + say.Plural(n, "place", "places") +
				" at once, so it has more threads than one, an asynchronous client, or a claim that it forgot"
		case w.tookWaiting(id):
			return name + " came to hold one claim while another of its claims waited, so it has more threads than one"
		case w.Threaded[id] != 0:
			return name + manifoldWords[w.Threaded[id]]
		}
	}
	return ""
}

// working names the sessions of a cycle that go on working.
func (w *Waits) working(c *Cycle) (out []string) {
	names := map[string]int{}
	for i := range c.Waits {
		names[c.Waits[i].Waiter.Owner()]++
	}
	for i := range c.Waits {
		if id, name := c.Waits[i].From, c.Waits[i].Waiter.Owner(); w.works(id) && names[name] > 1 {
			out = append(out, name+" ("+id.String()+")")
		} else if w.works(id) {
			out = append(out, name)
		}
	}
	return out
}

// works reports whether a session made or released a claim lately: as far as the run saw it, and where that is not far
// enough, by the age of its znodes.
func (w *Waits) works(id znode.SessionID) bool {
	p, now := w.Result.Pulse, w.Result.Snapshot.AsOf()
	if p.Covers(now) {
		return p.Busy(id, now)
	}
	if w.young == nil {
		w.young = map[znode.SessionID]bool{}
		for m := range w.Result.Models.All() {
			for i := range m.Claims {
				c := &m.Claims[i]
				if age := now.Sub(c.Created()); c.Session != 0 && !c.Created().IsZero() && age >= 0 &&
					age < model.QuietFor {
					w.young[c.Session] = true
				}
			}
		}
	}
	return p.Busy(id, now) || w.young[id]
}
