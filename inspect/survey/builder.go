package survey

import (
	"slices"
	"sort"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Builder turns a directory into a model: what all kinds share.
type Builder struct {
	*Dir
	Base  string // the directory that the claims are in
	Model *model.Model
	Memo  ClaimMemory // what was seen of its claims before
	Home  *model.Home // of the claim that was added last

	Payload bool // the data of claims is no name: that it is large or secret is no finding
}

// Builder prepares the model of a recipe of a kind.
func (x *Dir) Builder(kind layout.Kind, d layout.Dialect) *Builder {
	m := &model.Model{Path: x.Path, Kind: kind, Dialect: d, Czxid: x.Node.Czxid}
	return &Builder{Dir: x, Base: x.Path, Model: m, Memo: newClaimMemory(x.Prev, x.Node)}
}

// Recipe prepares the model of a recipe that is no line, with its evidence. A hint decides the dialect
// and leaves no doubt about the kind.
func (x *Dir) Recipe(kind layout.Kind, d layout.Dialect, sure float64, evidence []Evidence) *Builder {
	if x.Hint != nil && x.Hint.Dialect != "" {
		d = x.Hint.Dialect
	}
	b := x.Builder(kind, d)
	b.Model.Confidence = sure
	if x.Hint.KindOf() == kind {
		b.Model.Confidence = 1
	}
	for _, e := range evidence {
		b.Model.Why = append(b.Model.Why, e.Why)
	}
	return b
}

// Claim adds the claim of a znode. The pointer is good until the next call.
func (b *Builder) Claim(n *znode.Node, path string, role model.Role, why model.Reason) *model.Claim {
	if b.Model.Claims == nil {
		b.Model.Claims = make([]model.Claim, 0, max(1, len(b.Node.Children)))
	}
	b.Model.Claims = append(b.Model.Claims, model.NewClaim(n, b.homeOf(n, path), role, why))
	c := &b.Model.Claims[len(b.Model.Claims)-1]
	b.Stamp(c, n)
	b.NameAfter(c, n, nil)
	return c
}

// homeOf returns what the claims of a directory share, given the path of one of them.
func (b *Builder) homeOf(n *znode.Node, path string) *model.Home {
	dir, ok := layout.CutSuffix(path, "/"+n.Name)
	switch {
	case ok:
	case path == "/"+n.Name && n.Name != "":
		dir = "/"
	default:
		return &model.Home{Dir: path, Whole: true, Model: b.Model}
	}
	if b.Home == nil || b.Home.Dir != dir {
		b.Home = &model.Home{Dir: dir, Model: b.Model}
	}
	return b.Home
}

// NameAfter gives a claim the name and address of whoever made a znode.
func (b *Builder) NameAfter(c *model.Claim, n *znode.Node, l *layout.Layout) {
	owner, source, addr := b.OwnerOf(n, l)
	c.SetOwner(owner, source)
	c.Addr = addr
}

// Item adds a claim whose data is a payload: no participant's name is looked for in it.
func (b *Builder) Item(n *znode.Node, path string, role model.Role, why model.Reason) *model.Claim {
	c := b.Claim(n, path, role, why)
	bare := *n
	bare.Data = nil
	b.NameAfter(c, &bare, nil)
	return c
}

// GiveTo makes a claim belong to whoever made another znode: a marker that says who works on it.
func (b *Builder) GiveTo(c *model.Claim, marker *znode.Node) {
	c.Session = marker.Owner
	c.Mine = false
	for _, id := range b.own {
		c.Mine = c.Mine || id == marker.Owner && id != 0
	}
	c.SetRoleSince(marker.Ctime.Time())
	b.NameAfter(c, marker, nil)
}

// Finish numbers the claims, recalls what was seen of them before and runs the checks that all kinds share.
func (b *Builder) Finish(state model.State) *model.Model {
	m := b.Model
	m.State = state
	if b.Node.Unlisted() {
		m.State = model.Unknown
	}
	m.Claims = exact(m.Claims)
	for i := range m.Claims {
		c := &m.Claims[i]
		c.SetPosition(i)
		since, known := c.RoleSince, !c.Since().IsZero()
		b.Memo.Recall(c, m.Kind, b.Decoder)
		if was := b.Memo.Find(c); was != nil && known && (c.Role() == model.Taken || c.Role() == model.Vote) {
			c.RoleSince, c.RoleChangeSeen = since, false // the marker of whoever works on it tells, or when the vote was written
		}
	}
	b.Volatile = b.Volatile || b.Unsettled()
	b.CheckOwners()
	b.CheckFlapping()
	b.lostMembers()
	if b.Payload {
		b.namesOnly()
	} else {
		b.CheckUnread()
	}
	m.Findings = model.SettleFindings(m.Findings)
	return m
}

// Unsettled reports whether the next news from the servers may settle what is only likely now.
func (v *Builder) Unsettled() bool {
	if !v.answered && !v.Listed || v.Snap.Watches == nil && v.Snap.Sessions == nil {
		return false
	}
	for i := range v.Model.Claims {
		if c := &v.Model.Claims[i]; (!c.AskedSince || c.Proof() == model.Likely) && c.Session != 0 {
			return true
		}
	}
	return false
}

// ListForeign lists the children that are neither claims nor furniture.
func (b *Builder) ListForeign(isClaim func(*znode.Node) bool) {
	for _, c := range b.Node.Children {
		if !layout.IsFurniture(c.Name) && !isClaim(c) {
			b.Model.Foreign = append(b.Model.Foreign, c.Name)
		}
	}
	for _, c := range b.odd {
		b.Model.Foreign = append(b.Model.Foreign, c.Name)
	}
}

// NoteForeign adds the finding about foreign children.
func (b *Builder) NoteForeign(s model.Severity, effect string) {
	b.NoteForeignAs("child is not part of it", "children are not part of it", s, effect)
}

// NoteForeignAs adds it in a recipe's own words about one child, and about many.
func (b *Builder) NoteForeignAs(one, many string, s model.Severity, effect string) {
	m := b.Model
	if len(m.Foreign) == 0 {
		return
	}
	f := model.Finding{Code: model.CodeForeignChildren, Severity: s,
		Text: say.Plural(len(m.Foreign), one, many) + ": " + say.List(m.Foreign) + "; " + effect}
	for _, name := range m.Foreign[:min(len(m.Foreign), 10)] {
		f.Paths = append(f.Paths, znode.Join(m.Path, name))
	}
	m.Findings = append(m.Findings, f)
}

// CountWatchers notes how many sessions watch the recipe's own znode, where that is known.
func (b *Builder) CountWatchers() {
	if b.Snap.ListsWatches() {
		b.Number("watchers", b.Watchers(b.Snap.Watches[b.Path], b.Node.Owner))
	}
}

// ByArrival sorts znodes by creation.
func ByArrival(nodes []*znode.Node) {
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].Czxid < nodes[j].Czxid })
}

// Number notes a number that was read; the unknown ones are left out.
func (b *Builder) Number(name string, v int) { b.Model.Numbers.Set(name, int64(v)) }

// exact returns a slice of the same elements without room for more.
func exact[E any](s []E) []E {
	if len(s) == cap(s) {
		return s
	}
	return append(make([]E, 0, len(s)), s...)
}

// AddFinding adds a finding about claims of the recipe.
func (v *Builder) AddFinding(code string, s model.Severity, text string, claims ...*model.Claim) {
	f := model.Finding{Code: code, Severity: s, Text: text}
	for _, c := range claims {
		f.Paths = append(f.Paths, c.Path())
		if c.Session != 0 && !slices.Contains(f.Sessions, c.Session) {
			f.Sessions = append(f.Sessions, c.Session)
		}
	}
	v.Model.Findings = append(v.Model.Findings, f)
}

// Stamp copies what the znode itself says.
func (d *Decoder) Stamp(c *model.Claim, n *znode.Node) {
	c.Session = n.Owner
	for _, id := range d.own {
		c.Mine = c.Mine || id == n.Owner
	}
}

// WatchesOn returns the sessions that watch a claim's znode.
func (d *Decoder) WatchesOn(c *model.Claim) []znode.SessionID {
	if len(d.Snap.Watches) == 0 {
		return nil
	}
	d.path = c.AppendPath(d.path[:0])
	return d.Snap.Watches[string(d.path)]
}

// Watchers counts those of the sessions that watch a znode that are neither its owner nor ourselves.
func (d *Decoder) Watchers(watching []znode.SessionID, owner znode.SessionID) (n int) {
	for _, id := range watching {
		if id != owner && !slices.Contains(d.own, id) {
			n++
		}
	}
	return n
}

// OwnerOf returns the best name for whoever made a znode, where it comes from, and the client's address
// if known. The name is never blank; it is raw, as it was read.
func (d *Decoder) OwnerOf(n *znode.Node, l *layout.Layout) (owner, source, addr string) {
	addr = d.Snap.Sessions[n.Owner].Addr
	if n.Owner == 0 {
		addr = ""
	}
	if name := layout.NameIn(n.Data, l); name != "" {
		return name, model.FromData, addr
	}
	switch {
	case addr != "":
		return addr, model.FromAddress, addr
	case n.Owner != 0:
		return n.Owner.String(), model.FromSession, addr
	}
	if n.Name == "" {
		return "/", model.FromNode, addr
	}
	return n.Name, model.FromNode, addr
}
