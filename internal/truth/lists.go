package truth

import (
	"slices"
	"strings"
	"time"
)

// listing is one list of all watches as the console was given it: every member's part, all of them whole. Begun is when the
// first part was made, told when the last had arrived.
type listing struct{ begun, told time.Time }

// lists keeps what the bench gave the console of watches. The oracle guards it.
type lists struct {
	parts [3]bool // of the list that is being made
	now   listing
	whole []listing
}

// listed notes that a member's whole part of a list was made at a moment, and when it will have arrived. mine tells whose
// sessions' watches are in it.
func (o *oracle) listed(member int, mine func(session int64) bool, made, told time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := &o.lists
	if l.parts == [3]bool{} || l.parts[member] { // the one before was never whole
		l.parts, l.now = [3]bool{}, listing{begun: made}
		for _, f := range o.facts.now {
			f.hidden = false
		}
	}
	l.parts[member] = true
	if told.After(l.now.told) {
		l.now.told = told
	}
	full := !slices.Contains(l.parts[:], false)
	for k, f := range o.facts.now {
		if k.code != "lost-waiter" {
			continue
		}
		f.hidden = f.hidden || o.shows(k.key, mine)
		if full && !f.hidden && !l.now.begun.Before(f.from) {
			f.lacked = append(f.lacked, l.now)
		}
	}
	if full {
		l.whole, l.parts = append(l.whole, l.now), [3]bool{}
	}
}

// shows reports whether the part of a list that is being made hides that a claim's client does not watch: its session has a
// watch on the claim ahead, for whatever reason, or no connection.
func (o *oracle) shows(path string, mine func(int64) bool) bool {
	s := o.stakes[path]
	if s == nil || !mine(s.session) {
		return false
	}
	return !o.joined[s.session] || s.front != nil && slices.Contains(o.watch[s.front.path], s.session)
}

// apart is how long after one list another has to be begun to be a second look: a client that wakes takes a moment to set its
// next watch.
const apart = time.Second

// within counts the lists that were begun and told in a time, those that were made one right after the other once.
func within(all []listing, from, to time.Time) (n int) {
	var last time.Time
	for _, l := range all {
		if !l.begun.Before(from) && !l.told.After(to) && l.begun.Sub(last) >= apart {
			n, last = n+1, l.begun
		}
	}
	return n
}

// untold begins the classes of facts that could not be told from what the console was given.
const untold = "could not be told: "

// untellable is the class of a lost or leaked claim of which the bench did not give the console what telling it takes: two
// lists of all watches that lack its client's. It looks at nothing but what the bench gave: that lists were too few counts
// only where a member kept some back, and not where the console did not ask for them.
func (o *oracle) untellable(f *span, kept func(from, to time.Time) bool) string {
	from, to := f.from, f.from.Add(window)
	lost := f
	if f.code == "leaked-claim" {
		if lost = o.facts.waited[f.key]; lost == nil {
			return ""
		}
		from, to = lost.from, f.from
	}
	switch whole := within(o.lists.whole, from, to); {
	case within(lost.lacked, from, to) > 1:
		return ""
	case whole > 1:
		return untold + "all lists but one show a watch of its session there, or no connection"
	case kept(from, to):
		return untold + "no two complete lists in the ten seconds"
	}
	return ""
}

func isUntold(class string) bool { return strings.HasPrefix(class, untold) }
