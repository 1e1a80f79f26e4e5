package truth

import (
	"testing"
	"time"
)

// listed makes an oracle with a line of three claims, of which the last waits without a watch since the start.
func listed(t *testing.T) (o *oracle, lost *stake, after func(d time.Duration) time.Time) {
	t.Helper()
	now := epoch
	o = newOracle()
	o.now = func() time.Time { return now }
	l := o.line("/locks/l", exclusive, 1)
	for id, name := range []string{"a", "b"} {
		s := o.made(l, "/locks/l/lock-000000000"+name, nil, int64(id+1), 'x')
		s.th, s.left = &thread{p: &proc{}}, false
		o.connected(s.session, true)
	}
	lost = o.stakes["/locks/l/lock-000000000b"]
	o.waits(lost, true)
	return o, lost, func(d time.Duration) time.Time { now = now.Add(d); return now }
}

// round gives the console one list, of which only the first members' parts are whole.
func round(o *oracle, after func(time.Duration) time.Time, whole int) {
	for i := range whole {
		at := after(100 * time.Millisecond)
		o.listed(i, func(id int64) bool { return int(id)%3 == i }, at, at.Add(100*time.Millisecond))
	}
	after(2 * time.Second)
}

// What could not be told is decided by the lists that the console was given, and by nothing else.
func TestWhatCouldNotBeTold(t *testing.T) {
	kept := func(time.Time, time.Time) bool { return true }
	none := func(time.Time, time.Time) bool { return false }
	for name, c := range map[string]struct {
		play  func(o *oracle, lost *stake, after func(time.Duration) time.Time)
		kept  func(from, to time.Time) bool
		class string
	}{
		"two lists": {func(o *oracle, _ *stake, after func(time.Duration) time.Time) { round(o, after, 3); round(o, after, 3) }, kept, ""},
		"one list, another kept back": {func(o *oracle, _ *stake, after func(time.Duration) time.Time) { round(o, after, 3); round(o, after, 2) }, kept,
			untold + "no two complete lists in the ten seconds"},
		"one list, and the console did not ask again": {func(o *oracle, _ *stake, after func(time.Duration) time.Time) { round(o, after, 3) }, none, ""},
		"halves make no list": {func(o *oracle, _ *stake, after func(time.Duration) time.Time) {
			for range 4 {
				round(o, after, 2)
			}
		}, kept, untold + "no two complete lists in the ten seconds"},
		"the second list came too late": {func(o *oracle, _ *stake, after func(time.Duration) time.Time) {
			round(o, after, 3)
			after(8 * time.Second)
			round(o, after, 3)
		}, kept, untold + "no two complete lists in the ten seconds"},
		"its session watches there for another claim's sake": {func(o *oracle, lost *stake, after func(time.Duration) time.Time) {
			o.watches(lost.session, dataTable, lost.front.path)
			round(o, after, 3)
			round(o, after, 3)
		}, kept, untold + "all lists but one show a watch of its session there, or no connection"},
		"it was away for one of three": {func(o *oracle, lost *stake, after func(time.Duration) time.Time) {
			o.connected(lost.session, false)
			round(o, after, 3)
			o.connected(lost.session, true)
			round(o, after, 3)
			round(o, after, 3)
		}, kept, ""},
	} {
		o, lost, after := listed(t)
		after(time.Second)
		c.play(o, lost, after)
		f := o.facts.now[fact{"lost-waiter", lost.path}]
		if f == nil {
			t.Fatal("no waiter is lost")
		}
		if got := o.untellable(f, c.kept); got != c.class {
			t.Errorf("%s: %q, want %q", name, got, c.class)
		}
	}
}

// A leaked claim could be told where its wait could.
func TestALeakCouldBeToldWhereItsWaitCould(t *testing.T) {
	for rounds, class := range map[int]string{1: untold + "no two complete lists in the ten seconds", 2: ""} {
		o, lost, after := listed(t)
		for range rounds {
			round(o, after, 3)
		}
		o.went("/locks/l/lock-000000000a")
		f := o.facts.now[fact{"leaked-claim", lost.path}]
		if f == nil {
			t.Fatal("nothing is leaked")
		}
		if got := o.untellable(f, func(time.Time, time.Time) bool { return true }); got != class {
			t.Errorf("%d lists: %q, want %q", rounds, got, class)
		}
	}
}

// Whoever is refused a word heeds that for a minute: until then the member keeps its watches back.
func TestARefusalIsHeeded(t *testing.T) {
	m := &members{}
	at := epoch
	m.note(1, "wchs", noWatches, at, 0)
	for after, kept := range map[time.Duration]bool{-time.Minute: false, 0: true, 50 * time.Second: true, 2 * time.Minute: false} {
		if got := m.kept(at.Add(after), at.Add(after+window)); got != kept {
			t.Errorf("%v after: %v, want %v", after, got, kept)
		}
	}
}
