package waits

import (
	"cmp"
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// knots finds the cycles among waits that are allowed: the waits of every strongly connected component that has more
// than one. They come in no particular order, the waits of each in theirs.
func (g *waitGraph) knots(allowed func(node int32) bool) (out [][]int32) {
	k := knotter{g: g, index: make([]int32, len(g.nodes)), low: make([]int32, len(g.nodes)),
		on: make([]bool, len(g.nodes)), unmet: g.unmet(allowed), opened: map[znode.SessionID][]int32{}}
	for n := range g.nodes {
		if !k.unmet.met[n] {
			k.walk(int32(n))
		}
	}
	return k.out
}

// unmet are the waits that a search has not come to, of each session in their order. Sessions can wait in thousands of
// lines, each of which is a successor of each wait for them: what was come to is stepped over at once.
type unmet struct {
	g     *waitGraph
	met   []bool                      // by node
	ahead map[znode.SessionID][]int32 // by place among the session's waits: where to look on; the place itself: not come to
}

// unmet begins a search among allowed waits: it never comes to the others.
func (g *waitGraph) unmet(allowed func(node int32) bool) *unmet {
	u := &unmet{g: g, met: make([]bool, len(g.nodes)), ahead: map[znode.SessionID][]int32{}}
	for n := range g.nodes {
		u.met[n] = !allowed(int32(n))
	}
	return u
}

// meet notes that the search has come to a node.
func (u *unmet) meet(n int32) { u.met[n] = true }

// next returns where the first wait of a session that was not come to stands, at a place or behind it; the number of
// its waits: there is none.
func (u *unmet) next(id znode.SessionID, at int32) int32 {
	waits := u.g.waits[id]
	ahead := u.ahead[id]
	if ahead == nil {
		ahead = make([]int32, len(waits)+1)
		for i := range ahead {
			ahead[i] = int32(i)
		}
		u.ahead[id] = ahead
	}
	for i := at; ; i = ahead[i] {
		if ahead[i] == i && int(i) < len(waits) && u.met[waits[i]] {
			ahead[i] = i + 1
		}
		if ahead[i] == i {
			return i
		}
		ahead[i] = ahead[ahead[i]]
	}
}

// knotter is Tarjan's search for strongly connected components, with a stack of its own: chains of waits can be long.
type knotter struct {
	g          *waitGraph
	index, low []int32
	on         []bool
	unmet      *unmet
	next       int32
	open       []int32
	opened     map[znode.SessionID][]int32 // what is in open, by session
	out        [][]int32
}

// visit is a node whose successors are being walked, one by one.
type visit struct {
	node, edge int32
	nth        int32 // where to look on among the waits of the session at the end of the edge; 0: nothing was looked at
}

func (k *knotter) enter(n int32) visit {
	k.next++
	k.index[n], k.low[n], k.on[n] = k.next, k.next, true
	k.unmet.meet(n)
	k.open = append(k.open, n)
	id := k.g.waiter(n).From
	k.opened[id] = append(k.opened[id], n)
	return visit{node: n, edge: k.g.nodes[n].from}
}

func (k *knotter) walk(from int32) {
	stack := []visit{k.enter(from)}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if n, more := k.successor(v); more {
			stack = append(stack, k.enter(n))
			continue
		}
		if k.low[v.node] == k.index[v.node] {
			k.close(v.node)
		}
		done := v.node
		if stack = stack[:len(stack)-1]; len(stack) > 0 {
			top := stack[len(stack)-1].node
			k.low[top] = min(k.low[top], k.low[done])
		}
	}
}

// successor goes on to the next wait that a wait waits for and that was not come to; of those that are open it takes
// note.
func (k *knotter) successor(v *visit) (next int32, more bool) {
	g := k.g
	for n := &g.nodes[v.node]; v.edge < n.to; v.edge, v.nth = v.edge+1, 0 {
		e := &g.edges[v.edge]
		if g.skips(e) {
			continue
		}
		if at := g.at[g.blocker(v.node, v.edge)]; at >= 0 {
			if !k.unmet.met[at] {
				return at, true
			}
			k.closes(v.node, at)
			continue
		}
		if e.To == 0 || g.inLine { // no wait of anybody keeps it
			continue
		}
		waits := g.waits[e.To]
		if v.nth == 0 {
			k.closesIn(v.node, e, n.base)
		}
		for i := k.unmet.next(e.To, v.nth); int(i) < len(waits); i = k.unmet.next(e.To, i+1) {
			if v.nth = i + 1; g.behindWait(e.Blocker, n.base, waits[i]) {
				return waits[i], true
			}
		}
	}
	return 0, false
}

// closes notes that a way leads from a node to one that may be open.
func (k *knotter) closes(from, to int32) {
	if k.on[to] {
		k.low[from] = min(k.low[from], k.index[to])
	}
}

// closesIn notes the first opened wait of the session at the end of an edge that keeps the edge's blocker.
func (k *knotter) closesIn(from int32, e *Wait, base int32) {
	for _, w := range k.opened[e.To] {
		if k.index[w] >= k.low[from] {
			return
		}
		if k.g.behindWait(e.Blocker, base, w) {
			k.closes(from, w)
			return
		}
	}
}

// close takes a knot that is complete off the stack.
func (k *knotter) close(root int32) {
	i := len(k.open) - 1
	for ; k.open[i] != root; i-- {
	}
	knot := slices.Clone(k.open[i:])
	k.open = k.open[:i]
	for _, n := range knot {
		k.on[n] = false
		id := k.g.waiter(n).From
		k.opened[id] = k.opened[id][:len(k.opened[id])-1] // what closes was opened last
	}
	if len(knot) > 1 {
		slices.Sort(knot)
		k.out = append(k.out, knot)
	}
}

// shortest finds a shortest way from a wait back to itself among allowed ones; nil when there is none.
func (g *waitGraph) shortest(from int32, allowed func(int32) bool) []Wait {
	type step struct{ node, edge int32 }
	came, unmet := map[int32]step{}, g.unmet(allowed)
	queue := []int32{from}
	meet := func(next int32, by step) {
		unmet.meet(next)
		came[next] = by
		queue = append(queue, next)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		n := &g.nodes[at]
		for i := n.from; i < n.to; i++ {
			e := &g.edges[i]
			if g.skips(e) {
				continue
			}
			if next := g.at[g.blocker(at, i)]; next >= 0 {
				if !unmet.met[next] {
					meet(next, step{at, i})
				}
				continue
			}
			if g.inLine {
				continue
			}
			waits := g.waits[e.To]
			for k := unmet.next(e.To, 0); int(k) < len(waits); k = unmet.next(e.To, k+1) {
				if g.behindWait(e.Blocker, n.base, waits[k]) {
					meet(waits[k], step{at, i})
				}
			}
		}
		if _, round := came[from]; round {
			break
		}
	}
	if _, round := came[from]; !round {
		return nil
	}
	var out []Wait
	for at := from; ; {
		s := came[at]
		out = append(out, g.edges[s.edge])
		if at = s.node; at == from {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// round chooses a cycle of a knot: a shortest one through the session with the lowest id, in which another session has
// a wait, of waits that are seen where there is such a one. What only one session does to itself is told by its claims,
// unless they are of one line and wait for each other whatever its threads do; nil where there is nothing else.
func (g *waitGraph) round(knot []int32) []Wait {
	inside := func(n int32) bool { _, in := slices.BinarySearch(knot, n); return in }
	order := slices.Clone(knot)
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(uint64(g.waiter(a).From), uint64(g.waiter(b).From)), cmp.Compare(a, b))
	})
	const tries = 50
	seen := *g
	seen.proven = true
	for _, g := range []*waitGraph{&seen, g} {
		for _, n := range order[:min(len(order), tries)] {
			waits := contracted(g.shortest(n, inside))
			if slices.ContainsFunc(waits, func(e Wait) bool { return g.inLine || e.From != waits[0].From }) {
				return waits
			}
		}
	}
	return nil
}

// contracted leaves out of a cycle who only stands in a line between two of its members: what keeps the later one
// waiting is the one at the head. Who waits for a claim behind its own is a member itself.
func contracted(waits []Wait) []Wait {
	for i := 0; i < len(waits) && len(waits) > 2; {
		e, next := waits[i], waits[(i+1)%len(waits)]
		if e.Blocker != next.Waiter || next.Waiter.Reason == model.BehindLater {
			i++
			continue
		}
		e.To, e.Blocker, e.Any = next.To, next.Blocker, next.Any
		switch {
		case e.Proof == model.Refuted || next.Proof == model.Refuted:
			e.Proof = model.Refuted
		case next.Proof == model.Likely:
			e.Proof = model.Likely
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
