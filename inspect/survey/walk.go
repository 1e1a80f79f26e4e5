package survey

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// memo remembers what was found in a subtree, next to the *Node that it was found in. A subtree without
// recipes has none; the nodes of the previous snapshot's tree still tell that nothing there changed.
type memo struct {
	own    *found
	leaves []leaf  // recipes that are a single child, by name
	absent []unled // leaderships of one znode that are vacant, and those of which nothing tells that they are
	subs   twigs   // by the number of the node's child

	empty    int    // empty parents in the subtree
	unlisted untold // znodes in it whose children were counted, not listed

	restless int       // children that can become something else although their node does not change
	moving   bits      // which these are
	outside  []dep     // what recipes in this subtree saw outside it
	inside   bool      // one saw something within the subtree that is not its own
	due      time.Time // when a recipe in it changes by itself; zero: never
	graded   bool      // how much a finding in it weighs depends on what sessions do elsewhere
	volatile bool      // a recipe in it is to be looked at whenever sessions or watches were read anew
}

// found is a recipe, or the knowledge that there is none, and what this was decided from besides the znode.
type found struct {
	model    *model.Model   // nil: no recipe
	more     []*model.Model // further ones, where several share a directory
	deps     []dep
	due      time.Time
	volatile bool  // look again whenever sessions or watches were read anew
	parts    Parts // which children the recipe absorbs
	graded   []Grade
	near     bool // no recipe, but something of one: any change may make it whole
}

type leaf struct {
	name string
	*found
}

// dep is a znode elsewhere that a decision depends on; node is nil where there was none.
type dep struct {
	path string
	node *znode.Node
}

// visit decodes the subtree at n. oldN and old are the node at the same path in the previous snapshot
// and what was found there; nil when there was none.
func (d *Decoder) visit(path string, n, parent, oldN *znode.Node, old *memo) *memo {
	m := &memo{}
	m.own = d.ownRecipe(path, n, parent, oldN, old)
	w := newWalk(d, m, path, n, oldN, old)
	w.run()
	d.findAbsent(m, path, n, parent, w.gone, old)
	m.settle(path)
	if m.own == nil && len(m.leaves) == 0 && len(m.absent) == 0 && m.subs.n == 0 && m.empty == 0 &&
		m.unlisted == (untold{}) {
		return nil
	}
	return m
}

// ownRecipe decides what the directory itself is, or keeps the earlier decision.
func (d *Decoder) ownRecipe(path string, n, parent, oldN *znode.Node, old *memo) *found {
	var was *found
	if old != nil {
		was = old.own
	}
	if d.reuse && (was.isRecipe() && n == oldN && d.holds(was) || !was.isRecipe() && d.stillNothing(path, n, oldN, was)) {
		return was
	}
	f := d.recognise(path, n, parent, was)
	d.replace(was, f)
	return f
}

// replace notes that one finding of a recipe takes the place of another.
func (d *Decoder) replace(was, now *found) {
	if was != nil && was.model != nil {
		d.removed = append(append(d.removed, was.model), was.more...)
	}
	if now != nil && now.model != nil {
		d.added = append(append(d.added, now.model), now.more...)
	}
}

// holds reports whether a decision on an unchanged node still stands.
func (d *Decoder) holds(f *found) bool {
	if !d.reuse || !f.due.IsZero() && !d.Snap.TakenAt.Before(f.due) || !d.unmoved(f.deps) || d.regraded(f.graded) {
		return false
	}
	return !d.aux && !d.stirred || !d.concerns(f)
}

func (d *Decoder) unmoved(deps []dep) bool {
	for i := range deps {
		if d.Snap.At(deps[i].path) != deps[i].node {
			return false
		}
	}
	return true
}

// concerns reports whether news about sessions and watches touch a recipe.
func (d *Decoder) concerns(f *found) bool {
	if f.model == nil {
		return false
	}
	if d.all || f.volatile || d.newWatches[f.model.Path] {
		return true
	}
	return d.touches(f.model) || slices.ContainsFunc(f.more, d.touches)
}

// touches reports whether news touch a claim of a recipe.
func (d *Decoder) touches(m *model.Model) bool {
	for i := range m.Claims {
		c := &m.Claims[i]
		if d.newSessions[c.Session] || d.newlyWatched(c) {
			return true
		}
	}
	return false
}

// newlyWatched reports whether other sessions than before watch a claim's znode.
func (d *Decoder) newlyWatched(c *model.Claim) bool {
	if len(d.newWatches) == 0 {
		return false
	}
	d.path = c.AppendPath(d.path[:0])
	return d.newWatches[string(d.path)]
}

// stillNothing reports whether a directory that was no recipe cannot have become one: only children
// came, went or changed that no recipe is made of.
func (d *Decoder) stillNothing(path string, n, oldN *znode.Node, was *found) bool {
	if was != nil && !d.unmoved(was.deps) {
		return false
	}
	if n == oldN {
		return true
	}
	if was != nil && was.near || oldN == nil || len(oldN.Children) == 0 || len(n.Children) == 0 ||
		len(d.Hints.Rules) > 0 && d.Hints.Of(path) != nil {
		return false
	}
	if string(n.Data) != string(oldN.Data) || n.Flags != oldN.Flags {
		return false
	}
	i, j := 0, 0
	for i < len(n.Children) || j < len(oldN.Children) {
		a, b := znode.ChildAt(n, i), znode.ChildAt(oldN, j)
		switch {
		case a == b:
			i, j = i+1, j+1
			continue
		case b == nil || a != nil && a.Name < b.Name:
			i, b = i+1, nil
		case a == nil || b.Name < a.Name:
			j, a = j+1, nil
		default:
			i, j = i+1, j+1
		}
		if a != nil && !inert(a) || b != nil && !inert(b) {
			return false
		}
	}
	return true
}

// inert reports whether a child can be no part of a recipe in its parent.
func inert(c *znode.Node) bool {
	if c.Ephemeral() || c.Has(znode.NoStat) || layout.IsFurniture(c.Name) || layout.IsVote(c.Data) ||
		layout.OfInstance(c) != nil || layout.IsShard(c) {
		return false
	}
	for _, name := range telling {
		if c.Name == name {
			return false
		}
	}
	if layout.HasLease(c) {
		return false
	}
	if c.Name == "" || !layout.IsDigit(c.Name[len(c.Name)-1]) {
		return true
	}
	n := layout.ParseName(c.Name)
	return !n.HasSeq
}

func (f *found) moves() bool {
	return len(f.deps) > 0 || !f.due.IsZero() || len(f.graded) > 0 || f.volatile
}

func (it item) moves() bool {
	return it.sub != nil && it.sub.moves() || it.sub == nil && it.leaf != nil && it.leaf.moves()
}

func (m *memo) moves() bool { return len(m.outside) > 0 || !m.due.IsZero() || m.graded || m.volatile }

// calm reports whether a subtree whose nodes did not change holds nothing that changed nevertheless.
func (m *memo) calm(d *Decoder) bool {
	if d.stirred || d.aux && m.volatile {
		return false
	}
	if m.graded && !d.passing && (m.own == nil || m.subs.n > 0 || len(m.leaves) > 0 || len(m.absent) > 0 ||
		d.regraded(m.own.graded)) {
		return false
	}
	return (m.due.IsZero() || d.Snap.TakenAt.Before(m.due)) && d.unmoved(m.outside)
}
