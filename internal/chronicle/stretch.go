package chronicle

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A busy line is not decoded at each of its changes, of which a night may have a million: changes that follow each other at
// once are a stretch. Decoded is how the line stands at the end of it, and, for the order, the line of all claims that stood
// in it at any time. That tells of each change who came, went and held, as if each had been decoded; only findings are
// looked for at the end of a stretch alone. What is no plain line of one holder is taken change by change.

// When a line is busy, and how much is taken together. Tests take less.
var (
	busyFrom  = 200_000 // claims that were decoded for one recipe
	leastMany = 64      // changes, and no less than twice the claims in line
)

// longest is for how long a stretch may go on.
const longest = time.Minute

// seenState is a state that is not decoded yet.
type seenState struct {
	snap *znode.Snapshot
	node *znode.Node // the line's
	at   Moment
}

// plain reports whether in a model the first claim holds, and all others wait until those ahead are gone.
func plain(m *model.Model) bool {
	if m == nil || len(m.Claims) == 0 || !m.Kind.InLine() || !m.Kind.Waits() || m.Kind.Pool() || m.Kind.Modes() {
		return false
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if holds(c.Role()) != (i == 0) || c.Position() != i || c.Revoked || c.Unread() || c.Reason == model.UnlessOld || c.Mode() == layout.Read {
			return false
		}
	}
	return m.Claims[0].PathIs(znode.Join(m.Path, m.Claims[0].Node()))
}

// gathers takes a state into the stretch, where it belongs to one.
func (f *follower) gathers(s *znode.Snapshot, n *znode.Node, at Moment) bool {
	if !f.plain || !f.alone || !at.From.IsZero() || n == nil || len(n.Children) == 0 || !onlyMoves(f.seen, n) {
		return false
	}
	f.stretch = append(f.stretch, seenState{s, n, at})
	f.seen = n
	if len(f.stretch) >= max(leastMany, 2*len(f.model.Claims)) || at.At.Sub(f.stretch[0].at.At) >= longest {
		f.flush()
	}
	return true
}

// moves goes through the children that one of two states of a directory has and the other lacks; with changed, those that
// are in both and differ.
func moves(was, is *znode.Node, gone, came, changed func(*znode.Node)) {
	a, b := was.Children, is.Children
	for len(a) > 0 || len(b) > 0 {
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		case a[0] != b[0]:
			order = strings.Compare(a[0].Name, b[0].Name)
		}
		switch {
		case order < 0:
			gone(a[0])
			a = a[1:]
		case order > 0:
			came(b[0])
			b = b[1:]
		default:
			if a[0] != b[0] {
				changed(b[0])
			}
			a, b = a[1:], b[1:]
		}
	}
}

// onlyMoves reports whether children without children came to a directory or went, and nothing else changed in it.
func onlyMoves(was, is *znode.Node) bool {
	if was == nil {
		return false
	}
	only := was.Czxid == is.Czxid && was.Version == is.Version
	moves(was, is, func(*znode.Node) {}, func(n *znode.Node) { only = only && len(n.Children) == 0 }, func(*znode.Node) { only = false })
	return only
}

// flush takes in what was gathered: together, or where that cannot tell all of it, state by state.
func (f *follower) flush() {
	g := f.stretch
	f.stretch = nil
	if len(g) == 0 || len(g) > 1 && f.together(g) {
		return
	}
	for _, x := range g {
		f.take(x.snap, x.at, false)
	}
}

// together takes a stretch in; false, with nothing changed, where the line as it was in between is not told by that.
func (f *follower) together(g []seenState) bool {
	before, last := f.res, g[len(g)-1]
	all, ok := union(f.line, g)
	if !ok {
		return false
	}
	order := f.below(last.snap, around(last.snap, f.dir, f.path, all), before)
	now := f.below(last.snap, only(last.snap, f.dir, f.path), before)
	if !plain(order) || !plain(now) || len(order.Claims) != len(all.Children) || order.Kind != f.model.Kind || now.Kind != order.Kind || !within(f.model, order) || !within(now, order) {
		f.res = before
		return false
	}
	f.replay(g, order)
	at := last.at
	at.From = f.lookedAt
	f.settle(now, last, at)
	f.out.Together += len(g) - 1
	return true
}

// union is a line with all that stood in it at any time of a stretch; false: one name stood in it twice.
func union(line *znode.Node, g []seenState) (*znode.Node, bool) {
	all, ok := *g[len(g)-1].node, true
	all.Children = slices.Clone(line.Children)
	was := line
	for _, x := range g {
		moves(was, x.node, func(*znode.Node) {}, func(n *znode.Node) { all.Children = append(all.Children, n) }, func(*znode.Node) { ok = false })
		was = x.node
	}
	slices.SortFunc(all.Children, func(a, b *znode.Node) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(all.Children); i++ {
		ok = ok && all.Children[i-1].Name != all.Children[i].Name
	}
	znode.CountChildren(&all)
	return &all, ok
}

// within reports whether the claims of a line are, in the same order, among those of a longer one.
func within(m, all *model.Model) bool {
	i := 0
	for j := range all.Claims {
		if i < len(m.Claims) && m.Claims[i].ID() == all.Claims[j].ID() {
			i++
		}
	}
	return i == len(m.Claims)
}

// replay tells of each change of a stretch who came, went and held; order is the line of all who stood in it.
func (f *follower) replay(g []seenState, order *model.Model) {
	place := make(map[string]int, len(order.Claims))
	stays := make([]*Stay, len(order.Claims)) // of those that are there
	for i := range order.Claims {
		c := &order.Claims[i]
		place[c.Node()], stays[i] = i, f.here[c.ID()]
	}
	count, was, head := len(f.here), f.line, 0
	for _, x := range g {
		var came []int
		moves(was, x.node, func(n *znode.Node) {
			if i, claims := place[n.Name]; claims {
				s := stays[i]
				s.Left, s.How = x.at, ending(s, x.at.By())
				delete(f.here, s.Claim)
				stays[i] = nil
				count--
			}
		}, func(n *znode.Node) {
			if i, claims := place[n.Name]; claims {
				came = append(came, i)
				count++
			}
		}, nil)
		was = x.node
		slices.Sort(came)
		for _, i := range came {
			stays[i] = f.arrive(order.Kind, &order.Claims[i], count, x.at, false)
			stays[i].Role, head = order.Claims[i].Role(), min(head, i)
		}
		for _, i := range came {
			stays[i].Position = present(stays[:i])
		}
		for head < len(stays) && stays[head] == nil {
			head++
		}
		f.first(stays, head, order, x.at)
	}
}

// first notes who is first in line, and that the others are not.
func (f *follower) first(stays []*Stay, head int, order *model.Model, at Moment) {
	if head == len(stays) {
		f.nobody(true, at.At)
		return
	}
	s := stays[head]
	s.Role = order.Claims[0].Role()
	if s.Held.At.IsZero() {
		s.Held = at
	}
	f.nobody(false, at.At)
}

// present counts those that are there.
func present(stays []*Stay) (n int) {
	for _, s := range stays {
		if s != nil {
			n++
		}
	}
	return n
}

// settle takes in how the line stands at the end of a stretch.
func (f *follower) settle(m *model.Model, last seenState, at Moment) {
	for i := range m.Claims {
		c := &m.Claims[i]
		s := f.here[c.ID()]
		s.Owner, s.Session, s.Role = f.name(c), c.Session, c.Role()
	}
	f.findings(m, at)
	f.looked(m, last.node, last.at)
}

// looked notes what was decoded last.
func (f *follower) looked(m *model.Model, line *znode.Node, at Moment) {
	if m != nil {
		f.work += len(m.Claims)
	}
	f.model, f.line, f.lookedAt, f.plain = m, line, at.At, f.work >= busyFrom && plain(m)
}
