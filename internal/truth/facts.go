package truth

import "time"

// window is for how long a condition that is over may still be told, and within which one that stands has to be.
const window = 10 * time.Second

// fact is one thing that is true for a while: under which code it would be told, and of what.
type fact struct{ code, key string }

// span is a time in which a fact was true.
type span struct {
	fact
	from, to time.Time // to is zero while it is true
	told     time.Time // when a finding named it first; zero: none did
	class    string    // what sets it apart; empty: nothing

	lacked []listing // of a lost waiter: the lists of all watches that lacked its own
	hidden bool      // the one that is being made does not
}

// facts is the history of what was true.
type facts struct {
	now  map[fact]*span
	last map[fact]*span // the latest one that is over
	all  []*span

	waited map[string]*span // the latest wait without a watch, by claim
}

func newFacts() *facts {
	return &facts{now: map[fact]*span{}, last: map[fact]*span{}, waited: map[string]*span{}}
}

// say begins or ends a span.
func (f *facts) say(code, key, class string, on bool, at time.Time) {
	k := fact{code, key}
	s := f.now[k]
	switch {
	case on && s == nil:
		s = &span{fact: k, from: at, class: class}
		f.now[k] = s
		if code == "lost-waiter" {
			f.waited[key] = s
		}
		f.all = append(f.all, s)
	case on:
		if class != "" {
			s.class = class
		}
	case s != nil:
		s.to = at
		f.last[k] = s
		delete(f.now, k)
	}
}

// aboutZnodes are the codes whose facts end with a claim's znode.
var aboutZnodes = []string{"lost-waiter", "leaked-claim", "phantom-claim", "self-wait", "dead-holder", "herd", "duplicate-identity", "persistent-claim", "holds"}

// forget ends what was true of a znode that is gone.
func (f *facts) forget(path string, at time.Time) {
	for _, code := range aboutZnodes {
		f.say(code, path, "", false, at)
	}
}

// held reports whether a fact was true at some moment of the window before at, and marks it as told.
func (f *facts) held(code, key string, at time.Time) bool {
	k := fact{code, key}
	if s := f.now[k]; s != nil {
		if s.told.IsZero() && !s.from.After(at) {
			s.told = at
		}
		return true
	}
	s := f.last[k]
	return s != nil && !s.to.Before(at.Add(-window))
}
