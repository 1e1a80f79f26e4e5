package inspect

import "slices"

// lineView is a line being turned into a model: what locks, read/write locks and elections share.
type lineView struct {
	builder
	turns []turn
	alone bool // a recipe that is one znode

	movers map[SessionID]bool // sessions whose claims here came or went since the picture before; nil: not looked for
}

// roles of the two ends of a line, by kind.
func lineRoles(k Kind) (first, rest Role) {
	if k == Election {
		return Leader, Candidate
	}
	return Holder, Waiter
}

// buildLine makes the model of a line of one of the three kinds.
func (x *dir) buildLine(kind Kind, evidence []Evidence) *Model {
	return x.view(kind, x.path).build(evidence)
}

// view prepares the model of a line whose claims are in the directory base.
func (x *dir) view(kind Kind, base string) *lineView {
	b := x.builder(kind, x.dialect())
	b.base = base
	return &lineView{builder: *b, turns: x.line.turns()}
}

func (v *lineView) build(evidence []Evidence) *Model {
	m := v.model
	for _, e := range evidence {
		m.Why = append(m.Why, e.Why)
	}
	m.Claims = make([]Claim, len(v.line.queue))
	v.home = &home{dir: v.base, model: m}
	v.outOfOrder()
	for i := range v.line.queue {
		v.fill(i)
	}
	for i := range m.Claims {
		v.explain(i)
	}
	m.Confidence = v.confidence(evidence)
	v.count()
	v.volatile = v.unsettled()
	if v.alone && m.Kind == Election && (v.place == nil || v.place.ID != "KAFKA-PART") {
		v.follow(v.path)
	}
	for _, check := range lineChecks {
		check(v)
	}
	m.Findings = settleFindings(m.Findings)
	return m
}

// dialect is the hinted one, else that of the line's first claim, else the one seen here before.
func (x *dir) dialect() Dialect {
	switch {
	case x.hint != nil && x.hint.Dialect != "":
		return x.hint.Dialect
	case len(x.line.queue) > 0 && x.place == nil && x.line.queue[0].layout.ID == "GO-LOCK" && len(x.node.Data) > 0:
		return Libkv // it keeps the lock's value in the lock's directory
	case len(x.line.queue) > 0:
		return x.placed(x.line.queue[0].layout.Dialect)
	case x.place != nil && x.place.Dialect != "":
		return x.place.Dialect
	case x.prev != nil:
		return x.prev.Dialect
	}
	return Generic
}

// confidence is how sure the names are, less where only a default decided the kind.
func (v *lineView) confidence(evidence []Evidence) float64 {
	if v.hint.kind() == v.model.Kind {
		return 1
	}
	queue := v.line.queue
	if len(queue) == 0 {
		return 0.5
	}
	sum, open := 0.0, false
	for i := range queue {
		sum += queue[i].layout.Sure
		open = open || queue[i].layout.Also != "" && v.model.Kind != SharedLock
	}
	sure := sum / float64(len(queue))
	switch {
	case v.model.Dialect == Generic:
		sure = min(sure, 0.3)
	case open && len(evidence) < 2:
		sure -= 0.2
	}
	if v.line.wrapped() {
		sure = min(sure, 0.5)
	}
	return float64(int(sure*100+0.5)) / 100
}

// wrapped reports whether the counter turned negative while the line stood.
func (l *line) wrapped() bool {
	for i := range l.queue {
		if l.queue[i].Seq < 0 {
			return true
		}
	}
	return false
}

// count notes the directory's next number and how many are left, or who watches a claim that stands alone.
func (v *lineView) count() {
	if len(v.line.queue) == 1 && v.line.queue[0].node == v.node {
		if v.snap.listsWatches() {
			v.number("watchers", v.watchers(v.snap.Watches[v.path], v.node.Owner))
		}
		return
	}
	if next, _, known := v.node.NextSequence(); known {
		v.model.Numbers.set("nextSeq", next)
		v.model.Numbers.set("seqLeft", 1<<31-next)
	}
}

// fill makes a claim of the place at index i: everything but what it says of other claims.
func (v *lineView) fill(i int) {
	p, c := &v.line.queue[i], &v.model.Claims[i]
	first, rest := lineRoles(v.model.Kind)
	c.node, c.home, c.position = p.node, v.home, int32(i)
	if v.turns[i].why == downgraded && !v.reads(c) {
		v.turns[i] = turn{watch: 0, from: 0, to: 1, why: mayRead}
	}
	if !v.turns[i].holds {
		first = rest
	}
	c.role, c.mode = placeIn(roleWords, first), placeIn(modeWords, v.mode(p))
	c.Seq, c.HasSeq = int64(p.Seq), p.HasSeq
	v.stamp(c, p.node)
	v.callAfter(c, p.node, p.layout)
	if v.model.Kind != Election {
		v.revocation(c, p)
	}
	v.memo.recall(c, v.model.Kind, v.decoder)
	v.waitsSince(i)
	if was := v.memo.find(c); was != nil && was.OwnerSource() == FromData && isRevokeWord(p.node.Data) {
		c.called(was.Owner(), FromData) // the word took the name's place
	}
}

// mode is how a claim of the line excludes others.
func (v *lineView) mode(p *place) Mode {
	switch {
	case p.layout.Mode != "":
		return p.layout.Mode
	case v.model.Kind == Lock:
		return Exclusive
	case v.model.Kind == SharedLock:
		return Write
	}
	return ""
}

// stamp copies what the znode itself says.
func (d *decoder) stamp(c *Claim, n *Node) {
	c.Session = n.Owner
	for _, id := range d.own {
		c.Mine = c.Mine || id == n.Owner
	}
}

// explain says why a claim holds or waits, for whom, and how sure that is.
func (v *lineView) explain(i int) {
	t, c := &v.turns[i], &v.model.Claims[i]
	c.reason = t.why
	if v.line.queue[i].ambiguous {
		defer func() {
			c.say(c.Why() + "; its number is ambiguous, since no counter gives out 2147483648: it is read as " + seqOf(c))
		}()
	}
	if t.holds {
		v.doubt(c)
		if t.why == lowest && i+1 < len(v.turns) && v.line.tie(i, i+1) {
			c.tied = v.line.tieRule(i)
		}
		return
	}
	c.blocked(t.from, t.to)
	if t.why == behindLater {
		v.proveLate(c)
		return
	}
	ahead := &v.model.Claims[t.watch]
	was := v.memo.find(c)
	if was != nil && was.Ahead() != nil && was.Ahead().at(ahead) {
		c.behind, c.blank, c.worth = was.behind, was.blank, was.worth&^still
	} else if !v.first {
		v.movedUp(c, was, ahead)
	}
	if at, moved := v.moves(c.Session); moved && at >= c.behind+apart {
		c.mark(lively, true)
	}
	hidden := v.line.mixed || v.model.Dialect == Generic || v.line.queue[i].layout.Watch == WatchesParent || c.veiled()
	c.proof = placeIn(proofWords, v.proof(c, ahead, hidden))
	if v.line.tie(t.watch, i) {
		c.tied = v.line.tieRule(i)
	}
	if t.why == mayRead {
		v.settleReader(i)
	}
}

// revocation says whether a claim can be asked to let go, whether it hears, and whether it was asked.
func (v *lineView) revocation(c *Claim, p *place) {
	if p.layout.Revoke == "" || v.place != nil && v.place.Durable {
		return
	}
	c.revocable = placeIn(revokeWords, p.layout.Revoke)
	c.Revoked = string(p.node.Data) == p.layout.Revoke
	c.hears = placeIn(hearingWords, v.hearing(c, p))
}

// hearing says whether a claim's owner listens for the word. A watch on its own znode is how all of them do; it proves that
// only where nothing else is watched for so, as clients do that want to see their claim go.
func (v *lineView) hearing(c *Claim, p *place) Hearing {
	was := v.memo.find(c)
	watches := c.Session != 0 && slices.Contains(v.watchesOn(c), c.Session)
	bare := len(p.node.Data) == 0 && !p.node.Has(Unreadable) && !p.node.Has(DataOmitted)
	switch {
	case watches && (p.layout.Dialect == Zktools || p.layout.Revoke == RevokeCurator && bare):
		return HearsProven
	case watches && c.Revoked && was != nil && was.Hears() != HearsUnknown:
		return was.Hears() // the word took the place of the data that would tell
	case watches && (p.layout.Revoke == RevokeUnlock || c.Revoked):
		return HearsLikely
	case v.snap.Watches != nil && v.listed:
		return HearsUnlikely
	case p.layout.Revoke == RevokeUnlock, bare:
		return HearsLikely
	case c.Revoked && was != nil && was.Hears() != HearsUnknown:
		return was.Hears()
	}
	return HearsUnlikely
}

// claimMemory finds a recipe's earlier claims by identity. Claims are asked for in an order close to
// the old one, so most are found where the last one was left.
type claimMemory struct {
	old   *Model
	next  int
	byKey *claimTable
}

// newClaimMemory remembers a model unless its directory was made anew since.
func newClaimMemory(old *Model, n *Node) claimMemory {
	if old == nil || old.Czxid != n.Czxid {
		return claimMemory{}
	}
	return claimMemory{old: old}
}

func (m *claimMemory) find(c *Claim) *Claim {
	if m.old == nil {
		return nil
	}
	claims := m.old.Claims
	for i := m.next; i < len(claims) && i < m.next+4; i++ {
		if claims[i].same(c) {
			m.next = i
			return &claims[i]
		}
	}
	if m.byKey == nil {
		t := claimsByKey(m.old)
		m.byKey = &t
	}
	was := m.byKey.of(c)
	if was != nil {
		m.next = was.Position()
	}
	return was
}

// recall carries over what was seen of a claim in this run: since when it has its role, whether it held
// before, whether the servers were asked since it came.
func (m *claimMemory) recall(c *Claim, kind Kind, d *decoder) {
	was := m.find(c)
	if was == nil {
		if c.settled = d.first; !d.first {
			c.seen, c.fresh = momentOf(d.snap.TakenAt), d.streaming
		}
		return
	}
	if c.seen = was.seen; was.Session != c.Session { // an item in other hands
		c.seen = momentOf(d.snap.TakenAt)
	}
	c.settled = was.settled && was.Session == c.Session || d.aux && (c.seen == 0 || d.snap.AskedAt.IsZero() || momentOf(d.snap.AskedAt) > c.seen)
	c.held = was.held || holding(was.Role()) && !holding(c.Role())
	c.held = c.held && !holding(c.Role())
	switch {
	case was.Role() == c.Role(), m.old.Kind != kind && holding(was.Role()) == holding(c.Role()):
		c.tookRole(was.Since())
		c.SinceSeen, c.fresh = was.SinceSeen, was.fresh
	case d.streaming:
		c.tookRole(d.snap.TakenAt)
		c.SinceSeen = true
	}
}

func holding(r Role) bool { return r == Holder || r == Leader }
