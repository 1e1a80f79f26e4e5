package truth

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// semaphore is kazoo's or Curator's: some leases, and a lock beside that admits one at a time to look for one.
func (w *world) semaphore() {
	limit := 1 + w.rng.IntN(3)
	path := "/" + w.name("sem")
	s := sema{limit: limit, think: bounds{time.Second, 8 * time.Second}, hold: bounds{500 * time.Millisecond, 6 * time.Second}}
	if w.rng.IntN(2) == 0 {
		w.dir(path, fmt.Sprint(limit))
		s.f, s.leases, s.queue = flavours[2], path, w.dir(path+"-__lock__", "")
	} else {
		s.f, s.leases, s.queue, s.early = flavours[1], w.dir(path+"/leases", ""), w.dir(path+"/locks", ""), true
	}
	s.line = w.tr.line(path, counted, limit)
	ps := w.team("user", 3, 2, s.user)
	w.trouble(ps, faults{kills: 1, stops: 1, hangs: 1, drops: 1, every: bounds{40 * time.Second, 3 * time.Minute}})
}

// sema is a semaphore as one library keeps it.
type sema struct {
	line          *line
	f             *flavour
	limit         int
	leases, queue string // directories
	early         bool   // the lease is made before it is known whether there is a place for it, as Curator does
	think, hold   bounds
}

// user takes leases.
func (s *sema) user(th *thread) {
	for s.think.of(th) {
		place := th.acquireIn(s.line, s.queue, s.f)
		if place == nil {
			continue
		}
		lease := th.lease(s)
		th.release(place)
		if lease == nil {
			continue
		}
		if !s.hold.of(th) {
			return
		}
		th.release(lease)
	}
}

// lease waits for a free place and takes it.
func (th *thread) lease(s *sema) *stake {
	var mine *stake
	for th.lag() {
		if mine == nil && s.early {
			if mine = th.makeLease(s); mine == nil {
				return nil
			}
		}
		names, ch, err := th.c.children(s.leases, true)
		switch {
		case err != nil:
			continue
		case mine != nil && len(names) <= s.limit:
			th.w.tr.holds(mine)
			return mine
		case mine == nil && len(names) < s.limit:
			if mine = th.makeLease(s); mine != nil {
				th.w.tr.holds(mine)
			}
			return mine
		}
		if _, ok := th.await(ch, 0); !ok {
			return nil
		}
	}
	return nil
}

// makeLease makes the znode of a lease.
func (th *thread) makeLease(s *sema) *stake {
	id, flags := th.id(), wire.FlagEphemeral
	name := hexOf(id)
	if s.early {
		name, flags = s.f.guard(id)+"lease-", wire.FlagEphemeralSequence
	}
	path, code, err := th.c.create(s.leases+"/"+name, []byte(s.f.data(th.p, th)), flags)
	if err != nil || code != wire.OK {
		return nil
	}
	return th.w.tr.made(s.line, path, th, th.c.id, 'x')
}

// acquireIn waits in a line that stands in a directory of its own, for a claim that is not yet what is wanted.
func (th *thread) acquireIn(l *line, dir string, f *flavour) *stake {
	if !th.lag() {
		return nil
	}
	path, code, err := th.c.create(dir+"/"+f.guard(th.id())+f.word['x'], []byte(f.data(th.p, th)), wire.FlagEphemeralSequence)
	if err != nil || code != wire.OK {
		return nil
	}
	return th.stand(th.w.tr.made(l, path, th, th.c.id, 'x'), dir, f)
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
		var ch chan struct{}
		if f.gets {
			_, _, ch, _ = th.c.get(dir+"/"+ahead, true)
		} else if there, c, _ := th.c.exists(dir+"/"+ahead, true); there {
			ch = c
		}
		if ch == nil {
			continue
		}
		if _, ok := th.await(ch, 0); !ok {
			return nil
		}
	}
	return nil
}

// id makes a number for a name.
func (th *thread) id() (id [16]byte) {
	for i := range id {
		id[i] = byte(th.rng.UintN(256))
	}
	return id
}
