package inspect

import (
	"strconv"
	"time"
)

// What happened, in Event.What. The words are stable.
const (
	EventAppeared      = "appeared"       // a recipe that was not there before
	EventRemoved       = "removed"        // a recipe that is no more
	EventJoined        = "joined"         // a claim that waits
	EventAcquired      = "acquired"       // a claim that holds now, or leads a line that nobody led
	EventLeaderChanged = "leader-changed" // another claim leads
	EventPromoted      = "promoted"       // a candidate that leads now although the former leader is still in line
	EventReleased      = "released"       // a holder that left while its session lives
	EventLost          = "lost"           // a holder whose session is gone: expired or closed
	EventGone          = "gone"           // a holder that left; whether by release or expiry is not known
	EventLeft          = "left"           // a waiter that left
	EventRevokeAsked   = "revoke-asked"   // the revoke word was written
	EventRevokeObeyed  = "revoke-obeyed"  // a holder that was asked to let go has done so
	EventOwnerChanged  = "owner-changed"  // a participant's name in the data changed
)

// Diff says what changed between two results of the same tree, in the words that people use: one event,
// one readable line. The order is that of the recipes' paths; within a recipe departures come first.
// Without an earlier result, and while a tree is still being loaded, nothing can be said to have changed.
func Diff(prev, next *Result) []Event {
	if prev == nil || next == nil || prev.Snapshot.loading() || next.Snapshot.loading() {
		return nil
	}
	d := &differ{now: next.Snapshot.TakenAt, before: prev.Snapshot, snap: next.Snapshot, answered: next.Snapshot.ToldSessions()}
	d.gap, d.unseen = missed(prev.Snapshot, next.Snapshot)
	d.connection()
	old, new := &cursor{list: prev.Models}, &cursor{list: next.Models}
	for skipShared(old, new); old.model() != nil || new.model() != nil; skipShared(old, new) {
		d.step(old, new)
	}
	d.endings(next)
	return d.events
}

// step compares the recipes at two cursors and moves on.
func (d *differ) step(old, new *cursor) {
	was, is := old.model(), new.model()
	order := -1
	switch {
	case was == nil:
		order = 1
	case is != nil:
		order = ComparePaths(was.Path, is.Path)
	}
	if order <= 0 {
		old.step()
	}
	if order >= 0 {
		new.step()
	}
	switch {
	case order < 0:
		d.removed(was)
	case order > 0:
		d.appeared(is)
	default:
		d.both(was, is)
	}
}

// differ gathers events.
type differ struct {
	now      time.Time
	before   *Snapshot
	snap     *Snapshot
	answered bool
	gap      Gap
	unseen   bool // all that differs came about in the gap
	events   []Event
}

func (d *differ) both(old, new *Model) {
	switch {
	case old == new:
	case old.Kind == Election && new.Kind == Election && old.single() && new.single() && old.Czxid != new.Czxid:
		d.led(new, &old.Claims[0], &new.Claims[0], nil, false)
	case old.Kind == Barrier && new.Kind == Barrier:
		d.barrierMoved(old, new)
	case old.Kind == Election && new.Kind == Election && (old.unmade() || new.unmade()):
		d.changed(old, new)
	case old.Kind != new.Kind && old.Czxid == new.Czxid && !old.single() && !new.single():
		d.note(new, nil, EventAppeared, "it is read as "+new.Kind.OneOf()+" now, no longer as "+old.Kind.OneOf()) // nothing happened to it but to our view
	case old.Kind != new.Kind || old.Czxid != new.Czxid:
		d.removed(old)
		d.appeared(new)
	default:
		d.changed(old, new)
	}
}

// note adds an event; c is nil where it is about the recipe.
func (d *differ) note(m *Model, c *Claim, what, text string) *Event {
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

func (d *differ) appeared(m *Model) {
	if changesOf[m.Kind] != nil {
		d.cameAlone(m)
		return
	}
	switch {
	case m.unmade():
		d.note(m, nil, EventAppeared, "an election appeared: nobody leads")
	case !m.single():
		d.note(m, nil, EventAppeared, m.Kind.OneOf()+" appeared")
	}
	for i := range m.Claims {
		d.arrived(m, &m.Claims[i], nil)
	}
}

func (d *differ) removed(m *Model) {
	if changesOf[m.Kind] != nil {
		d.wentAlone(m)
		return
	}
	for i := range m.Claims {
		d.departed(m, &m.Claims[i])
	}
	if !m.single() {
		d.note(m, nil, EventRemoved, "the "+m.Kind.Words()+" is no more").Session = m.onlySession()
	}
}

// single reports whether the recipe is one znode: it comes and goes with its claim.
func (m *Model) single() bool { return len(m.Claims) == 1 && m.Claims[0].pathIs(m.Path) }

// unmade reports whether the recipe is a leadership of one znode which nobody has made.
func (m *Model) unmade() bool {
	return m.Kind == Election && len(m.Claims) == 0 && m.Czxid == 0 && m.detail().heirs != nil
}

// changed compares the claims of one recipe.
func (d *differ) changed(old, new *Model) {
	if compare := changesOf[new.Kind]; compare != nil {
		compare(d, old, new)
		return
	}
	now, before := claimsByKey(new), claimsByKey(old)
	was, is := leaderOf(old), leaderOf(new)
	moved := was != nil && is != nil && !was.same(is)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.of(c) == nil && !(moved && c.same(was)) {
			d.departed(new, c)
		}
	}
	if moved {
		d.led(new, was, is, before.of(is), now.of(was) != nil)
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		if moved && c.same(is) {
			continue
		}
		if o := before.of(c); o != nil {
			d.kept(new, o, c)
		} else {
			d.arrived(new, c, nil)
		}
	}
}

// claimTable finds a recipe's claims by identity.
type claimTable struct {
	model      *Model
	by, byPath map[claimKey]*Claim // byPath without czxid; built when first needed
}

func claimsByKey(m *Model) claimTable {
	t := claimTable{model: m, by: make(map[claimKey]*Claim, len(m.Claims))}
	for i := range m.Claims {
		t.by[m.Claims[i].key()] = &m.Claims[i]
	}
	return t
}

// of finds a claim as it was or is in the other picture; nil: it was not or is not there. A czxid that was not read on
// one side contradicts nothing.
func (t *claimTable) of(c *Claim) *Claim {
	k := c.key()
	if o := t.by[k]; o != nil {
		return o
	}
	if k.czxid != 0 {
		k.czxid = 0
		return t.by[k]
	}
	if t.byPath == nil {
		t.byPath = make(map[claimKey]*Claim, len(t.by))
		for i := range t.model.Claims {
			o := t.model.Claims[i].key()
			o.czxid = 0
			t.byPath[o] = &t.model.Claims[i]
		}
	}
	return t.byPath[k]
}

// leaderOf returns the leader of an election; nil for a vacant one and for other kinds.
func leaderOf(m *Model) *Claim {
	if m.Kind == Election && len(m.Claims) > 0 && m.Claims[0].Role() == Leader {
		return &m.Claims[0]
	}
	return nil
}

// led notes a change of leader in one line: what became of the old one, who leads, after how long.
func (d *differ) led(m *Model, was, is, before *Claim, stays bool) {
	held := d.heldBy(was)
	name, other := Printable(is.Owner()), Printable(was.Owner())
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
func (d *differ) arrived(m *Model, c, before *Claim) {
	name := Printable(c.Owner())
	if !holding(c.Role()) {
		d.note(m, c, EventJoined, name+" joined, "+Ordinal(c.Position()+1)+" in line")
		return
	}
	text := name + " " + verbs[m.Kind].got
	if c.Mode() == Read {
		text = name + " acquired to read"
	}
	e := d.note(m, c, EventAcquired, text)
	if before != nil {
		e.Waited = d.span(before.Since())
		e.Text += d.after("", before.Since())
	}
}

// kept compares a claim with itself.
func (d *differ) kept(m *Model, old, new *Claim) {
	if !holding(old.Role()) && holding(new.Role()) {
		d.arrived(m, new, old)
	}
	name := Printable(new.Owner())
	switch {
	case old.Unread() || new.Unread(): // it was read meanwhile, or is not any more
	case !old.Revoked && new.Revoked:
		d.note(m, new, EventRevokeAsked, Printable(old.Owner())+" was asked to let go")
	case old.Revoked || new.Revoked || old.Owner() == new.Owner() || old.OwnerSource() != FromData:
	case new.OwnerSource() == FromData:
		d.note(m, new, EventOwnerChanged, Printable(old.Owner())+" calls itself "+name+" now")
	default:
		d.note(m, new, EventOwnerChanged, "the name of "+Printable(old.Owner())+" was overwritten; it is "+name+" now")
	}
}

// departed notes a claim that is gone.
func (d *differ) departed(m *Model, c *Claim) {
	name := Printable(c.Owner())
	fate := d.fate(c)
	if !holding(c.Role()) {
		d.note(m, c, EventLeft, name+" left the line"+d.after("", c.Since())+fate.aside).Waited = d.span(c.Since())
		return
	}
	what, text := fate.what, fate.of(name)
	if c.Revoked && what != EventLost {
		what, text = EventRevokeObeyed, name+" let go as asked"
	}
	switch span := c.Lasts(d.now); {
	case span != "" && c.Exact():
		text += d.after(verbs[m.Kind].doing+" ", c.Since())
	case span != "":
		text += " after " + verbs[m.Kind].doing + " " + span
	}
	d.note(m, c, what, text).Held = d.heldBy(c)
}

// heldBy is how long a claim held until now; zero where that was not seen from its beginning.
func (d *differ) heldBy(c *Claim) time.Duration {
	if !c.Exact() {
		return 0
	}
	return d.span(c.Since())
}

// fate is what is known of why a claim's znode went.
type fate struct{ what, phrase, aside string }

// deleted is what somebody did to a znode, not to its owner.
const deleted = "was deleted"

// of says what became of an owner's claim.
func (f fate) of(name string) string {
	if f.phrase == deleted {
		return "the claim of " + name + " " + deleted
	}
	return name + " " + f.phrase
}

// fate tells an expiry from a release by the session. Without a connection when last seen, or missing already while the
// znode still stood, it expired; connected, and not so long ago that it can have expired since, its owner (or somebody
// else) deleted the znode, or closed the session; in between, all that is known is that the session ended. Of one younger than the last answers not even that is known.
func (d *differ) fate(c *Claim) fate {
	unknown, expired := fate{EventGone, "is gone", ""}, fate{EventLost, "lost by expiry", ": its session expired"}
	if d.snap.Sessions == nil || c.Session == 0 {
		return unknown
	}
	s, present := d.snap.Sessions[c.Session]
	was, known := d.before.Sessions[c.Session]
	switch {
	case !present && (!d.answered || !c.settled && !known):
		return unknown
	case !present && known && connectedOrUnsaid(was):
		if d.mayHaveExpired(was, true) {
			return fate{EventLost, "lost with its session", ": its session ended"}
		}
		return fate{EventReleased, "released", ""}
	case !present:
		return expired
	case connectedOrUnsaid(s) && d.mayHaveExpired(s, false):
		return unknown
	case connectedOrUnsaid(s):
		return fate{EventReleased, "released", ""}
	case s.ExpiresAt.After(d.now.Add(s.Within + 2*time.Second)):
		return fate{EventGone, deleted, ": its session has no connection, but had not expired"}
	}
	return expired
}

// connectedOrUnsaid reports whether no server said that a session has no connection.
func connectedOrUnsaid(s Session) bool { return s.Connected == nil || *s.Connected }

// mayHaveExpired reports whether a session that was seen connected can have expired since; otherwise where nobody said
// how long it lives. A short one does so between two rounds of asking the servers.
func (d *differ) mayHaveExpired(s Session, otherwise bool) bool {
	switch asked := d.before.AskedAt; {
	case !s.ExpiresAt.IsZero():
		return d.now.After(s.ExpiresAt.Add(-s.Within))
	case s.Timeout > 0 && !asked.IsZero():
		return d.now.Sub(asked) > s.Timeout/2 // clients are heard every third of it
	}
	return otherwise
}

// verbs are the words of a kind.
var verbs = map[Kind]struct{ got, doing string }{
	Lock:       {"acquired", "holding"},
	SharedLock: {"acquired", "holding"},
	Semaphore:  {"acquired a lease", "holding"},
	Election:   {"leads", "leading"},
}

// Ordinal prints a place in line: 1st, 2nd, 3rd, 11th.
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
