package inspect

import (
	"slices"
	"strings"
	"time"
)

// waitGraph is the graph by session: what each needs before it can go on.
type waitGraph struct {
	edges []Wait
	needs map[SessionID][]need
	users map[SessionID][]int // edges that lead to a session
}

// need is one waiting claim's need: all of the edges, or any of them.
type need struct {
	any   bool
	edges []int
}

func newWaitGraph(edges []Wait) *waitGraph {
	g := &waitGraph{edges: edges, needs: map[SessionID][]need{}, users: map[SessionID][]int{}}
	for i := 0; i < len(edges); {
		j := i
		n := need{any: edges[i].Any}
		for ; j < len(edges) && edges[j].Waiter == edges[i].Waiter; j++ {
			if edges[j].To != edges[j].From && edges[j].To != 0 {
				n.edges = append(n.edges, j)
				g.users[edges[j].To] = append(g.users[edges[j].To], j)
			}
		}
		if from := edges[i].From; from != 0 && len(n.edges) > 0 {
			g.needs[from] = append(g.needs[from], n)
		}
		i = j
	}
	return g
}

// stuck returns the sessions that can never go on by themselves: a session goes on when each of its needs is met by
// sessions that go on. With elections, whoever stands for one counts as waiting for it.
func (g *waitGraph) stuck(elections bool) map[SessionID]bool {
	stuck := make(map[SessionID]bool, len(g.needs))
	for id, needs := range g.needs {
		if slices.ContainsFunc(needs, func(n need) bool { return g.counts(n, elections) }) {
			stuck[id] = true
		}
	}
	todo := make([]SessionID, 0, len(stuck))
	for id := range stuck {
		todo = append(todo, id)
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !stuck[id] || !g.free(id, stuck, elections) {
			continue
		}
		delete(stuck, id)
		for _, i := range g.users[id] {
			if stuck[g.edges[i].From] {
				todo = append(todo, g.edges[i].From)
			}
		}
	}
	return stuck
}

func (g *waitGraph) counts(n need, elections bool) bool {
	return elections || g.edges[n.edges[0]].Model.Kind != Election
}

// free reports whether every need of a session is met by sessions that are not stuck.
func (g *waitGraph) free(id SessionID, stuck map[SessionID]bool, elections bool) bool {
	for _, n := range g.needs[id] {
		if !g.counts(n, elections) {
			continue
		}
		met := !n.any
		for _, i := range n.edges {
			if goes := !stuck[g.edges[i].To]; n.any && goes {
				met = true
				break
			} else if !n.any && !goes {
				met = false
				break
			}
		}
		if !met {
			return false
		}
	}
	return true
}

// Cycle is a deadlock: each session waits for the next, the last one for the first.
type Cycle struct {
	Waits  []Wait
	Proof  Proof // proven when every edge is; refuted when one is: the wait is over, but nobody wakes; else likely
	Stands bool  // an edge is an election's: it blocks only those who do nothing until they lead
	Since  time.Time
	Breaks []Break // one for each session, in the order of Waits
	Victim int     // index into Breaks: whose claim is best broken
	Reason string  // why that one
	Behind int     // how many more sessions wait behind the cycle
}

// Break says what follows when the claim that a session of a cycle holds is broken.
type Break struct {
	Session SessionID
	Claim   *Claim
	Path    string // of the recipe
	Next    string // who holds then; empty: nobody yet
}

// findCycles finds one shortest cycle in every knot of stuck sessions.
func (w *Waits) findCycles(g *waitGraph) (out []Cycle) {
	seen := map[SessionID]bool{}
	for _, elections := range []bool{false, true} {
		stuck := g.stuck(elections)
		ids := make([]SessionID, 0, len(stuck))
		for id := range stuck {
			ids = append(ids, id)
		}
		slices.SortFunc(ids, func(a, b SessionID) int { return strings.Compare(a.String(), b.String()) })
		for _, id := range ids {
			if seen[id] {
				continue
			}
			waits := g.shortest(id, stuck, elections)
			if waits == nil {
				continue
			}
			for _, e := range waits {
				seen[e.From] = true
			}
			waits = contracted(waits)
			if onlyElections(waits) {
				continue // two that stand by for each other block nobody
			}
			c := w.describe(g, waits)
			g.knot(id, stuck, seen)
			out = append(out, c)
		}
	}
	return out
}

// contracted leaves out of a cycle who only stands in a line between two of its members: what keeps the later one
// waiting is the one at the head.
func contracted(waits []Wait) []Wait {
	for i := 0; i < len(waits) && len(waits) > 2; {
		e, next := waits[i], waits[(i+1)%len(waits)]
		if e.Blocker != next.Waiter {
			i++
			continue
		}
		e.To, e.Blocker, e.Any = next.To, next.Blocker, next.Any
		if e.Proof != Refuted && next.Proof != Proven {
			e.Proof = next.Proof
		}
		waits[i] = e
		j := (i + 1) % len(waits)
		waits = slices.Delete(waits, j, j+1)
		if j < i {
			i--
		}
	}
	return waits
}

func onlyElections(waits []Wait) bool {
	return !slices.ContainsFunc(waits, func(e Wait) bool { return e.Model.Kind != Election })
}

// shortest finds the shortest way from a session back to itself among the stuck; nil when there is none.
func (g *waitGraph) shortest(from SessionID, stuck map[SessionID]bool, elections bool) []Wait {
	came := map[SessionID]int{}
	queue := []SessionID{from}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, n := range g.needs[id] {
			if !g.counts(n, elections) {
				continue
			}
			for _, i := range n.edges {
				to := g.edges[i].To
				if _, been := came[to]; been || !stuck[to] {
					continue
				}
				came[to] = i
				if to == from {
					return g.back(from, came)
				}
				queue = append(queue, to)
			}
		}
	}
	return nil
}

func (g *waitGraph) back(from SessionID, came map[SessionID]int) (out []Wait) {
	for id := from; ; {
		e := g.edges[came[id]]
		out = append(out, e)
		if id = e.From; id == from {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// knot marks every stuck session that both reaches a session and is reached from it: one finding tells of all.
func (g *waitGraph) knot(id SessionID, stuck, seen map[SessionID]bool) {
	ahead, behind := map[SessionID]bool{id: true}, map[SessionID]bool{id: true}
	for todo := []SessionID{id}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for _, n := range g.needs[at] {
			for _, i := range n.edges {
				if to := g.edges[i].To; stuck[to] && !ahead[to] {
					ahead[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	for todo := []SessionID{id}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for _, i := range g.users[at] {
			if from := g.edges[i].From; !behind[from] {
				behind[from] = true
				todo = append(todo, from)
			}
		}
	}
	for s := range ahead {
		seen[s] = seen[s] || behind[s]
	}
}

// describe completes a cycle: how sure, since when, what breaking each member would do, and whom to choose.
func (w *Waits) describe(g *waitGraph, waits []Wait) Cycle {
	c := Cycle{Waits: waits, Proof: Proven}
	in := map[SessionID]bool{}
	for _, e := range waits {
		in[e.From] = true
		switch {
		case e.Proof == Refuted:
			c.Proof = Refuted
		case e.Proof == Likely && c.Proof != Refuted:
			c.Proof = Likely
		}
		c.Stands = c.Stands || e.Model.Kind == Election
		if e.Waiter.Created().After(c.Since) {
			c.Since = e.Waiter.Created() // it stands since the last of them came to wait
		}
	}
	c.Behind = len(g.behind(waits[0].From)) - len(waits) + 1
	n := len(waits)
	for i := range waits {
		held := waits[(i+n-1)%n] // the one before waits for what this session holds
		c.Breaks = append(c.Breaks, Break{Session: waits[i].From, Claim: held.Blocker, Path: held.Model.Path, Next: w.Result.nextWithout(held.Model, held.Blocker)})
	}
	c.Victim, c.Reason = w.victim(&c)
	return c
}

// behind lists who waits, through others or not, for a session, itself left out.
func (g *waitGraph) behind(id SessionID) map[SessionID]bool {
	out := map[SessionID]bool{}
	for todo := []SessionID{id}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for _, i := range g.users[at] {
			if from := g.edges[i].From; from != id && from != 0 && !out[from] {
				out[from] = true
				todo = append(todo, from)
			}
		}
	}
	return out
}

// victim chooses the member whose claim is best broken: one after whose break somebody holds, and of these one without a
// connection, else the one that came to hold last and so has done least under its lock. A claim that only stands in a
// line is the way out where no break lets anybody hold.
func (w *Waits) victim(c *Cycle) (best int, reason string) {
	some := slices.ContainsFunc(c.Breaks, func(b Break) bool { return b.Next != "" })
	best = -1
	for i := range c.Breaks {
		b := &c.Breaks[i]
		if some && b.Next == "" {
			continue
		}
		if s, ok := w.Result.Snapshot.Sessions[b.Session]; ok && s.Connected != nil && !*s.Connected {
			return i, "its session has no connection"
		}
		if best < 0 || b.Claim.Czxid() > c.Breaks[best].Claim.Czxid() {
			best = i
		}
	}
	if !holding(c.Breaks[best].Claim.Role()) {
		return best, "it only waits there, so it has done nothing under that lock"
	}
	return best, "it came to hold last, so it has done least under its lock"
}

// nextWithout names who would hold a recipe if a claim went; empty when nobody would.
func (r *Result) nextWithout(m *Model, c *Claim) string {
	after := Decode(r.Snapshot.WithDeleted(c.Path()), r, r.hints).ByPath(m.Path)
	if after == nil {
		return ""
	}
	was := map[claimKey]bool{}
	for i := range m.Claims {
		if holding(m.Claims[i].Role()) {
			was[m.Claims[i].key()] = true
		}
	}
	var fresh []*Claim
	for i := range after.Claims {
		if c := &after.Claims[i]; holding(c.Role()) && !was[c.key()] {
			fresh = append(fresh, c)
		}
	}
	if len(fresh) == 0 {
		return ""
	}
	return names(fresh)
}

// finding tells of a cycle.
func (c *Cycle) finding(names map[SessionID]string) Finding {
	f := Finding{Code: CodeDeadlock, Severity: High}
	parts := make([]string, len(c.Waits))
	for i, e := range c.Waits {
		parts[i] = label(names, e.From) + " waits for " + Printable(e.Model.Path)
		f.Sessions = append(f.Sessions, e.From)
		if !slices.Contains(f.Paths, e.Model.Path) {
			f.Paths = append(f.Paths, e.Model.Path)
		}
	}
	f.Text = "deadlock: " + strings.Join(parts, ", ") + ": each holds what the one before waits for"
	switch {
	case c.Stands:
		f.Severity = Medium
		f.Text += "; it blocks them only if whoever stands for an election does nothing else until it leads"
	case c.Proof == Proven:
		f.Text += " (proven by their watches)"
	default:
		f.Text += " (by the order of the lines; no watch proves it), unless threads of one process wait apart from each other"
	}
	v := c.Breaks[c.Victim]
	f.Text += "; to end it, break the claim of " + label(names, v.Session) + " on " + Printable(v.Path) + ": " + c.Reason
	return f
}
