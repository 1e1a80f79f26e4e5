package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// What happened, in Event.What. The words are stable.
const (
	EventAppeared      = "appeared"       // a recipe that was not there before
	EventRemoved       = "removed"        // a recipe that is no more
	EventJoined        = "joined"         // a claim that waits
	EventAcquired      = "acquired"       // a claim that holds now, or leads a line that nobody led
	EventLeaderChanged = "leader-changed" // another claim leads
	EventPromoted      = "promoted"       // a candidate that leads now although the former leader is still in line
	EventReleased      = "released"       // a holder whose own session deleted its claim
	EventSessionClosed = "session-closed" // a holder whose client closed the session
	EventLetGo         = "let-go"         // a holder that released or whose client closed the session: which is not known
	EventLost          = "lost"           // a holder whose session expired or ended, or whose claim another deleted
	EventGone          = "gone"           // a claim that went; how, or whether it held at all, is not known
	EventLeft          = "left"           // a waiter that left before its turn came
	EventRevokeAsked   = "revoke-asked"   // the revoke word was written
	EventRevokeObeyed  = "revoke-obeyed"  // a holder that was asked to let go has done so
	EventOwnerChanged  = "owner-changed"  // a participant's name in the data changed
)

// Diff says what changed between two results of the same tree, in the words that people use: one event,
// one readable line. The order is that of the recipes' paths; within a recipe departures come first.
// Without an earlier result, and while a tree is still being loaded, nothing can be said to have changed.
func Diff(prev, next *model.Result) []Event {
	if prev == nil || next == nil || prev.Snapshot.Loading() || next.Snapshot.Loading() {
		return nil
	}
	d := &differ{now: next.Snapshot.TakenAt, before: prev.Snapshot, snap: next.Snapshot,
		answered: next.Snapshot.ToldSessions()}
	d.gap, d.unseen = znode.Missed(prev.Snapshot, next.Snapshot)
	d.connection()
	old, new := &model.Cursor{List: prev.Models}, &model.Cursor{List: next.Models}
	for model.SkipShared(old, new); old.Model() != nil || new.Model() != nil; model.SkipShared(old, new) {
		d.step(model.StepBoth(old, new))
	}
	d.endings(next)
	return d.events
}

// step compares a recipe in two pictures, either of which may lack it.
func (d *differ) step(was, is *model.Model) {
	switch {
	case is == nil:
		d.removed(was)
	case was == nil:
		d.appeared(is)
	default:
		d.both(was, is)
	}
}

// differ gathers events.
type differ struct {
	now      time.Time
	before   *znode.Snapshot
	snap     *znode.Snapshot
	answered bool
	gap      znode.Gap
	unseen   bool // all that differs came about in the gap
	events   []Event

	owners map[znode.SessionID]bool // of ephemeral znodes in the later picture; nil: not looked for yet
}

func (d *differ) both(old, new *model.Model) {
	_, joint := old.Kind.Joint(new.Kind)
	switch {
	case old == new:
	case old.Kind.Leads() && new.Kind.Leads() && old.Single() && new.Single() && old.Czxid != new.Czxid:
		d.led(new, &old.Claims[0], &new.Claims[0], nil, false)
	case old.Kind.Gate() && new.Kind.Gate():
		d.barrierMoved(old, new)
	case old.Kind.Leads() && new.Kind.Leads() && (unmade(old) || unmade(new)):
		d.changed(old, new)
	case !joint && old.Czxid == new.Czxid && !old.Single() && !new.Single():
		// nothing happened to it but to our view
		d.note(new, nil, EventAppeared, "it is read as "+new.Kind.OneOf()+" now, no longer as "+old.Kind.OneOf())
	case !joint || old.Czxid != new.Czxid:
		d.removed(old)
		d.appeared(new)
	default:
		d.changed(old, new)
	}
}

// note adds an event; c is nil where it is about the recipe.
func (d *differ) note(m *model.Model, c *model.Claim, what, text string) *Event {
	e := Event{At: d.now, Path: m.Path, Kind: m.Kind, What: what, Text: text}
	if d.unseen {
		e.From = d.gap.From
	}
	if c != nil {
		e.Owner, e.Claim, e.Session = c.Owner(), c.ID(), c.Session
	}
	d.events = append(d.events, e)
	return &d.events[len(d.events)-1]
}

func (d *differ) appeared(m *model.Model) {
	if changesOf(m.Kind) != nil {
		d.cameAlone(m)
		return
	}
	switch {
	case unmade(m):
		d.note(m, nil, EventAppeared, "an election appeared: nobody leads")
	case !m.Single():
		d.note(m, nil, EventAppeared, m.Kind.OneOf()+" appeared")
	}
	for i := range m.Claims {
		d.arrived(m, &m.Claims[i], nil)
	}
}

func (d *differ) removed(m *model.Model) {
	if changesOf(m.Kind) != nil {
		d.wentAlone(m)
		return
	}
	free := mayHaveHeld(m, model.NewClaimTable(&model.Model{}), nil)
	for i := range m.Claims {
		d.departed(m, &m.Claims[i], free[i])
	}
	if !m.Single() {
		d.note(m, nil, EventRemoved, "the "+m.Kind.Words()+" is gone").Session = onlySession(m)
	}
}

// unmade reports whether the recipe is a leadership of one znode which nobody has made.
func unmade(m *model.Model) bool {
	return m.Kind.Leads() && len(m.Claims) == 0 && m.Czxid == 0 && m.Detail().Heirs != nil
}

// changed compares the claims of one recipe.
func (d *differ) changed(old, new *model.Model) {
	if compare := changesOf(new.Kind); compare != nil {
		compare(d, old, new)
		return
	}
	now, before := model.NewClaimTable(new), model.NewClaimTable(old)
	was, is := model.LeaderOf(old), model.LeaderOf(new)
	moved := was != nil && is != nil && !was.Same(is)
	leases := model.Passed(old, new)
	left := make(map[*model.Claim]bool, len(leases))
	for _, o := range leases {
		left[o] = true
	}
	free := mayHaveHeld(old, now, left)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.Of(c) == nil && !(moved && c.Same(was)) && !left[c] && !c.HasNote(model.NoteHasLease) {
			d.departed(new, c, free[i])
		}
	}
	if moved {
		d.led(new, was, is, before.Of(is), now.Of(was) != nil)
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		if moved && c.Same(is) {
			continue
		}
		if o := before.Of(c); o != nil {
			d.kept(new, o, c)
		} else if !c.HasNote(model.NoteHasLease) {
			d.arrived(new, c, leases[c])
		}
	}
}

// led notes a change of leader in one line: what became of the old one, who leads, after how long.
func (d *differ) led(m *model.Model, was, is, before *model.Claim, stays bool) {
	held := d.heldBy(was)
	name, other := say.Printable(is.Owner()), say.Printable(was.Owner())
	what, text := EventLeaderChanged, d.fate(was).of(other)+" → "+name+" leads"
	if stays {
		what, text = EventPromoted, name+" leads now, ahead of "+other+", which is still in line"
	}
	e := d.note(m, is, what, text)
	e.Held = held
	if before != nil {
		e.Waited = d.span(before.Since())
		if !before.Since().IsZero() {
			e.Text += " (waited " + d.lasted(before.Since()) + ")"
		}
	}
}

// arrived notes a claim that is new, or one that gained its role; before is nil for a new one.
func (d *differ) arrived(m *model.Model, c, before *model.Claim) {
	name := say.Printable(c.Owner())
	if !model.Holding(c.Role()) {
		d.note(m, c, EventJoined, name+" joined, "+say.Ordinal(c.Position()+1)+" in line")
		return
	}
	got, _ := verbs(m.Kind)
	text, but := name+" "+got, ""
	switch absent := d.absent(c); {
	case before != nil && absent != "":
		text, but = "it is the turn of "+name, ", but "+absent
	case c.Reason == model.UnlessOld:
		text, but = name+" may read now", ", or waits for a later writer"
	case c.Mode() == layout.Read:
		text = name + " acquired to read"
	}
	e := d.note(m, c, EventAcquired, text)
	if before != nil {
		e.Waited = d.span(before.Since())
		e.Text += d.after("", before.Since())
	}
	e.Text += but
}

// kept compares a claim with itself.
func (d *differ) kept(m *model.Model, old, new *model.Claim) {
	if !model.Holding(old.Role()) && model.Holding(new.Role()) {
		d.arrived(m, new, old)
	}
	name := say.Printable(new.Owner())
	switch {
	case old.Unread() || new.Unread(): // it was read meanwhile, or is not any more
	case !old.Revoked && new.Revoked:
		d.note(m, new, EventRevokeAsked, say.Printable(old.Owner())+" was asked to let go")
	case old.Revoked || new.Revoked || old.Owner() == new.Owner() || old.OwnerSource() != model.FromData:
	case new.OwnerSource() == model.FromData:
		d.note(m, new, EventOwnerChanged, say.Printable(old.Owner())+" calls itself "+name+" now")
	default:
		d.note(m, new, EventOwnerChanged, "the name of "+say.Printable(old.Owner())+" was overwritten; it is "+
			name+" now")
	}
}

// departed notes a claim that is gone; free says of a waiter that all ahead of it went as well.
func (d *differ) departed(m *model.Model, c *model.Claim, free bool) {
	name := say.Printable(c.Owner())
	fate := d.fate(c)
	if free && !model.Holding(c.Role()) {
		d.note(m, c, EventGone, name+" "+gone+fate.aside+"; whether it "+say.Either(m.Kind.Leads(), "led", "held")+
			" between two looks is not known").Unsure = true
		return
	}
	if !model.Holding(c.Role()) {
		d.note(m, c, EventLeft, name+" left the line"+d.after("", c.Since())+fate.aside).Waited = d.span(c.Since())
		return
	}
	what, text := fate.what, fate.of(name)
	if c.Revoked && what != EventLost {
		what, text = EventRevokeObeyed, name+" let go as asked"
	}
	if d.maybeNever(c, fate.what) {
		d.note(m, c, what, text+"; whether it held is not known").Unsure = true
		return
	}
	switch span := c.Lasts(d.now); {
	case span != "" && c.Exact():
		text += lasting(m.Kind, fate) + d.lasted(c.Since())
	case span != "":
		text += lasting(m.Kind, fate) + span
	}
	if fate.aside == stillThere {
		text += fate.aside
	}
	e := d.note(m, c, what, text)
	if e.Held = d.heldBy(c); e.Held == 0 && !c.Exact() && !d.unseen {
		e.HeldMost = d.span(c.Since())
	}
}

// absent says that the client of a claim is not there, where the servers tell that.
func (d *differ) absent(c *model.Claim) string {
	if d.snap.Sessions == nil || c.Session == 0 {
		return ""
	}
	switch s, there := d.snap.Sessions[c.Session]; {
	case !there && d.answered && c.AskedSince:
		return "its session has ended"
	case there && !connectedOrUnsaid(s):
		return "its session has no connection"
	}
	return ""
}

// heldBy is how long a claim held until now; zero where that was not seen from its beginning.
func (d *differ) heldBy(c *model.Claim) time.Duration {
	if !c.Exact() {
		return 0
	}
	return d.span(c.Since())
}

// verbs are the words of a kind whose claims are held.
func verbs(k layout.Kind) (got, doing string) {
	switch {
	case k.Leads():
		return "leads", "leading"
	case k.Pool():
		return "acquired a lease", "holding"
	}
	return "acquired", "holding"
}
