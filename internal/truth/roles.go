package truth

import "time"

// bounds is a range of durations.
type bounds struct{ least, most time.Duration }

func (b bounds) of(th *thread) bool { return th.nap(b.least, b.most) }

// labour is how a thread works on lines.
type labour struct {
	lines    []*line
	f        *flavour
	think    bounds
	hold     bounds
	vow      vow
	writes   int  // of read/write lines: once in so many it writes
	reversed bool // of a nester: it takes the lines in the other order
}

// worker takes places in lines one after the other, each at random.
func worker(l labour) func(*thread) {
	return func(th *thread) {
		for l.think.of(th) {
			v := l.vow
			ln := l.lines[th.rng.IntN(len(l.lines))]
			if ln.how == shared {
				v.mode = 'r'
				if th.sometimes(l.writes) {
					v.mode = 'w'
				}
			}
			s := th.acquire(ln, l.f, v)
			if s == nil {
				continue
			}
			if !l.hold.of(th) {
				return
			}
			th.release(s)
		}
	}
}

// nester holds one line while it takes the next; reversed the other way round.
func nester(l labour) func(*thread) {
	return func(th *thread) {
		for l.think.of(th) {
			a, b := l.lines[0], l.lines[1]
			if l.reversed {
				a, b = b, a
			}
			mode := func(ln *line) vow {
				v := l.vow
				if ln.how == shared {
					v.mode = 'w'
				}
				return v
			}
			first := th.acquire(a, l.f, mode(a))
			if first == nil {
				continue
			}
			if !l.hold.of(th) {
				return
			}
			if second := th.acquire(b, l.f, mode(b)); second != nil {
				if !l.hold.of(th) {
					return
				}
				th.release(second)
			}
			th.release(first)
		}
	}
}

// candidate stands for an election: it leads for a while, steps down and stands again.
func candidate(l *line, f *flavour, word string, leads bounds) func(*thread) {
	return func(th *thread) {
		for th.nap(10*time.Millisecond, 2*time.Second) {
			s := th.acquire(l, f, vow{word: word})
			if s == nil {
				continue
			}
			if !leads.of(th) {
				return
			}
			th.release(s)
		}
	}
}
