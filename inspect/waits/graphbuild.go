package waits

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// waitGraph is the graph of waits claim by claim. A session is many threads, of which each waits in one place: what it
// holds is kept from others by one of its waits only if the same thread may be behind both.
type waitGraph struct {
	edges []Wait
	nodes []waitNode
	at    []int32                     // by claim: its node; -1: it waits for nothing
	start []int32                     // by claim: where in on the edges begin that wait for it; one more at the end
	on    []int32                     // edges
	of    []int32                     // by edge: its node
	waits map[znode.SessionID][]int32 // nodes of a session
	holds map[znode.SessionID][]int32 // claims of a session that it holds and that others wait for
	began model.Moment                // of the run

	inLine bool // ways lead from claim to claim alone, not on through the sessions that hold
	proven bool // only waits that are seen count
}

// skips reports whether no way leads along an edge.
func (g *waitGraph) skips(e *Wait) bool { return g.proven && e.Proof != model.Proven }

// waitNode is a claim that waits: the edges from one to before another are what it needs, all of them or any.
type waitNode struct {
	from, to int32
	claim    int32 // its number in the graph
	base     int32 // the number of the first claim of its recipe
	nth      int32 // where it stands among the waits of its session
	any      bool
}

func newWaitGraph(edges []Wait, p *model.Pulse) *waitGraph {
	g := &waitGraph{edges: edges, waits: map[znode.SessionID][]int32{}, holds: map[znode.SessionID][]int32{}}
	if p != nil {
		g.began = model.MomentOf(p.Began)
	}
	g.number()
	count := make([]int32, len(g.at)+1)
	for n := range g.nodes {
		for e := g.nodes[n].from; e < g.nodes[n].to; e++ {
			count[g.blocker(int32(n), e)+1]++
		}
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	g.start, g.on = count, make([]int32, len(edges))
	next := append([]int32(nil), count...)
	for n := range g.nodes {
		for e := g.nodes[n].from; e < g.nodes[n].to; e++ {
			b := g.blocker(int32(n), e)
			if first := next[b] == g.start[b]; first && g.edges[e].To != 0 && model.Holding(g.edges[e].Blocker.Role()) {
				g.holds[g.edges[e].To] = append(g.holds[g.edges[e].To], b)
			}
			g.on[next[b]] = e
			next[b]++
		}
	}
	return g
}

// number gives every claim of the recipes in which somebody waits a number, and every waiting one a node.
func (g *waitGraph) number() {
	base := int32(0)
	for i := 0; i < len(g.edges); {
		e := &g.edges[i]
		if i > 0 && g.edges[i-1].Model != e.Model {
			base = int32(len(g.at))
		}
		for int(base)+len(e.Model.Claims) > len(g.at) {
			g.at = append(g.at, -1)
		}
		n := waitNode{from: int32(i), claim: base + int32(e.Waiter.Position()), base: base, any: e.Any}
		for ; i < len(g.edges) && g.edges[i].Waiter == e.Waiter; i++ {
			g.of = append(g.of, int32(len(g.nodes)))
		}
		n.to = int32(i)
		g.at[n.claim] = int32(len(g.nodes))
		if n.nth = int32(len(g.waits[e.From])); e.From != 0 {
			g.waits[e.From] = append(g.waits[e.From], int32(len(g.nodes)))
		}
		g.nodes = append(g.nodes, n)
	}
}

// blocker is the number of the claim that an edge of a node leads to.
func (g *waitGraph) blocker(node, edge int32) int32 {
	return g.nodes[node].base + int32(g.edges[edge].Blocker.Position())
}

func (g *waitGraph) waiter(node int32) *Wait { return &g.edges[g.nodes[node].from] }

// counts reports whether a node is one of a search. With elections, whoever stands for one counts as waiting for it.
func (g *waitGraph) counts(node int32, elections bool) bool {
	return elections || !g.waiter(node).Model.Kind.Leads()
}

// waitersOn lists the edges that wait for a claim.
func (g *waitGraph) waitersOn(claim int32) []int32 { return g.on[g.start[claim]:g.start[claim+1]] }

// behindWait reports whether what a session holds may be kept by one of its waits: both in different lines, since in
// one line the claim is told as a phantom, and not known to have been taken after the wait began.
func (g *waitGraph) behindWait(held *model.Claim, base, node int32) bool {
	n := &g.nodes[node]
	return n.base != base && !g.tookAfter(held, g.edges[n.from].Waiter)
}

// tookAfter reports whether a claim is known to have come to hold after a wait of the same session began: by the order
// of the transactions that made them, and where the grant was seen by that. A holder that stood in line first has an
// older znode than its grant, so an older znode proves nothing.
func (g *waitGraph) tookAfter(held, wait *model.Claim) bool {
	if held.RoleChangeSeen {
		if began := max(wait.FirstSeen, g.began); began != 0 && model.MomentOf(held.Since()) >= began+
			model.SightingsApart {
			return true
		}
	}
	a, b := held.Znode(), wait.Znode()
	switch ordered := a.Czxid != 0 && b.Czxid != 0 && !a.Has(znode.Numbered) && !b.Has(znode.Numbered); {
	case a.Ctime != 0 && b.Ctime != 0 && !ordered:
		return a.Ctime > b.Ctime
	case a.Ctime != 0 && b.Ctime != 0 && a.Ctime < b.Ctime:
		return false // the servers' clock speaks against it
	default:
		return ordered && a.Czxid > b.Czxid
	}
}

// stuck finds the waits that can never end by themselves: one ends when what it needs, all of it or any, goes. What
// waits goes when its own wait can end; what is held goes when no wait that may be of the same thread is stuck. As if a
// session was one thread a look costs as much as the claims; only what is stuck even so is looked at in pairs.
func (g *waitGraph) stuck(elections bool) []bool {
	stuck := g.stuckAsOne(elections)
	todo := make([]int32, 0, len(g.nodes))
	for n := range g.nodes {
		if stuck[n] {
			todo = append(todo, int32(n))
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !stuck[n] || !g.ends(n, stuck) {
			continue
		}
		stuck[n] = false
		for _, e := range g.waitersOn(g.nodes[n].claim) {
			todo = append(todo, g.of[e])
		}
		for _, h := range g.holds[g.waiter(n).From] {
			for _, e := range g.waitersOn(h) {
				todo = append(todo, g.of[e])
			}
		}
	}
	return stuck
}

// stuckAsOne is stuck as if what a session holds was kept by each of its waits: no less is stuck then.
func (g *waitGraph) stuckAsOne(elections bool) []bool {
	stuck, waits := make([]bool, len(g.nodes)), make(map[znode.SessionID]int, len(g.waits))
	todo := make([]int32, 0, len(g.nodes))
	for n := range g.nodes {
		if todo = append(todo, int32(n)); g.counts(int32(n), elections) {
			stuck[n] = true
			waits[g.waiter(int32(n)).From]++
		}
	}
	again := func(edges []int32) {
		for _, e := range edges {
			todo = append(todo, g.of[e])
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !stuck[n] || !g.endsAsOne(n, stuck, waits) {
			continue
		}
		stuck[n] = false
		again(g.waitersOn(g.nodes[n].claim))
		id := g.waiter(n).From
		if waits[id]--; waits[id] > 0 {
			continue
		}
		for _, h := range g.holds[id] {
			again(g.waitersOn(h))
		}
	}
	return stuck
}

// endsAsOne is ends for stuckAsOne, by how many waits of each session are stuck.
func (g *waitGraph) endsAsOne(node int32, stuck []bool, waits map[znode.SessionID]int) bool {
	n := &g.nodes[node]
	for e := n.from; e < n.to; e++ {
		goes := g.edges[e].To == 0 || waits[g.edges[e].To] == 0
		if at := g.at[g.blocker(node, e)]; at >= 0 {
			goes = !stuck[at]
		}
		if goes == n.any {
			return goes
		}
	}
	return !n.any
}

// ends reports whether a wait can end as things stand.
func (g *waitGraph) ends(node int32, stuck []bool) bool {
	n := &g.nodes[node]
	for e := n.from; e < n.to; e++ {
		goes := true
		g.ahead(node, e, func(next int32) bool {
			goes = !stuck[next]
			return goes
		})
		if goes == n.any {
			return goes
		}
	}
	return !n.any
}

// ahead calls a function for the waits that keep the claim at the end of an edge from going, until it returns false.
func (g *waitGraph) ahead(node, edge int32, do func(next int32) bool) {
	e := &g.edges[edge]
	claim := g.blocker(node, edge)
	if n := g.at[claim]; n >= 0 {
		do(n)
		return
	}
	if e.To == 0 {
		return
	}
	for _, n := range g.waits[e.To] {
		if g.behindWait(e.Blocker, g.nodes[node].base, n) && !do(n) {
			return
		}
	}
}

// behind lists the edges that wait behind a node: on its claim, and on what its session may hold behind it.
func (g *waitGraph) behind(node int32, left unlisted, do func(edge int32)) {
	for _, e := range g.waitersOn(g.nodes[node].claim) {
		do(e)
	}
	g.behindOthers(node, left, do)
}

// behindOthers lists the edges that wait for what the session of a node holds elsewhere: they are behind the node only
// if the thread that waits is the one that holds. Who stands by for an election is not kept from letting go of
// anything. What is behind a claim that a session holds comes once in a search.
func (g *waitGraph) behindOthers(node int32, left unlisted, do func(edge int32)) {
	if !g.counts(node, false) {
		return
	}
	id := g.waiter(node).From
	holds, begun := left[id]
	if !begun {
		holds = slices.Clone(g.holds[id])
	}
	left[id] = slices.DeleteFunc(holds, func(h int32) bool {
		on := g.waitersOn(h)
		if len(on) == 0 {
			return true
		}
		first := &g.edges[on[0]]
		base := h - int32(first.Blocker.Position())
		if !g.behindWait(first.Blocker, base, node) {
			return false
		}
		for _, e := range on {
			do(e)
		}
		return true
	})
}

// unlisted is, of the sessions that a search came by, what they hold of which it did not come to what is behind it.
type unlisted map[znode.SessionID][]int32

// crowd counts sessions that wait behind something.
type crowd struct {
	all    int // directly or through others
	stands int // of these, those that only stand by in elections
	across int // of these, those that are behind it only if a thread that waits also holds another claim of its session
}

// crowd counts the sessions behind edges. Those in skip are not counted.
func (g *waitGraph) crowd(edges []int32, skip ...znode.SessionID) (c crowd) {
	seen, met := make(map[int32]bool), []int32{} // a map: there may be as many crowds as lines
	meet := func(e int32) {
		if n := g.of[e]; !seen[n] {
			seen[n] = true
			met = append(met, n)
		}
	}
	for _, e := range edges {
		meet(e)
	}
	for i := 0; i < len(met); i++ { // from claim to claim, whatever the threads of sessions are
		for _, e := range g.waitersOn(g.nodes[met[i]].claim) {
			meet(e)
		}
	}
	certain, left := len(met), unlisted{}
	for i := 0; i < len(met); i++ {
		if i < certain {
			g.behindOthers(met[i], left, meet)
		} else {
			g.behind(met[i], left, meet)
		}
	}
	type how struct{ works, certain bool }
	who := make(map[znode.SessionID]how)
	for i, n := range met {
		id := g.waiter(n).From
		who[id] = how{who[id].works || g.counts(n, false), who[id].certain || i < certain}
	}
	delete(who, 0)
	for _, id := range skip {
		delete(who, id)
	}
	for _, h := range who {
		c.all++
		if !h.works {
			c.stands++
		}
		if !h.certain {
			c.across++
		}
	}
	return c
}
