package survey

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// walk merges a directory's children with those it had in the previous snapshot, so that only what
// changed is looked at.
type walk struct {
	*Decoder
	memo *memo
	path string
	node *znode.Node
	old  *memo // never nil
	olds []*znode.Node
	next int               // in olds
	seen int               // in old.leaves
	look bool              // unchanged children may have become something else
	flip bool              // the directory became a recipe, or none, or one that absorbs others: its children are to be decided anew
	word *layout.PathWords // of path; found when first needed

	gone []*model.Model // the elections of one znode that went

	ruled, awaitsAny asked // whether known places of any name may lie in the directory: of single znodes, of others
}

// item is what was found at one child: a memo of its subtree, or a recipe that is the child alone, or
// neither.
type item struct {
	sub  *memo
	leaf *found
}

func newWalk(d *Decoder, m *memo, path string, n, oldN *znode.Node, old *memo) *walk {
	w := &walk{Decoder: d, memo: m, path: path, node: n, old: old}
	if oldN != nil {
		w.olds = oldN.Children
	}
	if old == nil {
		w.old = &memo{}
	}
	w.flip = m.own.isRecipe() != w.old.own.isRecipe() || m.own.isRecipe() && m.own.parts != w.old.own.parts
	w.look = d.stirred || w.flip || w.old.restless > 0 && (w.old.inside || !w.old.calm(d))
	if len(w.old.moving) > 0 {
		m.moving = make(bits, 0, (len(n.Children)+63)/64)
	}
	m.empty, m.unlisted, m.restless = w.old.empty, w.old.unlisted, w.old.restless
	return w
}

func (w *walk) run() {
	for i := 0; i < len(w.node.Children); {
		c := w.node.Children[i]
		for w.next < len(w.olds) && w.olds[w.next] != c && w.olds[w.next].Name < c.Name {
			w.drop()
		}
		if n := w.same(i); n > 0 {
			w.keep(i, n)
			i += n
			continue
		}
		w.child(i, c)
		i++
	}
	for w.next < len(w.olds) {
		w.drop()
	}
}

func (w *walk) child(i int, c *znode.Node) {
	var oldC *znode.Node
	var was item
	at := w.next
	if w.next < len(w.olds) && (w.olds[w.next] == c || w.olds[w.next].Name == c.Name) {
		oldC = w.olds[w.next]
		was = w.take()
	}
	if moving := w.old.moving.has(at); c == oldC && !w.stirred && !w.flip && (!w.look || !moving || w.stands(was)) {
		w.store(i, c, was, moving)
		return
	}
	now := w.decide(c, oldC, was)
	if oldC != nil {
		w.count(oldC, was, -1)
	}
	w.count(c, now, 1)
	w.store(i, c, now, now.moves())
}

// take returns what was found at the next old child and steps over it.
func (w *walk) take() (was item) {
	was.sub = w.old.subs.at(w.next)
	if w.seen < len(w.old.leaves) && w.old.leaves[w.seen].name == w.olds[w.next].Name {
		was.leaf = w.old.leaves[w.seen].found
		w.seen++
	}
	w.next++
	return was
}

// drop forgets what was found at the next old child, which is no more.
func (w *walk) drop() {
	c := w.olds[w.next]
	was := w.take()
	w.count(c, was, -1)
	if was.leaf.isRecipe() && was.leaf.model.Kind.Leads() {
		w.gone = append(w.gone, was.leaf.model)
	}
	w.replace(was.leaf, nil)
	w.forget(was.sub)
}

// forget notes every recipe of a subtree as removed.
func (d *Decoder) forget(m *memo) {
	if m == nil {
		return
	}
	d.replace(m.own, nil)
	for _, l := range m.leaves {
		d.replace(l.found, nil)
	}
	for i := range m.absent {
		d.replace(m.absent[i].found, nil)
	}
	m.subs.each(d.forget)
}

// decide looks at a child that is new, has changed, or may have become something else.
func (w *walk) decide(c, oldC *znode.Node, was item) item {
	if !znode.Addressable(c.Name) {
		return item{}
	}
	if w.memo.own.absorbs(c.Name) && !w.named(c) {
		w.replace(was.leaf, nil)
		w.forget(was.sub)
		return item{}
	}
	if w.flip && w.old.own.absorbs(c.Name) && !w.named(c) || !w.reuse && was.sub == nil {
		oldC = nil // nothing was looked at, or under other rules
	}
	if c == oldC && w.stands(was) {
		return was
	}
	remembered := was.sub != nil && (was.sub.own.isRecipe() || was.sub.hadLeader())
	path := ""
	if len(c.Children) > 0 || remembered || len(w.Hints.Rules) > 0 {
		path = znode.Join(w.path, c.Name)
	}
	awaited := len(c.Children) == 0 && w.awaited(c)
	if awaited {
		path = znode.Join(w.path, c.Name)
		if was.sub == nil {
			oldC = nil // it was not looked at, or in vain
		}
	}
	var deps []dep
	if len(c.Children) > 0 || remembered || awaited || w.hinted(path, c) {
		w.replace(was.leaf, nil)
		sub := w.visit(path, c, w.node, oldC, was.sub)
		if len(c.Children) > 0 || sub != nil && (sub.own.isRecipe() || len(sub.absent) > 0) {
			return item{sub: sub}
		}
		if sub != nil && sub.own != nil {
			deps = sub.own.deps
		}
		was = item{}
	}
	w.forget(was.sub)
	f := w.single(c, was.leaf)
	if len(deps) > 0 {
		f = f.also(deps)
	}
	w.replace(was.leaf, f)
	return item{leaf: f}
}

// stands reports whether what was found at an unchanged child is still so.
func (w *walk) stands(was item) bool {
	switch {
	case was.sub != nil:
		return was.sub.calm(w.Decoder)
	case was.leaf != nil:
		return !w.flip && w.holds(was.leaf)
	}
	return !w.flip && w.reuse
}

// named reports whether a hint tells what a child is: then it is that, whatever its directory would make of it.
func (w *walk) named(c *znode.Node) bool {
	return len(w.Hints.Rules) > 0 && w.Hints.Of(znode.Join(w.path, c.Name)).KindOf() != "" &&
		w.Hints.Of(w.path).KindOf() == ""
}

// hinted reports whether a hint makes a childless znode a directory of a recipe. A lock or leader with data and without
// children, now or ever, is the znode itself.
func (w *walk) hinted(path string, c *znode.Node) bool {
	if len(w.Hints.Rules) == 0 || c.Ephemeral() {
		return false
	}
	k := w.Hints.Of(path).KindOf()
	if k.Alone() && len(c.Data) > 0 && !(c.HasCversion && c.Cversion > 0) {
		return false
	}
	if p := layout.PlaceOf(path, true, func(string) bool { return true }); p != nil && p.Kind == k &&
		len(c.Children) == 0 {
		return false
	}
	return k != ""
}

// awaited reports whether a childless znode may be the known place of a recipe: empty, it is one all the
// same. Whether it is depends on what stands beside it.
func (w *walk) awaited(c *znode.Node) bool {
	if c.Ephemeral() {
		return false
	}
	if officesIn[c.Name] != nil {
		return true
	}
	if !layout.IsPlaceName(c.Name, false) && !w.awaits() {
		return false
	}
	p := layout.PlaceOf(znode.Join(w.path, c.Name), false, func(string) bool { return true })
	return p != nil && !p.Used
}

// awaits reports whether the places of any name may lie in the directory; a cheap look at its path.
func (w *walk) awaits() bool {
	if w.awaitsAny == unknownYet {
		w.awaitsAny = no
		if layout.AnyPlaceIn(w.path, false) {
			w.awaitsAny = yes
		}
	}
	return w.awaitsAny == yes
}

// asked is what a question that costs something was answered, once it was asked.
type asked uint8

const (
	unknownYet asked = iota
	yes
	no
)

func (w *walk) store(i int, c *znode.Node, it item, moving bool) {
	if moving {
		w.memo.moving.add(i)
	}
	if it.leaf != nil {
		w.memo.leaves = append(w.memo.leaves, leaf{c.Name, it.leaf})
	}
	if it.sub == nil {
		return
	}
	w.memo.subs.room(len(w.node.Children))
	w.memo.subs.set(i, it.sub)
}

// count adds one child to the sums, or takes it away.
func (w *walk) count(c *znode.Node, it item, by int) {
	if it.moves() {
		w.memo.restless += by
	}
	switch {
	case it.sub != nil:
		w.memo.empty += by * it.sub.empty
		for why, n := range it.sub.unlisted {
			w.memo.unlisted[why] += by * n
		}
	case it.leaf != nil:
	case len(c.Children) > 0 || !znode.Addressable(c.Name):
	case c.Unlisted():
		w.memo.unlisted[c.WhyUnlisted()] += by
	case !w.within(by).isRecipe() && w.emptyParent(c):
		w.memo.empty += by
	}
}

// within is what the directory was when a child was counted, or is as it is counted now.
func (w *walk) within(by int) *found {
	if by < 0 {
		return w.old.own
	}
	return w.memo.own
}

func (f *found) isRecipe() bool { return f != nil && f.model != nil }

// also returns what was found, to be looked at again when more changes.
func (f *found) also(deps []dep) *found {
	if f == nil {
		return &found{deps: deps}
	}
	f.deps = append(f.deps, deps...)
	return f
}

// hadLeader reports whether a leader that is one znode was seen in a directory, or its place is known
// to be vacant there.
func (m *memo) hadLeader() bool {
	for _, l := range m.leaves {
		if l.isRecipe() && l.model.Kind.Leads() {
			return true
		}
	}
	return len(m.absent) > 0
}

// settle gathers what the subtree at path depends on outside itself.
func (m *memo) settle(path string) {
	add := func(deps []dep, due time.Time) {
		m.due = Sooner(m.due, due)
		for _, p := range deps {
			if p.path != path && !znode.Below(path, p.path) {
				m.outside = append(m.outside, p)
			} else {
				m.inside = true
			}
		}
	}
	if m.own != nil {
		add(m.own.deps, m.own.due)
		m.graded, m.volatile = len(m.own.graded) > 0, m.own.volatile
	}
	for i := range m.absent {
		add(m.absent[i].deps, m.absent[i].due)
		m.volatile = m.volatile || m.absent[i].volatile
	}
	if m.restless == 0 {
		return
	}
	for _, l := range m.leaves {
		add(l.deps, l.due)
		m.graded, m.volatile = m.graded || len(l.graded) > 0, m.volatile || l.volatile
	}
	m.moving.each(0, m.subs.n, func(i int) {
		if sub := m.subs.at(i); sub != nil {
			add(sub.outside, sub.due)
			m.graded, m.volatile = m.graded || sub.graded, m.volatile || sub.volatile
		}
	})
}

// emptyParent reports whether a znode, not within a recipe, looks like the directory of a lock or
// election that is over: it had children, or may have had, holds no data of its own, and words in its path
// say what it was for.
func (w *walk) emptyParent(c *znode.Node) bool { return layout.LeftBehind(c, w.words) != "" }

// words are those of the directory's path.
func (w *walk) words() *layout.PathWords {
	if w.word == nil {
		w.word = layout.WordsOf(w.path)
	}
	return w.word
}
