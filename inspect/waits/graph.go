package waits

import (
	"maps"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Wait is one edge of the graph of waits: a claim of one session waits for a claim of another to go.
type Wait struct {
	From, To        znode.SessionID // To is zero when no session owns the blocking znode: nothing but a person removes it
	Model           *model.Model
	Waiter, Blocker *model.Claim
	Proof           model.Proof // how sure it is
	Any             bool        // one of several blockers is enough: a lease of a semaphore
}

// Waits is the graph of who waits for whom, across all locks, semaphores and elections of a result. It is immutable.
type Waits struct {
	Result    *model.Result
	Edges     []Wait          // in the order of the recipes and their lines
	Cycles    []Cycle         // deadlocks, those that are certain to block first
	Roots     []Root          // who blocks others and waits for nobody, the widest first
	Lost      []Wait          // refuted edges: such a waiter does not wake by itself
	Herds     []Herd          // the largest first
	Overtakes []Overtake      // since the result before
	Spanning  []model.Finding // of cycles, sorted

	lines    []*model.Model // those in which somebody may wait
	graph    *waitGraph
	Threaded map[znode.SessionID]manifold       // sessions that were seen to do what one thread does not
	young    map[znode.SessionID]bool           // sessions with a claim that is only just made; nil: not looked for yet
	taken    map[znode.SessionID][]*model.Claim // what sessions that wait hold; nil: not looked for yet
}

// Of draws the graph of a result. prev is the graph of an earlier result of the same run, or nil: overtakes are
// found by comparison with it. It is pure and takes time in proportion to the claims that wait.
func Of(r *model.Result, prev *Waits) *Waits {
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
		if e.Proof == model.Refuted && (len(w.Lost) == 0 || w.Lost[len(w.Lost)-1].Waiter != e.Waiter) {
			w.Lost = append(w.Lost, e)
		}
	}
	g := newWaitGraph(w.Edges, r.Pulse)
	w.graph = g
	w.Threaded = w.threads(prev)
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
		w.Spanning = append(w.Spanning, w.Cycles[i].Finding(w.names()))
	}
	model.SortFindings(w.Spanning)
	return w
}

// WithDeadlocks returns the result with the findings that the graph brings: deadlocks. Everything else is shared.
func (w *Waits) WithDeadlocks() *model.Result { return w.Result.With(w.Spanning...) }

// Suspects reports whether there may be a deadlock that nothing proves yet: the sooner the members are asked the better.
func (w *Waits) Suspects() bool {
	return slices.ContainsFunc(w.Cycles, func(c Cycle) bool { return c.Proof == model.Likely && c.Severity > model.Low })
}

// AsOf returns the graph as of a later moment: ages count to it. The picture is the same; everything else is shared.
func (w *Waits) AsOf(at time.Time) *Waits {
	out, res, snap := *w, *w.Result, *w.Result.Snapshot
	snap.TakenAt = at
	res.Snapshot, out.Result = &snap, &res
	return &out
}

// edgesOf adds the edges of one recipe.
func (w *Waits) edgesOf(m *model.Model) {
	for i := range m.Claims {
		c := &m.Claims[i]
		if model.Holding(c.Role()) {
			continue
		}
		by := c.Blockers()
		for j := range by {
			w.edge(m, c, &by[j], j == len(by)-1)
		}
	}
}

// edge adds one edge. A claim watches one claim at most, so of several blockers only that one's edge has its proof.
func (w *Waits) edge(m *model.Model, c, blocker *model.Claim, watched bool) {
	e := Wait{From: c.Session, To: blocker.Session, Model: m, Waiter: c, Blocker: blocker, Proof: model.Likely}
	if watched && c.Proof() != model.Unproven {
		e.Proof = c.Proof()
	}
	e.Any = m.Kind.Pool() && model.Holding(blocker.Role())
	w.Edges = append(w.Edges, e)
}

// Herd is a znode whose change wakes more sessions than can go on.
type Herd struct {
	Path     string
	Model    *model.Model      // the recipe that the znode belongs to
	Watchers []znode.SessionID // the sessions that it wakes
}

// linesOf lists the recipes in which somebody may wait.
func linesOf(r *model.Result) (lines []*model.Model) {
	for m := range r.Models.All() {
		if m.Kind.Waits() && len(m.Claims) > 1 {
			lines = append(lines, m)
		}
	}
	return lines
}

// sameWatches reports whether the watches, and whose are our own, are as they were in an earlier graph.
func (w *Waits) sameWatches(prev *Waits) bool {
	was, is := prev.Result.Snapshot.Watches, w.Result.Snapshot.Watches
	return prev.Result.Hints.Equal(w.Result.Hints) && (was == nil) == (is == nil) &&
		maps.EqualFunc(was, is, slices.Equal[[]znode.SessionID])
}

// herdsOf ranks the herds on claims and directories of locks, semaphores and elections.
func herdsOf(r *model.Result) (out []Herd) {
	s := r.Snapshot
	if s.Watches == nil {
		return nil
	}
	for m := range r.Models.All() {
		if !m.Kind.Waits() {
			continue
		}
		if ids := awake(r, m.Path, 0); len(ids) > 1 && len(ids) > 2*mostUseful(r, m) {
			out = append(out, Herd{m.Path, m, ids})
		}
		for i := range m.Claims {
			c := &m.Claims[i]
			if m.Finding(model.CodeHerd) == nil {
				break
			}
			if c.PathIs(m.Path) {
				continue
			}
			ids := awake(r, c.Path(), c.Session)
			if len(m.Claims) > 1 {
				ids = m.WaitersAmong(ids, c)
			}
			if len(ids) > 1 {
				out = append(out, Herd{c.Path(), m, ids})
			}
		}
	}
	sorted.By(out, func(a, b Herd) int { return len(b.Watchers) - len(a.Watchers) })
	return out
}

// mostUseful is how many sessions a change of a recipe may rightly wake: who reports on it, and one that goes on.
func mostUseful(r *model.Result, m *model.Model) int {
	if m.Kind.Leads() {
		return 2
	}
	return 1
}

// awake lists the sessions that a change of a znode wakes, without its owner and ourselves.
func awake(r *model.Result, path string, owner znode.SessionID) (out []znode.SessionID) {
	for _, id := range r.Snapshot.Watches[path] {
		if id != owner && !slices.Contains(r.Hints.Own, id) {
			out = append(out, id)
		}
	}
	return out
}

// Overtake is a claim that was served before others that had waited longer.
type Overtake struct {
	Model  *model.Model
	Winner *model.Claim   // the claim that was served
	Passed []*model.Claim // they waited before it in the earlier picture, and wait still
}

// String says it in one line.
func (o Overtake) String() string {
	return say.Printable(o.Winner.Owner()) + " got " + say.Printable(o.Model.Path) + " before " +
		model.Names(o.Passed) + ", who waited longer"
}

// overtakes compares two successive results.
func overtakes(prev, now *model.Result) (out []Overtake) {
	old, new := &model.Cursor{List: prev.Models}, &model.Cursor{List: now.Models}
	for model.SkipShared(old, new); old.Model() != nil && new.Model() != nil; model.SkipShared(old, new) {
		was, m := model.StepBoth(old, new)
		if was != nil && m != nil && m.Kind.Waits() && !m.Kind.Pool() && was != m && was.Kind == m.Kind && was.Czxid == m.Czxid {
			out = append(out, overtakesIn(was, m)...)
		}
	}
	return out
}

func overtakesIn(was, m *model.Model) (out []Overtake) {
	place := make(map[model.ClaimKey]int, len(was.Claims)) // of those that waited; threads of a session are told apart
	held := map[model.ClaimKey]bool{}
	for i := range was.Claims {
		if c := &was.Claims[i]; model.Holding(c.Role()) {
			held[c.Key()] = true
		} else {
			place[c.Key()] = i
		}
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if !model.Holding(c.Role()) || held[c.Key()] || c.Session == 0 {
			continue
		}
		o := Overtake{Model: m, Winner: c}
		mine, waited := place[c.Key()]
		for j := range m.Claims {
			other := &m.Claims[j]
			theirs, there := place[other.Key()]
			if there && !model.Holding(other.Role()) && other.Session != c.Session && (!waited || theirs < mine) &&
				!(c.Mode() == layout.Read && other.Mode() != layout.Read) {
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
func (w *Waits) names() map[znode.SessionID]string {
	if len(w.Cycles) == 0 {
		return nil
	}
	return Labels(w.Result)
}

// Label is what a session is called, with its id.
func Label(names map[znode.SessionID]string, id znode.SessionID) string {
	if id == 0 {
		return "a znode that no session owns"
	}
	if name := names[id]; name != "" && name != id.String() {
		return say.Printable(name) + " (" + id.String() + ")"
	}
	return id.String()
}
