package inspect

import "sort"

// builder turns a directory into a model: what all kinds share.
type builder struct {
	*dir
	base  string // the directory that the claims are in
	model *Model
	memo  claimMemory
	nodes []*Node // parallel to the model's claims: the znode that each was read from

	payload bool // the data of claims is no name: that it is large or secret is no finding
}

// builder prepares the model of a recipe of a kind.
func (x *dir) builder(kind Kind, d Dialect) *builder {
	m := &Model{Path: x.path, Kind: kind, Dialect: d, Czxid: x.node.Czxid, Numbers: map[string]int64{}}
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
func (b *builder) claim(n *Node, path string, role Role, why string) *Claim {
	b.model.Claims = append(b.model.Claims, Claim{Node: n.Name, Path: path, Role: role, Why: why})
	b.nodes = append(b.nodes, n)
	c := &b.model.Claims[len(b.model.Claims)-1]
	b.stamp(c, n)
	c.Owner, c.OwnerSource, c.Addr = b.ownerOf(n, nil)
	return c
}

// item adds a claim whose data is a payload: no participant's name is looked for in it.
func (b *builder) item(n *Node, path string, role Role, why string) *Claim {
	c := b.claim(n, path, role, why)
	bare := *n
	bare.Data = nil
	c.Owner, c.OwnerSource, c.Addr = b.ownerOf(&bare, nil)
	return c
}

// on makes a claim belong to whoever made another znode: a marker that says who works on it.
func (b *builder) on(c *Claim, marker *Node) {
	c.Session = marker.Owner
	c.Mine = false
	for _, id := range b.own {
		c.Mine = c.Mine || id == marker.Owner && id != 0
	}
	c.Since = marker.Ctime.Time()
	c.Owner, c.OwnerSource, c.Addr = b.ownerOf(marker, nil)
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
	for i := range m.Claims {
		c := &m.Claims[i]
		c.Position = i
		since := c.Since
		b.memo.recall(c, m.Kind, b.decoder)
		if was := b.memo.find(c.ID()); was != nil && c.Role == Taken && !since.IsZero() {
			c.Since, c.SinceSeen = since, false // the marker of whoever works on it tells
		}
	}
	b.volatile = b.volatile || b.unsettled()
	b.owners()
	b.flapping()
	if !b.payload {
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
		if c := &v.model.Claims[i]; (!c.settled || c.Proof == Likely) && c.Session != 0 {
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
		b.model.Numbers["watchers"] = int64(b.watchers(b.path, b.node.Owner))
	}
}

// byArrival sorts znodes by creation.
func byArrival(nodes []*Node) {
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].Czxid < nodes[j].Czxid })
}

// number notes a number that was read; the unknown ones are left out.
func (b *builder) number(name string, v int) { b.model.Numbers[name] = int64(v) }
