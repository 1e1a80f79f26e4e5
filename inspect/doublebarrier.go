package inspect

import (
	"slices"
	"strings"
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
// or one that is older than every member, was left behind: whoever comes is let in at once.
//
// Members of any names that stand alone below a word that says barrier are taken for a double barrier that gathers,
// and not for a group, although all of them are ephemeral: the documents have them there before ready is made, which
// is when people look because nothing goes on, a barrier of one znode has no children, and no library puts a group
// there.
var doubleBarrierKind = kindRow{kind: DoubleBarrier, weigh: weighDoubleBarrier, build: buildDoubleBarrier}

func weighDoubleBarrier(x *dir) []Evidence {
	s, ready := x.count(), x.node.Child("ready")
	says := x.words.whole == Barrier || x.words.whole == DoubleBarrier
	bare := s.bareHex + s.bareUUID
	if s.barriers > 0 && ready == nil && s.ephemeral == 0 {
		return nil // barriers are in it, and not members
	}
	switch {
	case ready != nil && !ready.Ephemeral() && s.all > 0 && (s.ephemeral+s.processes == s.all || bare > 0 && bare == s.ephemeral) &&
		len(x.set)+len(x.line.queue) == 0:
		return []Evidence{{DoubleBarrier, 2, "it has ready, and its other children come and go with sessions"}}
	case ready != nil && s.all == 0 && barrierInPath(x.path):
		return []Evidence{{DoubleBarrier, 1.5, "it has ready and the path says barrier"}}
	case bare > 0 && bare == s.ephemeral && barrierInPath(x.path):
		return []Evidence{{DoubleBarrier, 1.5, "its children are bare ids and the path says barrier"}}
	case bare > 0 && bare == s.ephemeral && x.hostPids():
		return []Evidence{{DoubleBarrier, 1.5, "its children are bare ids whose data is a host and a process id"}}
	case says && s.all > 0 && (s.ephemeral == s.all || s.processes > 0 && s.ephemeral+s.processes+s.idle == s.all && !x.collects()) &&
		len(x.line.queue)+len(x.set) == 0:
		return []Evidence{{DoubleBarrier, 1, "its children come and go with sessions and the path says " + Printable(x.words.word)}}
	}
	return nil
}

// collects reports whether the directory's own name says that barriers are in it, and not members.
func (x *dir) collects() bool {
	return wholeWord(x.node.Name) != "" && strings.HasSuffix(strings.ToLower(x.node.Name), "s")
}

// barrierInPath reports whether some word of a path says barrier.
func barrierInPath(path string) bool { return strings.Contains(strings.ToLower(path), "barrier") }

// hostPids reports whether every ephemeral child's data is what kazoo writes by itself: a host name, a dash, a
// process id.
func (x *dir) hostPids() bool {
	for _, c := range x.node.Children {
		if furniture[c.Name] || !c.Ephemeral() {
			continue
		}
		at := strings.LastIndexByte(string(c.Data), '-')
		if at <= 0 || !allDigits(string(c.Data[at+1:])) || len(c.Data)-at > 8 || isUUID(string(c.Data)) {
			return false
		}
	}
	return true
}

func buildDoubleBarrier(x *dir, why []Evidence) *Model {
	d, sure := x.barrierDialect()
	b := x.recipe(DoubleBarrier, x.placed(d), sure, why)
	x.parts = all
	ready := x.node.Child("ready")
	var members []*Node
	idle := 0
	for _, c := range x.node.Children {
		switch {
		case furniture[c.Name]:
		case c.Ephemeral(), allEphemeral(c):
			members = append(members, c)
		case len(c.Children) == 0 && x.hint.kind() != DoubleBarrier && (x.words.whole == "" || d != ZooKeeper):
			b.model.Foreign = append(b.model.Foreign, c.Name)
		default:
			idle++ // a process that has not entered, or has left
		}
	}
	byArrival(members)
	for _, n := range members {
		b.member(n, ready)
	}
	b.number("present", len(members))
	b.expected(members, ready)
	b.staleReady(members, ready)
	b.missing()
	return b.finish(b.barrierState(members, ready))
}

// barrierDialect tells Curator's, kazoo's and the documents' barriers apart.
func (x *dir) barrierDialect() (Dialect, float64) {
	s := x.count()
	switch {
	case s.bareUUID > 0 && s.bareUUID == s.ephemeral:
		return Curator, 0.9
	case s.bareHex > 0 && s.bareHex == s.ephemeral:
		return Kazoo, 0.9
	case s.all == 0 && x.prev != nil:
		return x.prev.Dialect, 0.7
	}
	return ZooKeeper, 0.7
}

// member adds a member, with the session of the znode that is ephemeral.
func (b *builder) member(n, ready *Node) {
	why := hasCome
	if ready != nil && olderThan(n, ready) {
		why = thereAtOpening
	} else if ready != nil {
		why = cameLater
	}
	c := b.claim(n, Join(b.path, n.Name), Member, why)
	if !n.Ephemeral() && len(n.Children) > 0 {
		b.on(c, n.Children[0])
		if name := nameIn(n.Children[0].Data, nil); name == "" {
			c.called(n.Name, FromNode) // the process's node is named after it
		}
	}
}

func olderThan(a, b *Node) bool { return a.Czxid != 0 && b.Czxid != 0 && a.Czxid < b.Czxid }

// expected notes how many were needed, as far as that can be told.
func (b *builder) expected(members []*Node, ready *Node) {
	if b.hint != nil && b.hint.Needed > 0 {
		b.number("needed", b.hint.Needed)
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
	b.model.detailed().ready = ready.Czxid
	known := b.leftSince(members, ready) == No
	switch was := b.sameBarrier(); {
	case was == nil:
	case was.detail().ready != ready.Czxid:
		known = true // it was seen to open
	case !b.emptied():
		before, told := was.Numbers.Get("needed")
		n, known = max(n, int(before)), known || told
	}
	if n > 0 && known {
		b.number("needed", n)
	}
}

// sameBarrier is the barrier in the earlier picture; nil: there is none.
func (b *builder) sameBarrier() *Model {
	if p := b.prev; p != nil && p.Kind == DoubleBarrier && p.Czxid == b.node.Czxid {
		return p
	}
	return nil
}

// nothingWent reports whether the directory's stat tells that none of its children ever went: every creation and every
// deletion counts one.
func (b *builder) nothingWent() bool {
	return b.node.HasCversion && int(b.node.Cversion) == len(b.node.Children)
}

// lastCame is the transaction that made the youngest of the children; 0: not known.
func (b *builder) lastCame() (last Zxid) {
	for _, c := range b.node.Children {
		if c.Czxid == 0 || c.Has(Numbered) {
			return 0
		}
		last = max(last, c.Czxid)
	}
	return last
}

// leftSince reports whether a member left since ready was made, as far as the directory's stat tells. Members that are
// directories themselves leave by what is below them, which does not show in it.
func (b *builder) leftSince(members []*Node, ready *Node) Answer {
	last, changed := b.lastCame(), b.node.Pzxid
	switch {
	case slices.ContainsFunc(members, func(n *Node) bool { return !n.Ephemeral() }):
		return NotKnown
	case b.nothingWent():
		return No
	case last == 0 || changed == 0:
		return NotKnown
	case changed == ready.Czxid:
		return No
	case changed > last:
		return Yes
	}
	return NotKnown
}

// arrival reports whether the last change below the directory was that somebody came.
func (b *builder) arrival() Answer {
	last, changed := b.lastCame(), b.node.Pzxid
	switch {
	case b.nothingWent(), last != 0 && changed == last:
		return Yes
	case last != 0 && changed > last:
		return No
	}
	return NotKnown
}

// staleReady finds a ready that was left behind.
func (b *builder) staleReady(members []*Node, ready *Node) {
	if ready == nil || slices.ContainsFunc(members, func(c *Node) bool { return olderThan(c, ready) || c.Czxid == 0 || ready.Czxid == 0 }) {
		return
	}
	if b.prev != nil && b.prev.Kind == DoubleBarrier && b.prev.detail().ready == ready.Czxid && b.prev.Numbers.Of("needed") > 0 &&
		len(members) > 0 && !b.emptied() {
		return // those who were there when it opened have left since
	}
	text := "ready was left behind and nobody is there"
	severity := Medium
	if len(members) > 0 {
		text, severity = "ready is older than every member", High
	}
	b.model.Findings = append(b.model.Findings, Finding{Code: CodeStaleReady, Severity: severity,
		Text: text + ": whoever comes is let in at once", Paths: []string{Join(b.path, "ready")}})
}

// emptied reports whether the room was seen empty although ready stood: whoever comes then belongs to the next round.
func (b *builder) emptied() bool {
	return len(b.prev.Claims) == 0 || b.prev.finding(CodeStaleReady) != nil
}

// barrierState is the state of a double barrier. Where no earlier picture and no stat tells whether its members leave
// already, the model says so.
func (b *builder) barrierState(members []*Node, ready *Node) State {
	if len(members) == 0 {
		return Idle
	}
	within := ready != nil
	was := b.sameBarrier()
	if was != nil {
		fewer := len(members) < len(was.Claims)
		if was.State == Leaving && len(members) <= len(was.Claims) || was.State == Inside && (fewer || !within) {
			return Leaving
		}
	}
	state := Gathering
	if within {
		state = Inside
	}
	if was != nil && (was.State != state || !was.detail().mayLeave) {
		return state
	}
	switch d := b.model.Dialect; {
	case within && d == Kazoo: // whoever leaves first removes ready
	case within:
		left := b.leftSince(members, ready)
		if left == Yes {
			return Leaving
		}
		b.mayLeave(left == NotKnown)
	default:
		came := b.arrival()
		b.mayLeave(came == No || came == NotKnown && d != Curator) // Curator's ready goes last
	}
	return state
}

// lostMembers tells of members of a double barrier that were seen to go with their sessions, and that have not come back:
// they did not leave by themselves. It is forgotten when the room is empty.
func (b *builder) lostMembers() {
	m := b.model
	if m.Kind != DoubleBarrier || m.more == nil {
		return
	}
	var lost []string
	for i := range m.more.handovers {
		h := &m.more.handovers[i]
		h.past = h.past || len(m.Claims) == 0
		if h.lost && !h.past && h.owner != "" && !slices.Contains(lost, h.owner) && !slices.ContainsFunc(m.Claims, func(c Claim) bool { return c.Owner() == h.owner }) {
			lost = append(lost, h.owner)
		}
	}
	if len(lost) == 0 {
		return
	}
	text, severity := list(lost)+choose(len(lost), " was", " were")+" there, and "+choose(len(lost), "its session is", "their sessions are")+" gone: ", Low
	if m.State == Gathering {
		severity = Medium
		text += "those who have come wait until " + choose(len(lost), "it is", "they are") + " back, or others come instead"
	} else {
		text += choose(len(lost), "it", "they") + " did not leave by " + choose(len(lost), "itself", "themselves") + ", and may not have ended what was to be done inside"
	}
	b.add(CodeParticipantLost, severity, text)
}

func (b *builder) mayLeave(yes bool) {
	if yes {
		b.model.detailed().mayLeave = true
	}
}

// Phase says in words what the members of a double barrier do: its state, and where one look does not tell, the other one
// that it may be.
func (m *Model) Phase() string {
	if m.detail().mayLeave {
		return string(m.State) + " or " + string(Leaving)
	}
	return string(m.State)
}
