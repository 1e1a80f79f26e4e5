package waits

import (
	"cmp"
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
)

// knots finds the cycles among waits that are allowed: the waits of every strongly connected part that has more than
// one. The parts come in no particular order, the waits of each in theirs.
func (g *waitGraph) knots(allowed func(node int32) bool) (out [][]int32) {
	k := knotter{g: g, allowed: allowed, index: make([]int32, len(g.nodes)), low: make([]int32, len(g.nodes)),
		on: make([]bool, len(g.nodes))}
	for n := range g.nodes {
		if k.index[n] == 0 && allowed(int32(n)) {
			k.walk(int32(n))
		}
	}
	return k.out
}

// knotter is Tarjan's search for strongly connected parts, with a stack of its own: chains of waits can be long.
type knotter struct {
	g          *waitGraph
	allowed    func(int32) bool
	index, low []int32
	on         []bool
	next       int32
	open       []int32
	out        [][]int32
}

// visit is a node whose successors are being walked, one by one: sessions can wait in thousands of lines, each of which is a
// successor of each wait for them.
type visit struct {
	node, edge int32
	nth        int // among the waits of the session at the end of the edge
}

func (k *knotter) enter(n int32) visit {
	k.next++
	k.index[n], k.low[n], k.on[n] = k.next, k.next, true
	k.open = append(k.open, n)
	return visit{node: n, edge: k.g.nodes[n].from}
}

func (k *knotter) walk(from int32) {
	stack := []visit{k.enter(from)}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if n, more := k.g.successor(v); more {
			if !k.allowed(n) {
				continue
			}
			if k.index[n] == 0 {
				stack = append(stack, k.enter(n))
			} else if k.on[n] {
				k.low[v.node] = min(k.low[v.node], k.index[n])
			}
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

// close takes a part that is complete off the stack.
func (k *knotter) close(root int32) {
	i := len(k.open) - 1
	for ; k.open[i] != root; i-- {
	}
	part := slices.Clone(k.open[i:])
	k.open = k.open[:i]
	for _, n := range part {
		k.on[n] = false
	}
	if len(part) > 1 {
		slices.Sort(part)
		k.out = append(k.out, part)
	}
}

// successor goes on to the next wait that a wait waits for; one comes several times where several edges lead to it.
func (g *waitGraph) successor(v *visit) (next int32, more bool) {
	for n := &g.nodes[v.node]; v.edge < n.to; v.edge, v.nth = v.edge+1, 0 {
		e := &g.edges[v.edge]
		if at := g.at[g.blocker(v.node, v.edge)]; at >= 0 {
			if v.nth++; v.nth == 1 {
				return at, true
			}
			continue
		}
		if e.To == 0 {
			continue
		}
		for waits := g.waits[e.To]; v.nth < len(waits); {
			w := waits[v.nth]
			if v.nth++; g.behindWait(e.Blocker, n.base, w) {
				return w, true
			}
		}
	}
	return 0, false
}

// shortest finds a shortest way from a wait back to itself among allowed ones; nil when there is none.
func (g *waitGraph) shortest(from int32, allowed func(int32) bool) []Wait {
	type step struct{ node, edge int32 }
	came := map[int32]step{}
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		n := &g.nodes[at]
		for e := n.from; e < n.to; e++ {
			g.ahead(at, e, func(next int32) bool {
				if _, been := came[next]; !been && allowed(next) {
					came[next] = step{at, e}
					queue = append(queue, next)
				}
				return true
			})
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

// round chooses a cycle of a part: a shortest one through the session with the lowest id, in which another session has
// a part. What only one session does to itself is told by its claims; nil where there is nothing else.
func (g *waitGraph) round(part []int32) []Wait {
	inside := func(n int32) bool { _, in := slices.BinarySearch(part, n); return in }
	order := slices.Clone(part)
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(uint64(g.waiter(a).From), uint64(g.waiter(b).From)), cmp.Compare(a, b))
	})
	const tries = 50
	for _, n := range order[:min(len(order), tries)] {
		waits := contracted(g.shortest(n, inside))
		if slices.ContainsFunc(waits, func(e Wait) bool { return e.From != waits[0].From }) {
			return waits
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
