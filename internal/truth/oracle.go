package truth

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// discipline is how a line admits.
type discipline uint8

const (
	exclusive discipline = iota
	shared               // readers together, until the first writer
	counted              // as many as the limit; those who wait stand in a line of their own
	alone                // one znode: who creates it has it; the others watch it
)

// line is one recipe as the oracle knows it: its claims in the order in which they were created.
type line struct {
	path    string // of the recipe, as its clients were given it
	how     discipline
	limit   int
	stakes  []*stake
	changed time.Time // when a claim last came or went

	members map[string]bool // of a leader that is one znode: who is there to be led
	grace   time.Duration   // of a leader that is one znode: how long an election takes at most
	seen    bool            // it had a leader once
	elects  bool            // it is an election
	lost    int             // how often its holder changed in a way that counts as flapping
}

// stake is a claim as the oracle knows it.
type stake struct {
	line    *line
	path    string
	session int64
	th      *thread // whose it is; nil: nobody knows of it any more
	mode    byte    // x, r, w
	made    time.Time
	lease   bool // of a counted line: it is a lease, and no place in line

	waiting, holding bool
	blind            bool      // it waits, and nothing will tell it that its turn has come
	front            *stake    // the claim ahead that its client waits for; nil: none
	moved            time.Time // when that came to be so
	unseen           time.Time // since when it waits without a watch; zero: it has one, or does not wait
	unseenFor        time.Duration
	proc             *proc // whose client made it
	left             bool  // its client left a watch behind when it forgot it
	dead             bool  // its process is gone
	gone             bool
}

// oracle sees every thread. It says at every moment who really holds, who is really stuck and what will never wake; its
// history of that is what findings are judged by. Its methods may be called from any goroutine.
type oracle struct {
	mu     sync.Mutex
	lines  map[string]*line
	stakes map[string]*stake // those that stand, by path
	byID   map[int64][]*stake
	watch  map[string][]int64 // data watches by path: sessions
	joined map[int64]bool     // sessions with a connection
	ended  map[int64]time.Time
	active map[int64][]time.Time // when a session made or released a claim
	facts  *facts
	knots  tangle // threads that wait for what threads hold
	snarls tangle // also for what no thread knows of any more
	lists  lists
	kept   func(from, to time.Time) bool // whether some member kept its lists back
	wakes  []wake
	bets   []*bet
	last   func(before time.Time) *published // what the console had shown before a moment
	own    map[int64]bool
	again  map[string]int   // items that were delivered a second time, by queue
	ranks  map[string]*line // members of those that one znode leads, by path
	lives  func(session int64) bool
	bad    *failures
	now    func() time.Time

	unheard bool // nobody tells of watches that fire
	notes   []note
	keep    bool // keep notes for the story of a failure

	betting int // one release in so many is predicted
	seen    int
}

// wake is a data watch that fired.
type wake struct {
	at      time.Time
	session int64
	path    string
}

func newOracle() *oracle {
	return &oracle{lines: map[string]*line{}, stakes: map[string]*stake{}, byID: map[int64][]*stake{}, watch: map[string][]int64{},
		joined: map[int64]bool{}, ended: map[int64]time.Time{}, active: map[int64][]time.Time{}, facts: newFacts(), own: map[int64]bool{}, ranks: map[string]*line{}, again: map[string]int{},
		last: func(time.Time) *published { return nil }, kept: func(time.Time, time.Time) bool { return false }, lives: func(int64) bool { return true }, betting: 1, bad: &failures{}, now: time.Now}
}

// line registers a recipe.
func (o *oracle) line(path string, how discipline, limit int) *line {
	l := &line{path: path, how: how, limit: limit, members: map[string]bool{}}
	o.mu.Lock()
	o.lines[path] = l
	o.mu.Unlock()
	return l
}

// made tells of a claim that was created. th is nil when its client never learned of it.
func (o *oracle) made(l *line, path string, th *thread, session int64, mode byte) *stake {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	s := &stake{line: l, path: path, session: session, th: th, mode: mode, made: now, moved: now}
	s.lease = l.how == counted && !strings.Contains(path, "lock")
	l.stakes = append(l.stakes, s)
	l.changed = now
	o.stakes[path] = s
	o.byID[session] = append(o.byID[session], s)
	o.active[session] = append(o.active[session], now)
	if th != nil {
		s.proc = th.p
	}
	if s.th == nil {
		s.unseen, s.left = now, true // nobody's, and no session's
	}
	o.note("made", s)
	o.review(l, now)
	return s
}

// waits tells that a thread waits for its claim's turn: blindly when nothing will wake it.
func (o *oracle) waits(s *stake, blind bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	s.waiting, s.blind = true, blind
	switch {
	case !blind:
		s.unseen = time.Time{}
	case s.unseen.IsZero():
		s.unseen = now
	}
	if s.th != nil {
		s.th.wants = s
	}
	o.note("waits", s)
	o.review(s.line, now)
}

// holds tells that a thread goes on: it believes that its turn has come.
func (o *oracle) holds(s *stake) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	s.waiting, s.blind, s.holding, s.unseen = false, false, true, time.Time{}
	if s.th != nil {
		s.th.wants = nil
		s.th.has = append(s.th.has, s)
	}
	o.note("holds", s)
	o.took(s, now)
	o.review(s.line, now)
}

// forgets tells that a client gave a claim up and left its znode behind; left says that its watch stays too.
func (o *oracle) forgets(s *stake, left bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.abandon(s, o.now(), left)
	o.review(s.line, o.now())
}

// abandon takes a claim from its thread.
func (o *oracle) abandon(s *stake, now time.Time, left bool) {
	if s.th != nil {
		s.th.drop(s)
	}
	s.th, s.waiting, s.holding, s.left = nil, false, false, left
	if !left && s.unseen.IsZero() {
		s.unseen = now
	}
	o.note("forgotten", s)
}

// died tells that a process is gone and its session is not yet.
func (o *oracle) died(session int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	for _, s := range o.byID[session] {
		if !s.gone {
			s.dead = true
			o.abandon(s, now, false)
			o.review(s.line, now)
		}
	}
}

// went tells that a znode is no more: released, broken, or lost with its session.
func (o *oracle) went(path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	if l := o.ranks[path]; l != nil {
		l.members[path] = false
		o.vacancy(l, now)
	}
	s := o.stakes[path]
	if s == nil {
		return
	}
	if s.session != 0 && !o.lives(s.session) {
		o.over(s.session, now)
	}
	o.misses(s, now)
	if o.admitted(s) {
		o.wager(s, now)
		o.flaps(s, now)
	}
	delete(o.stakes, path)
	s.gone = true
	if s.th != nil {
		s.th.drop(s)
	}
	l := s.line
	l.stakes = slices.DeleteFunc(l.stakes, func(x *stake) bool { return x == s })
	l.changed = now
	o.byID[s.session] = slices.DeleteFunc(o.byID[s.session], func(x *stake) bool { return x == s })
	o.active[s.session] = append(o.active[s.session], now)
	o.note("gone", s)
	o.facts.forget(path, now)
	o.review(l, now)
	if l.how == alone {
		o.vacancy(l, now)
	}
}

// connected tells whether a session has a connection.
func (o *oracle) connected(id int64, on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	o.joined[id] = on
	_, over := o.ended[id]
	o.facts.say("owner-disconnected", sessionKey(id), "", !on && !over, now)
	if !on {
		for path, ids := range o.watch {
			o.watch[path] = slices.DeleteFunc(ids, func(x int64) bool { return x == id })
		}
	}
}

// watches tells of a watch that was set; only data and exist watches are listed by servers.
func (o *oracle) watches(id int64, table int, path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if table != dataTable || slices.Contains(o.watch[path], id) {
		return
	}
	o.watch[path] = append(o.watch[path], id)
	o.herd(path)
}

// woke tells of an event that reached a client.
func (o *oracle) woke(id int64, ev wire.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.watch[ev.Path], id); i >= 0 && ev.Type != wire.EventChildrenChanged {
		o.watch[ev.Path] = slices.Delete(o.watch[ev.Path], i, i+1)
		o.wakes = append(o.wakes, wake{o.now(), id, ev.Path})
		o.herd(ev.Path)
	}
}

// unwatchAll tells that a client forgot its watches: its threads that wait are not told any more.
func (o *oracle) unwatchAll(id int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	for _, s := range o.byID[id] {
		if s.waiting {
			s.blind = true
			if s.unseen.IsZero() {
				s.unseen = now
			}
			o.note("loses its watch", s)
			o.review(s.line, now)
		}
	}
}

// over notes that a session ended, once.
func (o *oracle) over(id int64, now time.Time) {
	if _, known := o.ended[id]; known {
		return
	}
	o.ended[id] = now
	o.facts.say("owner-restarted", sessionKey(id), "", false, now)
	o.facts.say("owner-disconnected", sessionKey(id), "", false, now)
}

// state says a fact that a script knows, under the code of the finding that tells it.
func (o *oracle) state(code, key string, on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.facts.say(code, key, "", on, o.now())
}

// herd looks whether more sessions watch a claim and wait behind it than can go on.
func (o *oracle) herd(path string) {
	s := o.stakes[path]
	if s == nil {
		return
	}
	n := 0
	for _, id := range o.watch[path] {
		if s.line.how == alone || slices.ContainsFunc(s.line.stakes, func(x *stake) bool { return x.session == id && x != s }) {
			n++
		}
	}
	o.facts.say("herd", path, "", n > 1, o.now())
}
