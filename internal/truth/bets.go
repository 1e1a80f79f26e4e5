package truth

import (
	"slices"
	"time"
)

// forecast is what was published about one claim's end. A part that is not known is not said.
type forecast struct {
	sure      []string // paths of the claims that will hold; none: nobody will, unless one of maybe
	maybe     []string // those of which that is not known
	knowsNext bool
	wakes     int // sessions
	knowsWake bool
	safe      bool // of the session's end: something takes the claim's place
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
	stood   map[string]bool // who stood in line at that moment
	heirs   map[string]bool // whose turn it is by the order of the line
	away    map[int64]bool  // sessions without a connection: they hear of it when they are back
	others  int             // who held beside it
	took    []string
	closed  bool // another one went: later comers are not its successors
	moved   bool // the line changed after the picture was taken
	left    bool // one whose turn it was went before it could take over
	young   bool // two rounds of lists had not been made of it and of who waits for it
	kept    bool // a member kept its lists back
	doubt   bool // what was said rests on a client of whom nothing could tell: see doubtful
	stands  bool // the claim and its line are old enough for two rounds of questions
}

// wager notes what was predicted of a claim that is going now, as the console showed it last.
func (o *oracle) wager(s *stake, now time.Time) {
	for _, b := range o.bets {
		if b.line == s.line && b.at.Before(now) {
			b.closed = true
		}
	}
	if o.seen++; o.seen%o.betting != 0 || s.line.how == alone {
		return
	}
	p := o.last(now)
	if p == nil {
		return
	}
	b := &bet{at: now, line: s.line, path: s.path, session: s.session, stood: map[string]bool{}, heirs: map[string]bool{}, away: map[int64]bool{}}
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
		}
	}
	since := s.made
	if s.line.how == counted {
		b.heirs = b.stood // whoever waits and does not sleep may find the place first
	}
	for _, x := range o.heirs(s, b.ended) {
		b.heirs[x.path] = true
		since = later(since, x.moved)
	}
	for _, x := range s.line.stakes {
		if x.front == s {
			since = later(since, x.moved)
		}
		b.away[x.session] = !o.joined[x.session]
	}
	b.young, b.kept = !o.unheard && within(o.lists.whole, since, now) < 2, o.kept(now.Add(-window), now)
	b.moved = s.line.changed.After(p.res.Snapshot.TakenAt.Add(-mirrored))
	b.stands = now.Sub(s.line.changed) > knowable
	b.said = predict(p.res, s.line.path, s.path)
	b.doubt = o.doubtful(b, p.res.Snapshot.AskedAt)
	o.bets = append(o.bets, b)
}

// heirs lists the claims whose turn it is when one goes, alone or with its session.
func (o *oracle) heirs(s *stake, ended bool) (out []*stake) {
	rest := slices.DeleteFunc(slices.Clone(s.line.stakes), func(x *stake) bool { return x == s || ended && x.session == s.session })
	for _, x := range rest {
		if !o.admitted(x) && admittedIn(rest, x) {
			out = append(out, x)
		}
	}
	return out
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// taking is how long one whose turn has come takes at most to see that and to hold.
const taking = 100 * time.Millisecond

// misses notes that a claim whose turn had come went before its client could have taken over: it was given up at that moment.
func (o *oracle) misses(s *stake, now time.Time) {
	for _, b := range o.bets {
		if b.heirs[s.path] && b.line == s.line && b.line.how != counted && now.Sub(b.at) < taking && !slices.Contains(b.took, s.path) {
			b.left = true
		}
	}
}

// mirrored is how long a change may be on its way to the picture.
const mirrored = 60 * time.Millisecond

// doubtful reports whether one of those who are said to hold next, or whose turn it is, hangs or has died, has lost its watch after the
// servers were asked, or has given up and left its watch behind: servers then tell what they tell of a sound one.
func (o *oracle) doubtful(b *bet, asked time.Time) bool {
	next := append(slices.Clone(b.said.sure), b.said.maybe...)
	for _, x := range b.line.stakes {
		if b.stood[x.path] {
			next = append(next, x.path)
			break
		}
	}
	for _, path := range next {
		switch x := o.stakes[path]; {
		case x == nil:
		case x.left, x.dead, !x.unseen.IsZero() && !x.unseen.Before(asked), x.th != nil && x.th.p.hung.Load():
			return true
		}
	}
	return false
}

// took notes that a claim came to hold. Whose turn came with the end of another claim is nobody's successor.
func (o *oracle) took(s *stake, now time.Time) {
	for _, b := range o.bets {
		path := s.path
		if s.line.how == counted {
			path = b.stoodAs(s)
		}
		if b.line != s.line || b.closed || now.Sub(b.at) > settling || !b.heirs[path] {
			continue
		}
		b.took = append(b.took, path)
		if s.line.how == exclusive || s.line.how == alone || s.line.how == counted {
			b.closed = true
		}
	}
}

// stoodAs is the claim as which whoever takes a lease stood in line when the other went: the lease itself, or its thread's place
// in line; empty when it came later.
func (b *bet) stoodAs(s *stake) string {
	if b.stood[s.path] {
		return s.path
	}
	for _, x := range s.line.stakes {
		if x.th == s.th && x.th != nil && b.stood[x.path] {
			return x.path
		}
	}
	return ""
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

// leaseBet is the prediction about semaphores. Who waits for a lease watches a list of children, of which no server tells: that it
// is not known is right, and what is said must be true.
const leaseBet = "will hold a lease"

// settled marks predictions about lines in which nobody had come or gone for two rounds of questions.
const settled = ", in a line that stood"

func (o *oracle) decide(b *bet, s *score) {
	var woke []int64
	for _, w := range o.wakes {
		if w.path == b.path && (w.at.Equal(b.at) || b.away[w.session] && w.at.After(b.at)) && w.session != b.session && !o.own[w.session] && !slices.Contains(woke, w.session) {
			woke = append(woke, w.session)
		}
	}
	f := b.said
	b.moved, b.doubt = b.moved || b.left, b.doubt || b.left
	if b.ended {
		right := f.safe == (len(b.took)+b.others > 0)
		s.bet("safe to lose", f.knowsSafe, right, b.moved || b.doubt, b)
		if f.knowsSafe && !right && !b.moved && !b.doubt {
			o.blame(b, "safe to lose", f.safe, b.took)
		}
		return
	}
	right := f.cameTrue(b.took)
	if b.line.how == counted {
		s.bet(leaseBet, f.knowsNext, right, b.moved || b.doubt, b)
		if f.knowsNext && !right && !b.moved && !b.doubt {
			o.blame(b, leaseBet, f.sure, b.took)
		}
		return
	}
	s.bet("will hold", f.knowsNext, right, b.moved || b.doubt, b)
	if b.stands {
		s.bet("will hold"+settled, f.knowsNext, right, b.doubt, b)
	}
	if f.knowsNext && !right && !b.moved && !b.doubt {
		o.blame(b, "will hold", f.sure, b.took)
	}
	if o.unheard {
		return
	}
	right = f.wakes == len(woke)
	s.bet("wakes", f.knowsWake, right, b.moved || b.doubt, b)
	if b.stands {
		s.bet("wakes"+settled, f.knowsWake, right, b.doubt, b)
	}
	if f.knowsWake && !right && !b.moved && !b.doubt {
		o.blame(b, "wakes", f.wakes, woke)
	}
}

// cameTrue reports whether those who took over are those of whom that was said.
func (f *forecast) cameTrue(took []string) bool {
	for _, path := range f.sure {
		if !slices.Contains(took, path) {
			return false
		}
	}
	return !slices.ContainsFunc(took, func(path string) bool { return !slices.Contains(f.sure, path) && !slices.Contains(f.maybe, path) })
}
