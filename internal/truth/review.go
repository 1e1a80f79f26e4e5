package truth

import (
	"fmt"
	"slices"
	"time"
)

func sessionKey(id int64) string { return fmt.Sprintf("%#x", uint64(id)) }

// admitted reports whether the order of its line admits a claim.
func (o *oracle) admitted(s *stake) bool { return admittedIn(s.line.stakes, s) }

// admittedIn reports the same of a line as it would be.
func admittedIn(stakes []*stake, s *stake) bool {
	switch s.line.how {
	case shared:
		for _, x := range stakes {
			if x == s {
				return true
			}
			if s.mode != 'r' || x.mode != 'r' {
				return false
			}
		}
	case counted:
		return s.lease && s.holding
	case exclusive, alone:
		return len(stakes) > 0 && stakes[0] == s
	}
	return false
}

// queueUp notes whom each claim of a line waits for, and since when.
func queueUp(l *line, now time.Time) {
	for i, s := range l.stakes {
		var front *stake
		for j := i - 1; j >= 0 && front == nil; j-- {
			if x := l.stakes[j]; l.how != counted && (l.how != shared || s.mode != 'r' || x.mode != 'r') {
				front = x
			}
		}
		if front != s.front {
			s.front, s.moved = front, now
		}
	}
}

// ahead lists the claims that keep one waiting; any says that it is enough when one of them goes.
func (o *oracle) ahead(s *stake) (must, any []*stake) {
	l := s.line
	for _, x := range l.stakes {
		if x == s {
			break
		}
		switch {
		case l.how == counted && x.lease:
		case l.how == counted && s.lease:
		case l.how == shared && s.mode == 'r' && x.mode == 'r':
		default:
			must = append(must, x)
		}
	}
	if l.how == counted {
		for _, x := range l.stakes {
			if x.lease && x.holding && x != s {
				any = append(any, x)
			}
		}
		if len(any) < l.limit {
			any = nil
		}
	}
	return must, any
}

// review brings the facts about a line up to date.
func (o *oracle) review(l *line, now time.Time) {
	queueUp(l, now)
	first, twice := map[int64]*stake{}, map[int64]bool{}
	for _, s := range l.stakes {
		in := o.admitted(s)
		deaf := s.th == nil || s.blind
		if l.how == counted && s.lease && s.th != nil {
			deaf = false
		}
		if in && !s.unseen.IsZero() {
			s.unseenFor += now.Sub(s.unseen)
			s.unseen = time.Time{}
		}
		o.facts.say("lost-waiter", s.path, classOf(s), deaf && !in && !s.holding && l.how != alone, now)
		o.facts.say("leaked-claim", s.path, leakClass(s), deaf && in && !s.holding && l.how != alone, now)
		o.facts.say("holds", s.path, "", in && l.how != counted, now)
		o.facts.say("dead-holder", s.path, "", s.dead && in, now)
		if len(o.watch[s.path]) > 1 {
			o.herd(s.path)
		}
		for _, x := range l.stakes {
			if x.session != s.session && x.proc == s.proc && s.proc != nil {
				o.facts.say("duplicate-identity", s.path, "", true, now)
			}
		}
		f := first[s.session]
		if f == nil {
			first[s.session] = s
			continue
		}
		twice[s.session] = true
		if l.how == exclusive {
			o.facts.say("phantom-claim", f.path, "", f.th == nil, now)
		}
		if l.how == shared && f.mode == 'r' && s.mode == 'w' && f.th != nil && f.th == s.th {
			o.facts.say("self-wait", f.path, "", true, now)
		}
	}
	for id, f := range first {
		if !twice[id] {
			o.facts.say("phantom-claim", f.path, "", false, now)
			o.facts.say("self-wait", f.path, "", false, now)
		}
	}
	o.entangle(now)
}

// flaps counts the changes of hands that are a symptom: every one of a leader, else those that were lost with a session.
func (o *oracle) flaps(s *stake, now time.Time) {
	if _, over := o.ended[s.session]; !over && !s.line.elects {
		return
	}
	if s.line.lost++; s.line.lost > 3 {
		o.facts.say("flapping", s.line.path, "", true, now)
	}
}

func classOf(s *stake) string {
	switch {
	case s.dead:
		return "its process is dead"
	case s.session == 0:
		return "no session owns it"
	case s.left:
		return "its watch was left behind"
	}
	return ""
}

// knowable is how long a claim has to wait without a watch for two rounds of questions to find that out.
const knowable = 12 * time.Second

func leakClass(s *stake) string {
	if class := classOf(s); class != "" || s.unseenFor >= knowable {
		return class
	}
	return "it waited too short a time to be noticed"
}

// knot is threads that wait for each other in a circle.
type knot struct {
	threads  []*thread
	sessions []int64
	paths    []string
	from, to time.Time
	told     time.Time
	severity string // the highest that it was told at
}

// within reports whether the knot is one process's alone.
func (k *knot) within() bool { return len(k.sessions) == 1 }

// tangle is the history of one sort of knots.
type tangle struct {
	now, past []*knot // past has all, also those that stand
}

// entangle finds out which threads wait for each other.
func (o *oracle) entangle(now time.Time) {
	var waiting []*thread
	both, forgotten := 0, 0
	for _, l := range o.lines {
		for _, s := range l.stakes {
			if s.waiting && s.th != nil && s.th.wants == s && !slices.Contains(waiting, s.th) {
				waiting = append(waiting, s.th)
				if len(s.th.has) > 0 {
					both++
				}
			}
			if s.forgotten() {
				forgotten++
			}
		}
	}
	var found [][]*thread
	if both > 1 {
		found = o.circles(o.stuck(waiting, false), false)
	}
	o.knots.stand(found, now, o.remark)
	if forgotten > 0 && len(waiting) > 1 {
		found = o.circles(o.stuck(waiting, true), true)
	}
	o.snarls.stand(found, now, func(string) {})
}

// forgotten reports whether nobody knows of a claim any more whose session lives on: it stays as long as that.
func (s *stake) forgotten() bool { return s.th == nil && s.session != 0 && !s.dead }

// stand takes the circles that there are now.
func (t *tangle) stand(found [][]*thread, now time.Time, remark func(string)) {
	var stand []*knot
	for _, ths := range found {
		k := t.matching(ths)
		if k == nil {
			k = &knot{from: now}
			t.past = append(t.past, k)
			remark("deadlock begins: " + describe(ths))
		}
		k.threads, k.sessions, k.paths = ths, k.sessions[:0], k.paths[:0]
		for _, th := range ths {
			if !slices.Contains(k.sessions, th.c.id) {
				k.sessions = append(k.sessions, th.c.id)
			}
			k.paths = append(k.paths, th.wants.line.path)
		}
		stand = append(stand, k)
	}
	for _, k := range t.now {
		if !slices.Contains(stand, k) {
			k.to = now
			remark("deadlock ends: " + describe(k.threads))
		}
	}
	t.now = stand
}

// matching finds the standing knot that shares threads with a circle.
func (t *tangle) matching(ths []*thread) *knot {
	for _, k := range t.now {
		n := 0
		for _, th := range k.threads {
			if slices.Contains(ths, th) {
				n++
			}
		}
		if n > 1 {
			return k
		}
	}
	return nil
}

// stuck returns the threads that can never go on unless one of them gives up. forgotten says that claims count of which
// nobody knows any more: they stay, whatever the threads of their sessions do.
func (o *oracle) stuck(waiting []*thread, forgotten bool) map[*thread]bool {
	in := map[*thread]bool{}
	for _, th := range waiting {
		in[th] = true
	}
	for again := true; again; {
		again = false
		for th := range in {
			if len(o.holdups(th, in, forgotten)) == 0 {
				delete(in, th)
				again = true
			}
		}
	}
	return in
}

// holdups lists the threads of a set that a thread waits for: behind a claim that nobody knows of those of its session, which
// are who is said to hold it.
func (o *oracle) holdups(th *thread, in map[*thread]bool, forgotten bool) (out []*thread) {
	must, some := o.ahead(th.wants)
	for _, s := range must {
		if forgotten && s.forgotten() {
			for x := range in {
				if x != th && x.c.id == s.session {
					out = append(out, x)
				}
			}
		}
		if s.th != nil && s.th != th && in[s.th] {
			out = append(out, s.th)
		}
	}
	for _, s := range some {
		if s.th == nil || s.th == th || !in[s.th] {
			return out
		}
	}
	for _, s := range some {
		out = append(out, s.th)
	}
	return out
}

// circles groups the stuck threads that reach each other.
func (o *oracle) circles(in map[*thread]bool, forgotten bool) (out [][]*thread) {
	reach := map[*thread]map[*thread]bool{}
	for th := range in {
		to := map[*thread]bool{}
		for todo := []*thread{th}; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			for _, next := range o.holdups(at, in, forgotten) {
				if !to[next] {
					to[next] = true
					todo = append(todo, next)
				}
			}
		}
		reach[th] = to
	}
	done := map[*thread]bool{}
	for th := range in {
		if done[th] || !reach[th][th] {
			continue
		}
		var group []*thread
		for x := range in {
			if reach[th][x] && reach[x][th] {
				group = append(group, x)
				done[x] = true
			}
		}
		if len(group) > 1 {
			slices.SortFunc(group, func(a, b *thread) int { return a.number - b.number })
			out = append(out, group)
		}
	}
	return out
}

// quiet reports whether no session of a knot made or released a claim in its first ten seconds.
func (o *oracle) quiet(k *knot) bool {
	for _, id := range k.sessions {
		for _, at := range o.active[id] {
			if at.After(k.from) && at.Before(k.from.Add(window)) {
				return false
			}
		}
	}
	return true
}

func describe(ths []*thread) (s string) {
	for _, th := range ths {
		s += " " + th.String()
		if th.wants != nil {
			s += " wants " + th.wants.line.path
		}
	}
	return s
}
