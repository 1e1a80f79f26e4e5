package inspect

import (
	"cmp"
	"slices"
)

// Root is a session, or a znode that no session owns, that blocks others and waits for nobody: where help begins.
type Root struct {
	Session SessionID // 0: nobody owns the znode
	Claim   *Claim    // what it holds that others wait for, the first of it
	Model   *Model
	Blocks  int // sessions behind it, directly or through others
	Stands  int // of these, the ones that only stand by in elections
}

// Branch is one line of a blocking tree: a wait, and how many others are between it and the root.
type Branch struct {
	Depth int
	Wait  Wait
}

// findRoots lists the roots: first those that block the most sessions that do nothing else than wait.
func (w *Waits) findRoots(g *waitGraph) (out []Root) {
	waits := map[SessionID]bool{}
	for id, needs := range g.needs {
		waits[id] = slices.ContainsFunc(needs, func(n need) bool { return g.counts(n, false) })
	}
	seen := map[SessionID]bool{}
	ownerless := map[string]bool{}
	for i := range w.Edges {
		e := &w.Edges[i]
		if e.To == 0 && !ownerless[e.Blocker.Path()] {
			ownerless[e.Blocker.Path()] = true
			out = append(out, w.ownerless(g, e))
		}
		if e.To == 0 || e.To == e.From || seen[e.To] || waits[e.To] {
			continue
		}
		seen[e.To] = true
		root := Root{Session: e.To, Claim: e.Blocker, Model: e.Model}
		root.Blocks, root.Stands = g.weight(e.To)
		out = append(out, root)
	}
	slices.SortStableFunc(out, func(a, b Root) int {
		return cmp.Or(cmp.Compare(b.Blocks-b.Stands, a.Blocks-a.Stands), cmp.Compare(b.Blocks, a.Blocks))
	})
	return out
}

// ownerless is the root of a znode that no session owns.
func (w *Waits) ownerless(g *waitGraph, e *Wait) Root {
	root := Root{Claim: e.Blocker, Model: e.Model}
	all := map[SessionID]bool{}
	for i := range w.Edges {
		if f := &w.Edges[i]; f.Blocker == e.Blocker {
			all[f.From] = true
			for id := range g.behind(f.From) {
				all[id] = true
			}
		}
	}
	root.Blocks = len(all)
	return root
}

// weight counts the sessions behind one, and those of them that only stand by in elections.
func (g *waitGraph) weight(id SessionID) (all, stands int) {
	behind := g.behind(id)
	for s := range behind {
		if !slices.ContainsFunc(g.needs[s], func(n need) bool { return g.counts(n, false) }) {
			stands++
		}
	}
	return len(behind), stands
}

// Branches lists who waits behind a root, each below the one that it waits for, at most so many; more is how many
// there are beyond. A session that waits in two places stands twice; its own branch only once.
func (w *Waits) Branches(r Root, most int) (out []Branch, more int) {
	by := map[SessionID][]int{}
	for i := range w.Edges {
		if e := &w.Edges[i]; e.To != 0 && e.To != e.From {
			by[e.To] = append(by[e.To], i)
		}
	}
	type step struct{ edge, depth int }
	var todo []step
	if r.Session == 0 {
		for i := range w.Edges {
			if w.Edges[i].Blocker == r.Claim {
				todo = append(todo, step{i, 0})
			}
		}
	} else {
		for _, i := range by[r.Session] {
			todo = append(todo, step{i, 0})
		}
	}
	slices.Reverse(todo)
	done := map[SessionID]bool{r.Session: true}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if len(out) < most {
			out = append(out, Branch{s.depth, w.Edges[s.edge]})
		} else {
			more++
		}
		from := w.Edges[s.edge].From
		if done[from] || from == 0 {
			continue
		}
		done[from] = true
		for _, i := range slices.Backward(by[from]) {
			todo = append(todo, step{i, s.depth + 1})
		}
	}
	return out, more
}
