package inspect

import "sort"

// builder turns a directory into a model: what all kinds share.
type builder struct {
	*dir
	base  string // the directory that the claims are in
	model *Model
	memo  claimMemory
	home  *home // of the claim that was added last

	payload bool // the data of claims is no name: that it is large or secret is no finding
}

// builder prepares the model of a recipe of a kind.
func (x *dir) builder(kind Kind, d Dialect) *builder {
	m := &Model{Path: x.path, Kind: kind, Dialect: d, Czxid: x.node.Czxid}
	return &builder{dir: x, base: x.path, model: m, memo: newClaimMemory(x.prev, x.node)}
}

// recipe prepares the model of a recipe that is no line, with its evidence. A hint decides the dialect
// and leaves no doubt about the kind.
func (x *dir) recipe(kind Kind, d Dialect, sure float64, evidence []Evidence) *builder {
	if x.hint != nil && x.hint.Dialect != "" {
		d = x.hint.Dialect
	}
	b := x.builder(kind, d)
	b.model.Confidence = sure
	if x.hint.kind() == kind {
		b.model.Confidence = 1
	}
	for _, e := range evidence {
		b.model.Why = append(b.model.Why, e.Why)
	}
	return b
}

// claim adds the claim of a znode. The pointer is good until the next call.
func (b *builder) claim(n *Node, path string, role Role, why reason) *Claim {
	if b.model.Claims == nil {
		b.model.Claims = make([]Claim, 0, max(1, len(b.node.Children)))
	}
	b.model.Claims = append(b.model.Claims, Claim{node: n, home: b.homeOf(n, path), role: placeIn(roleWords, role), reason: why})
	c := &b.model.Claims[len(b.model.Claims)-1]
	b.stamp(c, n)
	b.callAfter(c, n, nil)
	return c
}

// homeOf returns what the claims of a directory share, given the path of one of them.
func (b *builder) homeOf(n *Node, path string) *home {
	dir, ok := cutSuffix(path, "/"+n.Name)
	switch {
	case ok:
	case path == "/"+n.Name && n.Name != "":
		dir = "/"
	default:
		return &home{dir: path, whole: true, model: b.model}
	}
	if b.home == nil || b.home.dir != dir {
		b.home = &home{dir: dir, model: b.model}
	}
	return b.home
}

// callAfter gives a claim the name and address of whoever made a znode.
func (b *builder) callAfter(c *Claim, n *Node, l *Layout) {
	owner, source, addr := b.ownerOf(n, l)
	c.called(owner, source)
	c.Addr = addr
}

// item adds a claim whose data is a payload: no participant's name is looked for in it.
func (b *builder) item(n *Node, path string, role Role, why reason) *Claim {
	c := b.claim(n, path, role, why)
	bare := *n
	bare.Data = nil
	b.callAfter(c, &bare, nil)
	return c
}

// on makes a claim belong to whoever made another znode: a marker that says who works on it.
func (b *builder) on(c *Claim, marker *Node) {
	c.Session = marker.Owner
	c.Mine = false
	for _, id := range b.own {
		c.Mine = c.Mine || id == marker.Owner && id != 0
	}
	c.tookRole(marker.Ctime.Time())
	b.callAfter(c, marker, nil)
}

// seq notes the sequence number of a claim.
func (c *Claim) seq(n *Name) { c.Seq, c.HasSeq = int64(n.Seq), n.HasSeq }

// finish numbers the claims, recalls what was seen of them before and runs the checks that all kinds share.
func (b *builder) finish(state State) *Model {
	m := b.model
	m.State = state
	if b.node.unlisted() {
		m.State = Unknown
	}
	m.Claims = exact(m.Claims)
	for i := range m.Claims {
		c := &m.Claims[i]
		c.position = int32(i)
		since, known := c.since, !c.Since().IsZero()
		b.memo.recall(c, m.Kind, b.decoder)
		if was := b.memo.find(c); was != nil && c.Role() == Taken && known {
			c.since, c.SinceSeen = since, false // the marker of whoever works on it tells
		}
	}
	b.volatile = b.volatile || b.unsettled()
	b.owners()
	b.flapping()
	b.lostMembers()
	if b.payload {
		b.namesOnly()
	} else {
		b.unread()
	}
	m.Findings = settleFindings(m.Findings)
	return m
}

// unsettled reports whether the next news from the servers may settle what is only likely now.
func (v *builder) unsettled() bool {
	if !v.answered && !v.listed || v.snap.Watches == nil && v.snap.Sessions == nil {
		return false
	}
	for i := range v.model.Claims {
		if c := &v.model.Claims[i]; (!c.settled || c.Proof() == Likely) && c.Session != 0 {
			return true
		}
	}
	return false
}

// outsiders lists the children that are neither claims nor furniture.
func (b *builder) outsiders(isClaim func(*Node) bool) {
	for _, c := range b.node.Children {
		if !furniture[c.Name] && !isClaim(c) {
			b.model.Foreign = append(b.model.Foreign, c.Name)
		}
	}
	for _, c := range b.odd {
		b.model.Foreign = append(b.model.Foreign, c.Name)
	}
}

// foreignNote adds the finding about foreign children.
func (b *builder) foreignNote(s Severity, effect string) {
	m := b.model
	if len(m.Foreign) == 0 {
		return
	}
	f := Finding{Code: CodeForeignChildren, Severity: s, Text: plural(len(m.Foreign), "child is no part of it",
		"children are no part of it") + ": " + list(m.Foreign) + "; " + effect}
	for _, name := range m.Foreign[:min(len(m.Foreign), 10)] {
		f.Paths = append(f.Paths, Join(m.Path, name))
	}
	m.Findings = append(m.Findings, f)
}

// watching notes how many sessions watch the recipe's own znode, where that is known.
func (b *builder) watching() {
	if b.snap.listsWatches() {
		b.number("watchers", b.watchers(b.snap.Watches[b.path], b.node.Owner))
	}
}

// byArrival sorts znodes by creation.
func byArrival(nodes []*Node) {
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].Czxid < nodes[j].Czxid })
}

// number notes a number that was read; the unknown ones are left out.
func (b *builder) number(name string, v int) { b.model.Numbers.set(name, int64(v)) }

// exact returns a slice of the same elements without room for more.
func exact[E any](s []E) []E {
	if len(s) == cap(s) {
		return s
	}
	return append(make([]E, 0, len(s)), s...)
}
