package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

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

// changesOf returns what compares two models of one recipe of a kind; nil for lines, whose claims come to hold.
func changesOf(k layout.Kind) func(d *differ, old, new *model.Model) {
	switch {
	case k.Gate():
		return (*differ).barrierMoved
	case k.Opaque():
		return (*differ).valueMoved
	case k.Members(), k.Together():
		return (*differ).membersMoved
	case k.Items():
		return (*differ).itemsMoved
	case k.Votes():
		return (*differ).votesMoved
	case k.Ends():
		return (*differ).leaseMoved
	}
	return nil
}

// cameAlone notes a recipe of such a kind that is new; its claims are told where each is news.
func (d *differ) cameAlone(m *model.Model) {
	switch {
	case m.Kind.Gate():
		d.barrierMoved(nil, m)
		return
	case m.Single():
		d.note(m, &m.Claims[0], EventAppeared, m.Kind.OneOf()+" appeared: "+m.StandingText(d.now))
		return
	}
	d.note(m, nil, EventAppeared, m.Kind.OneOf()+" appeared: "+m.StandingText(d.now))
}

// wentAlone notes a recipe of such a kind that is no more.
func (d *differ) wentAlone(m *model.Model) {
	if m.Kind.Gate() {
		if m.State == model.Closed {
			d.note(m, nil, EventOpened, "the barrier opened"+sinceClaim(m, d))
		}
		return
	}
	e := d.note(m, nil, EventRemoved, "the "+m.Kind.Words()+" is gone; last seen "+m.StandingText(d.now))
	if e.Session = onlySession(m); e.Session != 0 {
		e.Owner = m.Claims[0].Owner()
	}
}

func sinceClaim(m *model.Model, d *differ) string {
	if len(m.Claims) == 0 || say.Between(m.Claims[0].Since(), d.now) < time.Second {
		return ""
	}
	return d.after("standing ", m.Claims[0].Since())
}

func (d *differ) barrierMoved(old, new *model.Model) {
	switch {
	case new.State == model.Closed && (old == nil || old.State != model.Closed):
		text := "the barrier closed"
		if c := &new.Claims[0]; c.OwnerSource() == model.FromData {
			text = say.Printable(c.Owner()) + " closed the barrier"
		}
		d.note(new, &new.Claims[0], EventClosed, text)
	case old != nil && old.State == model.Closed && new.State == model.Opened:
		d.note(new, nil, EventOpened, "the barrier opened"+sinceClaim(old, d))
	}
}

// membersMoved notes who joined and who left, and the phases of a double barrier.
func (d *differ) membersMoved(old, new *model.Model) {
	now, before := model.NewClaimTable(new), model.NewClaimTable(old)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.Of(c) != nil {
			continue
		}
		what, text := EventLeft, say.Printable(c.Owner())+" left"
		switch f := d.fate(c); f.what {
		case EventLost:
			what, text = EventLost, f.of(say.Printable(c.Owner()))
		case EventSessionClosed:
			text += f.aside
		}
		d.note(new, c, what, text+d.after("", c.Since())).Held = d.span(c.Since())
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		if before.Of(c) == nil {
			d.note(new, c, EventJoined, say.Printable(c.Owner())+" joined")
		}
	}
	if new.Kind.Together() && old.State != new.State {
		d.phase(new)
	}
}

func (d *differ) phase(m *model.Model) {
	switch m.State {
	case model.Inside:
		d.note(m, nil, EventOpened, "the barrier opened: "+m.StandingText(d.now))
	case model.Leaving:
		d.note(m, nil, EventLeaving, m.StandingText(d.now))
	case model.Idle:
		d.note(m, nil, EventEmptied, "everyone has left the barrier")
	}
}

// itemsMoved notes what happened to the items of a queue.
func (d *differ) itemsMoved(old, new *model.Model) {
	now, before := model.NewClaimTable(new), model.NewClaimTable(old)
	for i := range old.Claims {
		c := &old.Claims[i]
		if now.Of(c) != nil {
			continue
		}
		text := say.Visible(c.Node()) + " is done"
		if c.Role() == model.Taken {
			text = say.Printable(c.Owner()) + " finished " + say.Visible(c.Node()) + d.after("", c.Since())
		}
		d.note(new, c, EventDone, text).Held = d.span(c.Since())
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := before.Of(c)
		if o == nil {
			d.note(new, c, EventAdded, say.Visible(c.Node())+" was added")
		}
		d.itemMoved(new, o, c)
	}
}

// itemMoved compares an item with itself.
func (d *differ) itemMoved(m *model.Model, old, new *model.Claim) {
	switch {
	case new.Role() == model.Taken && old != nil && old.Taker() != 0 && old.Taker() != new.Session:
		d.note(m, new, EventRedelivered, say.Visible(new.Node())+" went to "+say.Printable(new.Owner())+" after "+
			formerTaker(old))
	case new.Role() == model.Taken && (old == nil || old.Role() != model.Taken):
		e := d.note(m, new, EventTaken, say.Printable(new.Owner())+" took "+say.Visible(new.Node()))
		if old != nil {
			e.Waited = d.span(old.Since())
			e.Text += d.after("waiting ", old.Since())
		}
	case old == nil:
	case old.Role() == model.Taken && new.Role() != model.Taken:
		d.note(m, new, EventFreed, say.Visible(new.Node())+" is to be taken again: "+
			d.fate(old).of(say.Printable(old.Owner())))
	case old.Role() == model.Item && new.Role() == model.Ready:
		d.note(m, new, EventDue, say.Visible(new.Node())+" is due")
	}
}

func formerTaker(c *model.Claim) string {
	if c.Role() == model.Taken {
		return say.Printable(c.Owner())
	}
	return c.Taker().String()
}

// votesMoved notes votes, sites that came and went, and the verdict.
func (d *differ) votesMoved(old, new *model.Model) {
	now, before := model.NewClaimTable(new), model.NewClaimTable(old)
	for i := range old.Claims {
		if c := &old.Claims[i]; now.Of(c) == nil {
			text := "site " + say.Printable(c.Owner()) + " left"
			if c.Vote() == nil {
				text += " before voting"
			}
			d.note(new, c, EventLeft, text)
		}
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := before.Of(c)
		if o == nil {
			d.note(new, c, EventJoined, "site "+say.Printable(c.Owner())+" takes part")
		}
		d.voteMoved(new, o, c)
	}
	if old.State != new.State && (new.State == model.Committed || new.State == model.Aborted) {
		d.note(new, nil, EventDecided, "decided: "+new.StandingText(d.now))
	}
}

func (d *differ) voteMoved(m *model.Model, old, new *model.Claim) {
	switch {
	case new.Vote() == nil:
	case old == nil || old.Vote() == nil:
		d.note(m, new, EventVoteCast, "site "+say.Printable(new.Owner())+" voted "+say.Visible(*new.Vote()))
	case *old.Vote() != *new.Vote():
		d.note(m, new, EventVoteChanged, "site "+say.Printable(new.Owner())+" voted "+say.Visible(*old.Vote())+
			" and changed it to "+say.Visible(*new.Vote()))
	}
}

// valueMoved notes a value that changed.
func (d *differ) valueMoved(old, new *model.Model) {
	if old.Numbers.Of("version") == new.Numbers.Of("version") && old.Value() == new.Value() && old.State == new.State &&
		old.Znode().Mzxid == new.Znode().Mzxid {
		return
	}
	what, text := EventChanged, ""
	switch {
	case new.Kind.Filled() && old.State == model.Waiting && new.State == model.Filled:
		what, text = EventFilled, "the rendezvous was filled"
		if new.Value() != "" {
			text += ": " + new.Value()
		}
	case old.Value() != "" && new.Value() != "":
		text = old.Value() + " → " + new.Value()
	case new.Value() != "":
		text = "the value is " + new.Value() + " now"
	case new.State == model.Empty || new.State == model.Waiting:
		text = "the value was removed"
	default:
		text = "the value changed"
	}
	d.note(new, &new.Claims[0], what, text+", version "+say.Itoa(new.Numbers.Of("version")))
}

// leaseMoved notes who took a lease, kept it, let it go or let it expire.
func (d *differ) leaseMoved(old, new *model.Model) {
	byPath := make(map[string]*model.Claim, len(old.Claims))
	for i := range old.Claims {
		byPath[old.Claims[i].Path()] = &old.Claims[i]
	}
	for i := range new.Claims {
		c := &new.Claims[i]
		o := byPath[c.Path()]
		delete(byPath, c.Path())
		switch {
		case o != nil && o.Owner() == c.Owner() && o.Why() == c.Why():
		case !lapsed(c) && (o == nil || o.Owner() != c.Owner() || lapsed(o)):
			d.note(new, c, EventAcquired, say.Printable(c.Owner())+" took the lease "+c.Why())
		case lapsed(c):
			d.note(new, c, EventExpired, "the lease of "+say.Printable(c.Owner())+" expired")
		default:
			d.note(new, c, EventRenewed, say.Printable(c.Owner())+" keeps the lease "+c.Why())
		}
	}
	for i := range old.Claims {
		if c := &old.Claims[i]; byPath[c.Path()] != nil {
			d.note(new, c, EventReleased, say.Printable(c.Owner())+" gave the lease back")
		}
	}
}

// lapsed reports whether a lease's claim is past its end.
func lapsed(c *model.Claim) bool { return c.Ended }
