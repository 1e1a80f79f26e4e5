package inspect

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The double barrier: members gather until enough are there, begin together and leave together.
//
// Layouts, all of them children of the barrier's directory b:
//
//	b/<process>, ephemeral               the recipe document, any names; ours
//	b/<process>/<child>, the child       the document of primitives, which makes the process's node first and
//	ephemeral                            its ephemeral child below it: such a node without a child is no member
//	b/<uuid>                             Curator DistributedDoubleBarrier
//	b/<32 hex>                           kazoo DoubleBarrier, data <host>-<pid>
//	b/ready                              all of them: made by the last to come; everyone may enter
//
// How many must come is stored nowhere; whoever was there before ready was made was enough. Without ready
// the members gather or, in kazoo's layout, leave; with it they are inside or, in Curator's, leave. Which
// of the two follows from an earlier picture, and else from the directory's stat where that tells what came or
// went last; one look alone does not tell it, nor how many had come before some left. A ready without members,
// or one that is older than every member, was left behind: whoever comes is let in at once. Not so in kazoo: its
// enter counts the children, ready among them, and else waits until ready is made, and does not look whether it is
// there. One that came after ready was let in if that made enough, and else is let in by nothing; how many it takes
// only the clients know.
//
// Members of any names that stand alone below a word that says barrier are taken for a double barrier that gathers,
// and not for a group, although all of them are ephemeral: the documents have them there before ready is made, which
// is when people look because nothing goes on, a barrier of one znode has no children, and no library puts a group
// there.
var doubleBarrierKind = survey.KindRow{Kind: layout.DoubleBarrier, Weigh: weighDoubleBarrier, Build: buildDoubleBarrier}

func weighDoubleBarrier(x *survey.Dir) []survey.Evidence {
	s, ready := x.Count(), x.Node.Child("ready")
	says := x.Words.Whole.Gate() || x.Words.Whole.Together()
	bare := s.BareHex + s.BareUUID
	if s.Barriers > 0 && ready == nil && s.Ephemeral == 0 {
		return nil // barriers are in it, and not members
	}
	switch {
	case ready != nil && !ready.Ephemeral() && s.All > 0 &&
		(s.Ephemeral+s.Processes == s.All || bare > 0 && bare == s.Ephemeral) &&
		len(x.Set)+len(x.Line.Queue) == 0:
		return []survey.Evidence{{Kind: layout.DoubleBarrier, Weight: 2,
			Why: "it has ready, and its other children come and go with sessions"}}
	case ready != nil && s.All == 0 && barrierInPath(x.Path):
		return []survey.Evidence{{Kind: layout.DoubleBarrier, Weight: 1.5,
			Why: "it has ready and the path says barrier"}}
	case bare > 0 && bare == s.Ephemeral && barrierInPath(x.Path):
		return []survey.Evidence{{Kind: layout.DoubleBarrier, Weight: 1.5,
			Why: "its children are bare ids and the path says barrier"}}
	case bare > 0 && bare == s.Ephemeral && hostPids(x):
		return []survey.Evidence{{Kind: layout.DoubleBarrier, Weight: 1.5,
			Why: "its children are bare ids whose data is a host and a process id"}}
	case says && s.All > 0 && (s.Ephemeral == s.All || s.Processes > 0 && s.Ephemeral+s.Processes+
		s.Idle == s.All && !collects(x)) &&
		len(x.Line.Queue)+len(x.Set) == 0:
		return []survey.Evidence{{Kind: layout.DoubleBarrier, Weight: 1,
			Why: "its children come and go with sessions and the path says " + say.Printable(x.Words.Word)}}
	}
	return nil
}

// collects reports whether the directory's own name says that barriers are in it, and not members.
func collects(x *survey.Dir) bool {
	return layout.WholeWord(x.Node.Name) != "" && strings.HasSuffix(strings.ToLower(x.Node.Name), "s")
}

// barrierInPath reports whether some word of a path says barrier.
func barrierInPath(path string) bool { return strings.Contains(strings.ToLower(path), "barrier") }

// hostPids reports whether every ephemeral child's data is what kazoo writes by itself: a host name, a dash, a
// process id.
func hostPids(x *survey.Dir) bool {
	for _, c := range x.Node.Children {
		if layout.IsFurniture(c.Name) || !c.Ephemeral() {
			continue
		}
		at := strings.LastIndexByte(string(c.Data), '-')
		if at <= 0 || !layout.IsDigits(string(c.Data[at+1:])) || len(c.Data)-at > 8 || layout.IsUUID(string(c.Data)) {
			return false
		}
	}
	return true
}

func buildDoubleBarrier(x *survey.Dir, why []survey.Evidence) *model.Model {
	d, sure := barrierDialect(x)
	b := x.Recipe(layout.DoubleBarrier, x.DialectOr(d), sure, why)
	x.Parts = survey.AllChildren
	ready := x.Node.Child("ready")
	var members []*znode.Node
	idle := 0
	for _, c := range x.Node.Children {
		switch {
		case layout.IsFurniture(c.Name):
		case c.Ephemeral(), survey.AllEphemeral(c):
			members = append(members, c)
		case len(c.Children) == 0 && x.Hint.KindOf() != layout.DoubleBarrier &&
			(x.Words.Whole == "" || d != layout.ZooKeeper):
			b.Model.Foreign = append(b.Model.Foreign, c.Name)
		default:
			idle++ // a process that has not entered, or has left
		}
	}
	survey.ByArrival(members)
	doubted := outsideBefore(b)
	for _, n := range members {
		member(b, n, ready, doubted)
	}
	b.Number("present", len(members))
	expected(b, members, ready)
	staleReady(b, members, ready)
	b.CheckExpected()
	state := barrierState(b, members, ready)
	if state == model.Leaving {
		leavingSince(b)
	}
	return b.Finish(state)
}

// leavingSince notes when the first member was seen to leave.
func leavingSince(b *survey.Builder) {
	switch was := sameBarrier(b); {
	case was != nil && was.State == model.Leaving:
		b.Model.MakeDetail().Leaving = was.Detail().Leaving
	case was != nil:
		b.Model.MakeDetail().Leaving = b.Snap.TakenAt
	}
}

// barrierDialect tells Curator's, kazoo's and the documents' barriers apart.
func barrierDialect(x *survey.Dir) (layout.Dialect, float64) {
	s := x.Count()
	switch {
	case s.BareUUID > 0 && s.BareUUID == s.Ephemeral:
		return layout.Curator, 0.9
	case s.BareHex > 0 && s.BareHex == s.Ephemeral:
		return layout.Kazoo, 0.9
	case s.All == 0 && x.Prev != nil:
		return x.Prev.Dialect, 0.7
	}
	return layout.ZooKeeper, 0.7
}

// member adds a member, with the session of the znode that is ephemeral.
func member(b *survey.Builder, n, ready *znode.Node, doubted map[znode.Zxid]bool) {
	why := model.HasCome
	if ready != nil && olderThan(n, ready) {
		why = model.ThereAtOpening
	} else if ready != nil {
		why = model.CameLater
	}
	if b.Model.Dialect == layout.Kazoo && (why == model.CameLater || n.Czxid != 0 && doubted[n.Czxid]) {
		why = model.MayBeOutside
	}
	c := b.Claim(n, znode.Join(b.Path, n.Name), model.Member, why)
	if !n.Ephemeral() && len(n.Children) > 0 {
		b.GiveTo(c, n.Children[0])
		if name := layout.NameIn(n.Children[0].Data, nil); name == "" {
			c.SetOwner(n.Name, model.FromNode) // the process's node is named after it
		}
	}
}

// outsideBefore are the members that were not known to be inside in the earlier picture. A ready that goes or comes
// later does not change that: the watch of one that waits tells it once that ready went, and it waits on.
func outsideBefore(b *survey.Builder) map[znode.Zxid]bool {
	was := sameBarrier(b)
	if was == nil || was.Unsure() == 0 {
		return nil
	}
	out := map[znode.Zxid]bool{}
	for i := range was.Claims {
		if c := &was.Claims[i]; c.Reason == model.MayBeOutside {
			out[c.Czxid()] = true
		}
	}
	return out
}

func olderThan(a, b *znode.Node) bool { return a.Czxid != 0 && b.Czxid != 0 && a.Czxid < b.Czxid }

// expected notes how many were needed, as far as that can be told.
func expected(b *survey.Builder, members []*znode.Node, ready *znode.Node) {
	if b.Hint != nil && b.Hint.Needed > 0 {
		b.Number("needed", b.Hint.Needed)
		return
	}
	if ready == nil {
		return
	}
	n := 0
	for _, c := range members {
		if olderThan(c, ready) {
			n++
		}
	}
	b.Model.MakeDetail().Ready = ready.Czxid
	known := leftSince(b, members, ready) == model.No
	switch was := sameBarrier(b); {
	case was == nil:
	case was.Detail().Ready != ready.Czxid:
		known = true // it was seen to open
	case !emptied(b):
		before, told := was.Numbers.Get("needed")
		n, known = max(n, int(before)), known || told
	}
	if n > 0 && known {
		b.Number("needed", n)
	}
}

// sameBarrier is the barrier in the earlier picture; nil: there is none.
func sameBarrier(b *survey.Builder) *model.Model {
	if p := b.Prev; p != nil && p.Kind == layout.DoubleBarrier && p.Czxid == b.Node.Czxid {
		return p
	}
	return nil
}

// nothingWent reports whether the directory's stat tells that none of its children ever went: every creation and every
// deletion counts one.
func nothingWent(b *survey.Builder) bool {
	return b.Node.HasCversion && int(b.Node.Cversion) == len(b.Node.Children)
}

// lastCame is the transaction that made the youngest of the children; 0: not known.
func lastCame(b *survey.Builder) (last znode.Zxid) {
	for _, c := range b.Node.Children {
		if c.Czxid == 0 || c.Has(znode.Numbered) {
			return 0
		}
		last = max(last, c.Czxid)
	}
	return last
}

// leftSince reports whether a member left since ready was made, as far as the directory's stat tells. Members that are
// directories themselves leave by what is below them, which does not show in it.
func leftSince(b *survey.Builder, members []*znode.Node, ready *znode.Node) model.Answer {
	last, changed := lastCame(b), b.Node.Pzxid
	switch {
	case slices.ContainsFunc(members, func(n *znode.Node) bool { return !n.Ephemeral() }):
		return model.NotKnown
	case nothingWent(b):
		return model.No
	case last == 0 || changed == 0:
		return model.NotKnown
	case changed == ready.Czxid:
		return model.No
	case changed > last:
		return model.Yes
	}
	return model.NotKnown
}

// arrival reports whether the last change below the directory was that somebody came.
func arrival(b *survey.Builder) model.Answer {
	last, changed := lastCame(b), b.Node.Pzxid
	switch {
	case nothingWent(b), last != 0 && changed == last:
		return model.Yes
	case last != 0 && changed > last:
		return model.No
	}
	return model.NotKnown
}

// staleReady finds a ready that was left behind.
func staleReady(b *survey.Builder, members []*znode.Node, ready *znode.Node) {
	if ready == nil || slices.ContainsFunc(members, func(c *znode.Node) bool {
		return olderThan(c, ready) ||
			c.Czxid == 0 || ready.Czxid == 0
	}) {
		return
	}
	if b.Prev != nil && b.Prev.Kind == layout.DoubleBarrier && b.Prev.Detail().Ready == ready.Czxid &&
		b.Prev.Numbers.Of("needed") > 0 &&
		len(members) > 0 && !emptied(b) {
		return // those who were there when it opened have left since
	}
	text := "ready was left behind and nobody is there"
	severity := model.Medium
	comes := "whoever comes is let in at once"
	switch {
	case b.Model.Dialect == layout.Kazoo:
		comes = "kazoo counts it as a member and otherwise ignores it, so whoever comes may wait for ever"
	case len(members) == 0 && b.Model.Dialect != layout.Curator && (b.Hint == nil || b.Hint.Dialect == ""):
		comes += ", and a client of kazoo's may wait for ever" // nothing tells whose clients come
	}
	if len(members) > 0 {
		text, severity = "ready is older than every member", model.High
	}
	b.Model.Findings = append(b.Model.Findings, model.Finding{Code: model.CodeStaleReady, Severity: severity,
		Text: text + ": " + comes, Paths: []string{znode.Join(b.Path, "ready")}})
}

// emptied reports whether the room was seen empty although ready stood: whoever comes then belongs to the next round.
func emptied(b *survey.Builder) bool {
	return len(b.Prev.Claims) == 0 || b.Prev.Finding(model.CodeStaleReady) != nil
}

// barrierState is the state of a double barrier. Where no earlier picture and no stat tells whether its members leave
// already, the model says so.
func barrierState(b *survey.Builder, members []*znode.Node, ready *znode.Node) model.State {
	if len(members) == 0 {
		return model.Idle
	}
	if b.Model.Unsure() == len(members) {
		return model.Unknown
	}
	within := ready != nil
	was := sameBarrier(b)
	if was != nil {
		fewer := len(members) < len(was.Claims)
		if was.State == model.Leaving && len(members) <= len(was.Claims) ||
			was.State == model.Inside && (fewer || !within) {
			return model.Leaving
		}
	}
	state := model.Gathering
	if within {
		state = model.Inside
	}
	if was != nil && (was.State != state || !was.Detail().MayLeave) {
		return state
	}
	switch d := b.Model.Dialect; {
	case within && d == layout.Kazoo: // whoever leaves first removes ready
	case within:
		left := leftSince(b, members, ready)
		if left == model.Yes {
			return model.Leaving
		}
		mayLeave(b, left == model.NotKnown)
	default:
		came := arrival(b)
		mayLeave(b, came == model.No || came == model.NotKnown && d != layout.Curator) // Curator's ready goes last
	}
	return state
}

func mayLeave(b *survey.Builder, yes bool) {
	if yes {
		b.Model.MakeDetail().MayLeave = true
	}
}
