package waits

import (
	"slices"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Fate is what follows when a claim goes. Who wakes and who takes over comes from the watches that every server listed:
// what they do not tell is not known.
type Fate struct {
	Next  []*model.Claim // whose turn it is then, in serving order: claims of the model that do not hold yet
	Takes model.Answer   // whether any of Next takes over by itself; No also when there is nobody
	Sure  []*model.Claim // those of Next that are known to take over
	Lost  []*model.Claim // those of Next that are known not to wake
	Kept  []*model.Claim // who holds or leads now, and still does
	Left  int            // other claims that are left
	Wakes *int           // how many sessions hear of it, ourselves left out; nil: not known
	Gone  bool           // nothing of the recipe is left
	Own   bool           // a thread of its own session is seen waiting for it, and hears of it; Wakes does not count it

	unlisted bool // those whose turn comes watch a list of children, and no server tells of such watches
}

// FateOf predicts what follows when one claim of a recipe goes. It is pure; it costs what decoding that recipe costs.
func FateOf(r *model.Result, m *model.Model, c *model.Claim) Fate {
	after := inspect.Decode(r.Snapshot.WithDeleted(c.Path()), r, r.Hints).ByPath(m.Path)
	return fateAmong(r, m, after, c, func(o *model.Claim) bool { return o == c }, nil)
}

// fateAmong compares a recipe before and after; gone tells which of its claims go together with c, and ended which
// sessions.
func fateAmong(r *model.Result, m, after *model.Model, c *model.Claim, gone func(*model.Claim) bool,
	ended map[znode.SessionID]bool) Fate {
	f := Fate{Gone: after == nil || len(after.Claims) == 0, Takes: model.No}
	before := make(map[model.ClaimKey]*model.Claim, len(m.Claims))
	for i := range m.Claims {
		if o := &m.Claims[i]; !gone(o) {
			before[o.Key()] = o
		}
	}
	if after != nil {
		for i := range after.Claims {
			f.place(before[after.Claims[i].Key()], &after.Claims[i])
		}
	}
	if hasLeaseLine(m) {
		f.lease(m, gone)
	}
	f.Wakes = wakesIn(r, m, c, gone, ended)
	f.Own = !ended[c.Session] && threadWaits(m, c, gone)
	for _, n := range f.Next {
		switch takesOver(r, n, gone) {
		case model.Yes:
			f.Takes, f.Sure = model.Yes, append(f.Sure, n)
		case model.No:
			f.Lost = append(f.Lost, n)
		case model.NotKnown:
			if f.Takes == model.No {
				f.Takes = model.NotKnown
			}
		}
	}
	return f
}

// place counts one claim of the recipe as it is after. What was no claim of it before does not take it over: a child
// that was foreign stays so.
func (f *Fate) place(was, now *model.Claim) {
	switch {
	case was == nil:
	case model.Holding(now.Role()) && model.Holding(was.Role()):
		f.Kept = append(f.Kept, was)
	case model.Holding(now.Role()):
		f.Next = append(f.Next, was)
	default:
		f.Left++
	}
}

// takesOver reports whether a claim whose turn comes goes on by itself: it does when it is seen watching what goes.
func takesOver(r *model.Result, c *model.Claim, gone func(*model.Claim) bool) model.Answer {
	switch ahead := c.Ahead(); {
	case c.MayWake():
		return model.NotKnown
	case c.Proof() == model.Refuted:
		return model.No
	case c.LaterWriters(gone):
		return model.NotKnown // older releases of its client wait for those, too
	case c.Proof() == model.Proven && ahead != nil && gone(ahead):
		return model.Yes
	}
	return model.NotKnown
}

// wakesIn counts the sessions that hear that a claim goes. It is not known where servers kept their watches back, where
// somebody may wait for it whose watch was not looked for often enough, or whose kind of watch no server lists.
func wakesIn(r *model.Result, m *model.Model, c *model.Claim, gone func(*model.Claim) bool,
	ended map[znode.SessionID]bool) *int {
	if !r.Snapshot.ListsWatches() || !c.AskedSince {
		return nil
	}
	awake := awake(r, c.Path(), c.Session)
	for i := range m.Claims {
		o := &m.Claims[i]
		stood := o.BlockedSince < model.MomentOf(r.Snapshot.AskedAt)
		if o.Proof() != model.Likely || gone(o) || stood && slices.Contains(awake, o.Session) {
			continue // a session that watches hears of it, whichever of its claims that is for
		}
		by := o.Blockers()
		for j := range by {
			if &by[j] == c {
				return nil
			}
		}
	}
	n := 0
	for _, id := range awake {
		if at, moved := r.Pulse.Last(id); moved && at >= model.MomentOf(r.Snapshot.AskedAt) && !waitsOn(m, c, id) {
			return nil // it did something since the servers were asked, and may watch no longer
		}
		if !ended[id] {
			n++
		}
	}
	return &n
}

// threadWaits reports whether another claim of a claim's own session is seen waiting for it: the session lives on, and
// hears of the claim's end.
func threadWaits(m *model.Model, c *model.Claim, gone func(*model.Claim) bool) bool {
	for i := range m.Claims {
		if o := &m.Claims[i]; o != c && o.Session == c.Session && o.Session != 0 && !gone(o) &&
			o.Proof() == model.Proven && o.Ahead() == c {
			return true
		}
	}
	return false
}

// waitsOn reports whether a session has a claim that waits for another and was there when the servers were asked.
func waitsOn(m *model.Model, c *model.Claim, id znode.SessionID) bool {
	return slices.ContainsFunc(m.Claims, func(o model.Claim) bool {
		return o.Session == id && o.AskedSince &&
			o.Ahead() == c
	})
}

// Wakes counts the sessions that hear of a change of a znode, its owner and ourselves left out; nil where it is not
// known, because not every server listed its watches.
func Wakes(r *model.Result, path string) *int {
	if !r.Snapshot.ListsWatches() {
		return nil
	}
	var owner znode.SessionID
	if n := r.Snapshot.At(path); n != nil {
		owner = n.Owner
	}
	n := len(awake(r, path, owner))
	return &n
}

// next names whose turn comes: those that take over, else those of whom that is not known; empty when there is nobody.
func (f *Fate) next() string {
	if len(f.Sure) > 0 {
		return model.Names(f.Sure)
	}
	return model.Names(f.awake())
}

// awake returns those of Next that are not known to sleep through their turn.
func (f *Fate) awake() (out []*model.Claim) {
	for _, c := range f.Next {
		if !slices.Contains(f.Lost, c) {
			out = append(out, c)
		}
	}
	return out
}

// Then says in words, safe for a terminal, who holds after: "b will hold", "next to hold is b; whether it wakes by
// itself is not known", "nobody takes over by itself: b is next and does not watch for it", "a still holds",
// "nobody will hold yet".
func (f *Fate) Then(k layout.Kind) string {
	verb := say.Either(k.Leads(), "lead", "hold")
	switch awake := f.awake(); {
	case f.Takes == model.Yes:
		return model.Names(f.Sure) + " will " + verb
	case len(awake) > 0:
		return "next to " + verb + " is " + model.Names(awake) + "; whether " +
			say.Choose(len(awake), "it wakes", "they wake") + " by itself is not known" + f.why()
	case len(f.Lost) > 0:
		return "nobody takes over by itself: " + model.Names(f.Lost) +
			say.Choose(len(f.Lost), " is next and does", " are next and do") + " not watch for it"
	case len(f.Kept) > 0:
		return model.Names(f.Kept) + " still " + verb + say.Choose(len(f.Kept), "s", "")
	}
	return "nobody will " + verb + " yet"
}

// why says why it is not known who wakes, where that never is.
func (f *Fate) why() string {
	if f.unlisted {
		return ": no server reports who watches a list of leases"
	}
	return ""
}

// Woken says in words how many sessions hear of it.
func (f *Fate) Woken() string {
	switch {
	case f.Wakes == nil:
		return "who is woken is not known"
	case *f.Wakes == 0 && f.Own:
		return "a thread of its own session is woken"
	case *f.Wakes == 0:
		return "nobody is woken"
	}
	return say.Plural(*f.Wakes, "session is woken", "sessions are woken")
}
