package inspect

import (
	"maps"
	"slices"
	"time"
)

// Wait is one edge of the graph of waits: a claim of one session waits for a claim of another to go.
type Wait struct {
	From, To        SessionID // To is zero when no session owns the blocking znode: nothing but a person removes it
	Model           *Model
	Waiter, Blocker *Claim
	Proof           Proof
	Any             bool // one of several blockers is enough: a lease of a semaphore
}

// Waits is the graph of who waits for whom, across all locks, semaphores and elections of a result. It is immutable.
type Waits struct {
	Result    *Result
	Edges     []Wait
	Cycles    []Cycle    // deadlocks, those that are certain to block first
	Roots     []Root     // who blocks others and waits for nobody, the widest first
	Lost      []Wait     // refuted edges: such a waiter does not wake by itself
	Herds     []Herd     // the largest first
	Overtakes []Overtake // since the result before
	Spanning  []Finding  // of cycles, sorted

	lines    []*Model // those in which somebody may wait
	graph    *waitGraph
	threaded map[SessionID]manifold // sessions that were seen to do what one thread does not
	young    map[SessionID]bool     // sessions with a claim that is only just made; nil: not looked for yet
	taken    map[SessionID][]*Claim // what sessions that wait hold; nil: not looked for yet
}

// Weigh draws the graph of a result. prev is the graph of an earlier result of the same run, or nil: overtakes are found
// by comparison with it. It is pure and takes time in proportion to the claims that wait.
func Weigh(r *Result, prev *Waits) *Waits {
	w := &Waits{Result: r}
	still := prev != nil && prev.Result.Models.Same(r.Models)
	if still {
		w.lines = prev.lines
	} else {
		w.lines = linesOf(r)
	}
	for _, m := range w.lines {
		w.edgesOf(m)
	}
	for _, e := range w.Edges {
		if e.Proof == Refuted && (len(w.Lost) == 0 || w.Lost[len(w.Lost)-1].Waiter != e.Waiter) {
			w.Lost = append(w.Lost, e)
		}
	}
	g := newWaitGraph(w.Edges, r.pulse)
	w.graph = g
	w.threaded = w.threads(prev)
	w.Cycles = w.findCycles(g)
	w.Roots = w.findRoots(g)
	if still && w.sameWatches(prev) {
		w.Herds = prev.Herds
	} else {
		w.Herds = herdsOf(r)
	}
	if prev != nil && !still {
		w.Overtakes = overtakes(prev.Result, r)
	}
	for i := range w.Cycles {
		w.Spanning = append(w.Spanning, w.Cycles[i].finding(w.names()))
	}
	sortFindings(w.Spanning)
	return w
}

// Weighed returns the result with the findings that the graph brings: deadlocks. Everything else is shared.
func (w *Waits) Weighed() *Result { return w.Result.With(w.Spanning...) }

// AsOf returns the graph as of a later moment: ages count to it. The picture is the same; everything else is shared.
func (w *Waits) AsOf(at time.Time) *Waits {
	out, res, snap := *w, *w.Result, *w.Result.Snapshot
	snap.TakenAt = at
	res.Snapshot, out.Result = &snap, &res
	return &out
}

// With returns the result with more findings that span recipes. Everything else is shared.
func (r *Result) With(more ...Finding) *Result {
	if len(more) == 0 {
		return r
	}
	out := *r
	out.Findings = slices.Concat(r.Findings, more)
	sortFindings(out.Findings)
	return &out
}

// Touching returns the findings that span recipes and concern this one.
func (r *Result) Touching(m *Model) (out []Finding) {
	for _, f := range r.Findings {
		for _, path := range f.Paths {
			if path == m.Path || below(m.Path, path) && f.Code != CodeEmptyParents {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

func waitingKind(k Kind) bool { return k == Lock || k == SharedLock || k == Semaphore || k == Election }

// edgesOf adds the edges of one recipe.
func (w *Waits) edgesOf(m *Model) {
	for i := range m.Claims {
		c := &m.Claims[i]
		if holding(c.Role()) {
			continue
		}
		by := c.Blockers()
		for j := range by {
			w.edge(m, c, &by[j], j == len(by)-1)
		}
	}
}

// edge adds one edge. A claim watches one claim at most, so of several blockers only that one's edge has its proof.
func (w *Waits) edge(m *Model, c, blocker *Claim, watched bool) {
	e := Wait{From: c.Session, To: blocker.Session, Model: m, Waiter: c, Blocker: blocker, Proof: Likely}
	if watched && c.Proof() != Unproven {
		e.Proof = c.Proof()
	}
	e.Any = m.Kind == Semaphore && holding(blocker.Role())
	w.Edges = append(w.Edges, e)
}

// Herd is a znode whose change wakes more sessions than can go on.
type Herd struct {
	Path     string
	Model    *Model // the recipe that the znode belongs to
	Watchers []SessionID
}

// linesOf lists the recipes in which somebody may wait.
func linesOf(r *Result) (lines []*Model) {
	for m := range r.Models.All() {
		if waitingKind(m.Kind) && len(m.Claims) > 1 {
			lines = append(lines, m)
		}
	}
	return lines
}

// sameWatches reports whether the watches, and whose are our own, are as they were in an earlier graph.
func (w *Waits) sameWatches(prev *Waits) bool {
	was, is := prev.Result.Snapshot.Watches, w.Result.Snapshot.Watches
	return prev.Result.hints.equal(w.Result.hints) && (was == nil) == (is == nil) && maps.EqualFunc(was, is, slices.Equal[[]SessionID])
}

// herdsOf ranks the herds on claims and directories of locks, semaphores and elections.
func herdsOf(r *Result) (out []Herd) {
	s := r.Snapshot
	if s.Watches == nil {
		return nil
	}
	for m := range r.Models.All() {
		if !waitingKind(m.Kind) {
			continue
		}
		if ids := r.awake(m.Path, 0); len(ids) > 1 && len(ids) > 2*r.mostUseful(m) {
			out = append(out, Herd{m.Path, m, ids})
		}
		for i := range m.Claims {
			c := &m.Claims[i]
			if m.finding(CodeHerd) == nil {
				break
			}
			if c.pathIs(m.Path) {
				continue
			}
			ids := r.awake(c.Path(), c.Session)
			if len(m.Claims) > 1 {
				ids = m.waitersAmong(ids)
			}
			if len(ids) > 1 {
				out = append(out, Herd{c.Path(), m, ids})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Herd) int { return len(b.Watchers) - len(a.Watchers) })
	return out
}

// mostUseful is how many sessions a change of a recipe may rightly wake: who reports on it, and one that goes on.
func (r *Result) mostUseful(m *Model) int {
	if m.Kind == Election {
		return 2
	}
	return 1
}

// awake lists the sessions that a change of a znode wakes, without its owner and ourselves.
func (r *Result) awake(path string, owner SessionID) (out []SessionID) {
	for _, id := range r.Snapshot.Watches[path] {
		if id != owner && !slices.Contains(r.hints.Own, id) {
			out = append(out, id)
		}
	}
	return out
}

// Overtake is a claim that was served before others that had waited longer.
type Overtake struct {
	Model  *Model
	Winner *Claim
	Passed []*Claim // they waited before it in the earlier picture, and wait still
}

// String says it in one line.
func (o Overtake) String() string {
	return Printable(o.Winner.Owner()) + " got " + Printable(o.Model.Path) + " before " + names(o.Passed) + ", who waited longer"
}

// overtakes compares two successive results.
func overtakes(prev, now *Result) (out []Overtake) {
	old, new := &cursor{list: prev.Models}, &cursor{list: now.Models}
	for skipShared(old, new); old.model() != nil && new.model() != nil; skipShared(old, new) {
		was, m := old.model(), new.model()
		order := ComparePaths(was.Path, m.Path)
		if order <= 0 {
			old.step()
		}
		if order >= 0 {
			new.step()
		}
		if order == 0 && waitingKind(m.Kind) && m.Kind != Semaphore && was != m && was.Kind == m.Kind && was.Czxid == m.Czxid {
			out = append(out, overtakesIn(was, m)...)
		}
	}
	return out
}

func overtakesIn(was, m *Model) (out []Overtake) {
	place := make(map[claimKey]int, len(was.Claims)) // of those that waited; threads of a session are told apart
	held := map[claimKey]bool{}
	for i := range was.Claims {
		if c := &was.Claims[i]; holding(c.Role()) {
			held[c.key()] = true
		} else {
			place[c.key()] = i
		}
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if !holding(c.Role()) || held[c.key()] || c.Session == 0 {
			continue
		}
		o := Overtake{Model: m, Winner: c}
		mine, waited := place[c.key()]
		for j := range m.Claims {
			other := &m.Claims[j]
			theirs, there := place[other.key()]
			if there && !holding(other.Role()) && other.Session != c.Session && (!waited || theirs < mine) && !(c.Mode() == Read && other.Mode() != Read) {
				o.Passed = append(o.Passed, other)
			}
		}
		if len(o.Passed) > 0 {
			out = append(out, o)
		}
	}
	return out
}

// names labels all sessions of the result; computed when first needed, by the one who builds the graph.
func (w *Waits) names() map[SessionID]string {
	if len(w.Cycles) == 0 {
		return nil
	}
	return Labels(w.Result)
}

// label is what a session is called, with its id.
func label(names map[SessionID]string, id SessionID) string {
	if id == 0 {
		return "a znode that no session owns"
	}
	if name := names[id]; name != "" && name != id.String() {
		return Printable(name) + " (" + id.String() + ")"
	}
	return id.String()
}
