package inspect

import "time"

// Words of events of recipes that are no line.
const (
	EventAdded       = "added"        // an item
	EventTaken       = "taken"        // an item that somebody works on now
	EventFreed       = "freed"        // an item that nobody works on any more, and that is still there
	EventDone        = "done"         // an item that is no more
	EventRedelivered = "redelivered"  // an item that went from one consumer to another
	EventDue         = "due"          // an item whose moment has come
	EventVoteCast    = "vote-cast"    // a site voted
	EventVoteChanged = "vote-changed" // a site changed its vote
	EventDecided     = "decided"      // a transaction has its verdict
	EventOpened      = "opened"       // a barrier that lets through
	EventClosed      = "closed"       // a barrier that stands
	EventLeaving     = "leaving"      // the first member of a double barrier left it
	EventEmptied     = "emptied"      // the last did
	EventChanged     = "changed"      // a value
	EventFilled      = "filled"       // a rendezvous
	EventExpired     = "expired"      // a lease
	EventRenewed     = "renewed"      // a lease whose end has moved
)

// changesOf compares two models of one recipe, for the kinds that are no line.
var changesOf = map[Kind]func(*differ, *Model, *Model){
	Barrier:       (*differ).barrierMoved,
	DoubleBarrier: (*differ).membersMoved,
	Membership:    (*differ).membersMoved,
	Service:       (*differ).membersMoved,
	Queue:         (*differ).itemsMoved,
	PriorityQueue: (*differ).itemsMoved,
	DelayQueue:    (*differ).itemsMoved,
	TwoPhase:      (*differ).votesMoved,
	Config:        (*differ).valueMoved,
	Counter:       (*differ).valueMoved,
	Rendezvous:    (*differ).valueMoved,
	Lease:         (*differ).leaseMoved,
}

// cameAlone notes a recipe of such a kind that is new; its claims are told where each is news.
func (d *differ) cameAlone(m *Model) {
	switch {
	case m.Kind == Barrier:
		d.barrierMoved(nil, m)
		return
	case m.single():
		d.note(m, &m.Claims[0], EventAppeared, m.Kind.OneOf()+" appeared: "+m.standing(d.now))
		return
	}
	d.note(m, nil, EventAppeared, m.Kind.OneOf()+" appeared: "+m.standing(d.now))
}

// wentAlone notes a recipe of such a kind that is no more.
func (d *differ) wentAlone(m *Model) {
	if m.Kind == Barrier {
		if m.State == Closed {
			d.note(m, nil, EventOpened, "the barrier opened"+sinceClaim(m, d))
		}
		return
	}
	e := d.note(m, nil, EventRemoved, "the "+m.Kind.Words()+" is no more: "+m.standing(d.now))
	if e.Session = m.onlySession(); e.Session != 0 {
		e.Owner = m.Claims[0].Owner()
	}
}

func sinceClaim(m *Model, d *differ) string {
	if len(m.Claims) == 0 || spanOf(m.Claims[0].Since(), d.now) < time.Second {
		return ""
	}
	return d.after("standing ", m.Claims[0].Since())
}

func (d *differ) barrierMoved(old, new *Model) {
	switch {
	case new.State == Closed && (old == nil || old.State != Closed):
		text := "the barrier closed"
		if c := &new.Claims[0]; c.OwnerSource() == FromData {
			text = Printable(c.Owner()) + " closed the barrier"
		}
		d.note(new, &new.Claims[0], EventClosed, text)
	case old != nil && old.State == Closed && new.State == Opened:
		d.note(new, nil, EventOpened, "the barrier opened"+sinceClaim(old, d))
	}
}

// membersMoved notes who joined and who left, and the phases of a double barrier.
func (d *differ) membersMoved(old, new *Model) {
	now, before := claimsByKey(new), claimsByKey(old)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.of(c) != nil {
			continue
		}
		what, text := EventLeft, Printable(c.Owner())+" left"
		if f := d.fate(c); f.what == EventLost {
			what, text = EventLost, Printable(c.Owner())+" "+f.phrase
		}
		d.note(new, c, what, text+d.after("", c.Since())).Held = d.span(c.Since())
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		if before.of(c) == nil {
			d.note(new, c, EventJoined, Printable(c.Owner())+" joined")
		}
	}
	if new.Kind == DoubleBarrier && old.State != new.State {
		d.phase(new)
	}
}

func (d *differ) phase(m *Model) {
	switch m.State {
	case Inside:
		d.note(m, nil, EventOpened, "the barrier opened: "+m.standing(d.now))
	case Leaving:
		d.note(m, nil, EventLeaving, m.standing(d.now))
	case Idle:
		d.note(m, nil, EventEmptied, "everyone has left the barrier")
	}
}

// itemsMoved notes what happened to the items of a queue.
func (d *differ) itemsMoved(old, new *Model) {
	now, before := claimsByKey(new), claimsByKey(old)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.of(c) != nil {
			continue
		}
		text := visible(c.Node()) + " is done"
		if c.Role() == Taken {
			text = Printable(c.Owner()) + " finished " + visible(c.Node()) + d.after("", c.Since())
		}
		d.note(new, c, EventDone, text).Held = d.span(c.Since())
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := before.of(c)
		if o == nil {
			d.note(new, c, EventAdded, visible(c.Node())+" was added")
		}
		d.itemMoved(new, o, c)
	}
}

// itemMoved compares an item with itself.
func (d *differ) itemMoved(m *Model, old, new *Claim) {
	switch {
	case new.Role() == Taken && old != nil && old.taker() != 0 && old.taker() != new.Session:
		d.note(m, new, EventRedelivered, visible(new.Node())+" went to "+Printable(new.Owner())+" after "+formerTaker(old))
	case new.Role() == Taken && (old == nil || old.Role() != Taken):
		e := d.note(m, new, EventTaken, Printable(new.Owner())+" took "+visible(new.Node()))
		if old != nil {
			e.Waited = d.span(old.Since())
			e.Text += d.after("waiting ", old.Since())
		}
	case old == nil:
	case old.Role() == Taken && new.Role() != Taken:
		d.note(m, new, EventFreed, visible(new.Node())+" is to be taken again: "+d.fate(old).of(Printable(old.Owner())))
	case old.Role() == Item && new.Role() == Ready:
		d.note(m, new, EventDue, visible(new.Node())+" is due")
	}
}

func formerTaker(c *Claim) string {
	if c.Role() == Taken {
		return Printable(c.Owner())
	}
	return c.taker().String()
}

// votesMoved notes votes, sites that came and went, and the verdict.
func (d *differ) votesMoved(old, new *Model) {
	now, before := claimsByKey(new), claimsByKey(old)
	for i := range old.Claims {
		if c := &old.Claims[i]; now.of(c) == nil {
			text := "site " + Printable(c.Owner()) + " left"
			if c.Vote() == nil {
				text += " before voting"
			}
			d.note(new, c, EventLeft, text)
		}
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := before.of(c)
		if o == nil {
			d.note(new, c, EventJoined, "site "+Printable(c.Owner())+" takes part")
		}
		d.voteMoved(new, o, c)
	}
	if old.State != new.State && (new.State == Committed || new.State == Aborted) {
		d.note(new, nil, EventDecided, "decided: "+new.standing(d.now))
	}
}

func (d *differ) voteMoved(m *Model, old, new *Claim) {
	switch {
	case new.Vote() == nil:
	case old == nil || old.Vote() == nil:
		d.note(m, new, EventVoteCast, "site "+Printable(new.Owner())+" voted "+visible(*new.Vote()))
	case *old.Vote() != *new.Vote():
		d.note(m, new, EventVoteChanged, "site "+Printable(new.Owner())+" voted "+visible(*old.Vote())+" and changed it to "+visible(*new.Vote()))
	}
}

// valueMoved notes a value that changed.
func (d *differ) valueMoved(old, new *Model) {
	if old.Numbers.Of("version") == new.Numbers.Of("version") && old.value() == new.value() && old.State == new.State && old.znode().Mzxid == new.znode().Mzxid {
		return
	}
	what, text := EventChanged, ""
	switch {
	case new.Kind == Rendezvous && old.State == Waiting && new.State == Filled:
		what, text = EventFilled, "the rendezvous was filled"
		if new.value() != "" {
			text += ": " + new.value()
		}
	case old.value() != "" && new.value() != "":
		text = old.value() + " → " + new.value()
	case new.value() != "":
		text = "the value is " + new.value() + " now"
	case new.State == Empty || new.State == Waiting:
		text = "the value was removed"
	default:
		text = "the value changed"
	}
	d.note(new, &new.Claims[0], what, text+", version "+itoa(new.Numbers.Of("version")))
}

// leaseMoved notes who took a lease, kept it, let it go or let it expire.
func (d *differ) leaseMoved(old, new *Model) {
	byPath := make(map[string]*Claim, len(old.Claims))
	for i := range old.Claims {
		byPath[old.Claims[i].Path()] = &old.Claims[i]
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := byPath[c.Path()]
		delete(byPath, c.Path())
		switch {
		case o != nil && o.Owner() == c.Owner() && o.Why() == c.Why():
		case !c.lapsed() && (o == nil || o.Owner() != c.Owner() || o.lapsed()):
			d.note(new, c, EventAcquired, Printable(c.Owner())+" took the lease "+c.Why())
		case c.lapsed():
			d.note(new, c, EventExpired, "the lease of "+Printable(c.Owner())+" expired")
		default:
			d.note(new, c, EventRenewed, Printable(c.Owner())+" keeps the lease "+c.Why())
		}
	}
	for i := range old.Claims {
		if c := &old.Claims[i]; byPath[c.Path()] != nil {
			d.note(new, c, EventReleased, Printable(c.Owner())+" gave the lease back")
		}
	}
}

// lapsed reports whether a lease's claim is past its end.
func (c *Claim) lapsed() bool { return c.ended }
