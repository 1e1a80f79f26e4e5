package truth

import (
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// span2 is a range of durations.
type bounds struct{ least, most time.Duration }

func (b bounds) of(th *thread) bool { return th.nap(b.least, b.most) }

// labour is how a thread works on lines.
type labour struct {
	lines   []*line
	f       *flavour
	think   bounds
	hold    bounds
	vow     vow
	writes  int  // of read/write lines: once in so many it writes
	nests   bool // it takes two lines, the second while it holds the first, always in the same order
	crosses bool // the same, in the order in which they stand in the list or the other way round: see turned
	turned  bool
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

// nester holds one line while it takes the next; turned the other way round.
func nester(l labour) func(*thread) {
	return func(th *thread) {
		for l.think.of(th) {
			a, b := l.lines[0], l.lines[1]
			if l.turned {
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

// idle keeps a session without work.
func idle(th *thread) {
	for th.nap(time.Minute, 2*time.Minute) {
	}
}

// semaphorist takes leases as kazoo's Semaphore does: a lock beside the directory admits one that looks for a lease.
func semaphorist(l *line, limit int, think, hold bounds) func(*thread) {
	f := flavours[2]
	return func(th *thread) {
		for think.of(th) {
			s := th.acquireIn(l, l.path+"-__lock__", f)
			if s == nil {
				continue
			}
			lease := th.lease(l, limit)
			th.release(s)
			if lease == nil {
				continue
			}
			if !hold.of(th) {
				return
			}
			th.release(lease)
		}
	}
}

// lease waits for a free place and takes it.
func (th *thread) lease(l *line, limit int) *stake {
	for th.lag() {
		names, ch, err := th.c.children(l.path, true)
		switch {
		case err != nil:
			continue
		case len(names) < limit:
			var id [16]byte
			for i := range id {
				id[i] = byte(th.rng.UintN(256))
			}
			path, code, err := th.c.create(l.path+"/"+hexOf(id), []byte(th.p.name), wire.FlagEphemeral)
			if err != nil || code != wire.OK {
				return nil
			}
			s := th.w.tr.made(l, path, th, th.c.id, 'x')
			th.w.tr.holds(s)
			return s
		}
		if _, ok := th.await(ch, 0); !ok {
			return nil
		}
	}
	return nil
}

// acquireIn waits in a line that stands in a directory of its own, for a claim that is not yet what is wanted.
func (th *thread) acquireIn(l *line, dir string, f *flavour) *stake {
	var id [16]byte
	for i := range id {
		id[i] = byte(th.rng.UintN(256))
	}
	if !th.lag() {
		return nil
	}
	path, code, err := th.c.create(dir+"/"+f.guard(id)+f.word['x'], []byte(f.data(th.p, th)), wire.FlagEphemeralSequence)
	if err != nil || code != wire.OK {
		return nil
	}
	s := th.w.tr.made(l, path, th, th.c.id, 'x')
	return th.stand(s, dir, f)
}

// stand waits until a claim is the first of a directory.
func (th *thread) stand(s *stake, dir string, f *flavour) *stake {
	for th.lag() {
		names, _, err := th.c.children(dir, false)
		if err != nil {
			continue
		}
		ahead, there := turn(names, s, f.first)
		if !there {
			return nil
		}
		th.w.tr.waits(s, false)
		if ahead == "" {
			return s // first in line: it waits for a lease
		}
		if _, ch, err := th.c.exists(dir+"/"+ahead, true); err == nil && ch != nil {
			if _, ok := th.await(ch, 0); !ok {
				return nil
			}
		}
	}
	return nil
}
