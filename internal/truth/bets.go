package truth

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect"
)

// forecast is what was published about one claim's end. A part that is not known is not said.
type forecast struct {
	next      []string // paths of the claims that will hold; empty: nobody will
	knowsNext bool
	wakes     []int64
	knowsWake bool
	safe      bool // of the session's end: all that it holds has a successor
	knowsSafe bool
}

// settling is how long after a claim's end it is looked who took over.
const settling = 3 * time.Second

// bet is a prediction that is still open.
type bet struct {
	at      time.Time
	line    *line
	path    string
	session int64
	ended   bool // the session ended: more than this claim went
	said    forecast
	none    bool            // the console did not show the claim at all
	stood   map[string]bool // who stood in line at that moment
	others  int             // who held beside it
	took    []string
	closed  bool // another one went: later comers are not its successors
	moved   bool // the line changed after the picture was taken
	rewatch bool // so did who watches it, after the servers began to be asked
	doubt   bool // somebody who stood in line hung, or died
}

// wager notes what was predicted of a claim that is going now, as the console showed it last.
func (o *oracle) wager(s *stake, now time.Time) {
	for _, b := range o.bets {
		if b.line == s.line && b.at.Before(now) {
			b.closed = true
		}
	}
	if o.seen++; o.seen%o.betting != 0 || s.line.how == alone || s.line.how == counted {
		return
	}
	p := o.last(now)
	if p == nil {
		return
	}
	b := &bet{at: now, line: s.line, path: s.path, session: s.session, stood: map[string]bool{}}
	if at, over := o.ended[s.session]; over && at.Equal(now) {
		b.ended = true
	}
	for _, x := range s.line.stakes {
		switch {
		case x == s:
		case o.admitted(x) && x.session != s.session:
			b.others++
		default:
			b.stood[x.path] = x.session != s.session || !b.ended
			b.doubt = b.doubt || x.th != nil && x.th.p.hung.Load()
		}
	}
	b.moved = s.line.changed.After(p.res.Snapshot.TakenAt)
	b.said, b.none = predict(p.res, s.line.path, s.path, o.own)
	o.bets = append(o.bets, b)
}

// took notes that a claim came to hold.
func (o *oracle) took(s *stake, now time.Time) {
	for _, b := range o.bets {
		if b.line != s.line || b.closed || now.Sub(b.at) > settling || !b.stood[s.path] {
			continue
		}
		b.took = append(b.took, s.path)
		if s.line.how == exclusive || s.line.how == alone {
			b.closed = true
		}
	}
}

// settle decides the bets that are old enough.
func (o *oracle) settle(now time.Time, s *score) {
	kept := o.bets[:0]
	for _, b := range o.bets {
		if now.Sub(b.at) <= settling {
			kept = append(kept, b)
			continue
		}
		o.decide(b, s)
	}
	o.bets = kept
	o.wakes = slices.DeleteFunc(o.wakes, func(w wake) bool { return now.Sub(w.at) > 2*settling })
}

func (o *oracle) decide(b *bet, s *score) {
	var woke []int64
	for _, w := range o.wakes {
		if w.path == b.path && w.at.Equal(b.at) && w.session != b.session && !o.own[w.session] && !slices.Contains(woke, w.session) {
			woke = append(woke, w.session)
		}
	}
	f := b.said
	if b.ended {
		right := f.safe == (len(b.took)+b.others > 0)
		s.bet("safe to lose", f.knowsSafe, right, b.moved || b.doubt)
		if f.knowsSafe && !right && !b.moved && !b.doubt {
			o.blame(b, "safe to lose", f.safe, b.took)
		}
		return
	}
	right := sameSet(f.next, b.took)
	s.bet("will hold", f.knowsNext, right, b.moved || b.doubt)
	if f.knowsNext && !right && !b.moved && !b.doubt {
		o.blame(b, "will hold", f.next, b.took)
	}
	right = sameSet(f.wakes, woke)
	s.bet("wakes", f.knowsWake, right, b.moved)
	if f.knowsWake && !right && !b.moved {
		o.blame(b, "wakes", f.wakes, woke)
	}
}

func sameSet[E comparable](a, b []E) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// predict reads from a result what it says of a claim's end. Own sessions are the console's.
func predict(r *inspect.Result, recipe, path string, own map[int64]bool) (f forecast, none bool) {
	m := r.ByPath(recipe)
	if m == nil {
		return f, true
	}
	var c *inspect.Claim
	for i := range m.Claims {
		if m.Claims[i].Path() == path {
			c = &m.Claims[i]
		}
	}
	if c == nil {
		return f, true
	}
	f.next, f.knowsNext = nextWithout(r, m, c)
	f.wakes, f.knowsWake = wokenBy(r, m, c, own)
	impact := inspect.ImpactOf(r, c.Session)
	f.safe, f.knowsSafe = true, true
	for _, rel := range impact.Releases {
		if rel.Claim.Path() == path {
			f.safe = !rel.Orphaned
		}
	}
	return f, false
}

func holding(c *inspect.Claim) bool {
	return c.Role() == inspect.Holder || c.Role() == inspect.Leader
}

// nextWithout says who holds when a claim is gone and did not before, as the plan of a break says it.
func nextWithout(r *inspect.Result, m *inspect.Model, c *inspect.Claim) (next []string, known bool) {
	after := inspect.Decode(r.Snapshot.WithDeleted(c.Path()), r, hints).ByPath(m.Path)
	if after == nil {
		return nil, true
	}
	was := map[string]bool{}
	for i := range m.Claims {
		was[m.Claims[i].Path()] = holding(&m.Claims[i])
	}
	for i := range after.Claims {
		if x := &after.Claims[i]; holding(x) && !was[x.Path()] {
			next = append(next, x.Path())
		}
	}
	return next, true
}

// wokenBy says who is woken when a claim goes.
func wokenBy(r *inspect.Result, m *inspect.Model, c *inspect.Claim, own map[int64]bool) (ids []int64, known bool) {
	if watchers, told := r.Snapshot.Watches[c.Path()]; told {
		for _, id := range watchers {
			if id != c.Session && !own[int64(id)] {
				ids = append(ids, int64(id))
			}
		}
		return ids, true
	}
	for i := range m.Claims {
		x := &m.Claims[i]
		if ahead := x.Ahead(); ahead != nil && ahead.Path() == c.Path() && !slices.Contains(ids, int64(x.Session)) {
			ids = append(ids, int64(x.Session))
		}
	}
	return ids, true
}

// hints are what the console is told: nothing.
var hints inspect.Hints
