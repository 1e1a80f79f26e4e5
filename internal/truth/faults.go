package truth

import (
	"math/rand/v2"
	"time"
)

// restart ends a process, without a word when it is killed, and starts it again after a while.
func (w *world) restart(p *proc, rng *rand.Rand, killed bool) {
	p.ending <- struct{}{}
	defer func() { <-p.ending }()
	old := p.session().id
	if killed {
		p.kill()
	} else {
		p.stop()
	}
	if !w.rest(between(rng, 300*time.Millisecond, 8*time.Second)) {
		return
	}
	if !p.start() {
		return
	}
	if killed {
		w.tr.reborn(old)
	}
}

// reborn tells that a killed process is back while its old session still lives.
func (o *oracle) reborn(old int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, over := o.ended[old]; !over {
		o.facts.say("owner-restarted", sessionKey(old), "", true, o.now())
	}
}

// faults is what goes wrong with a world's processes.
type faults struct {
	kills, stops, hangs, drops int // weights
	every                      bounds
}

// trouble lets things go wrong until the world ends.
func (w *world) trouble(ps []*proc, f faults) {
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, f.every.least, f.every.most)) {
			p := ps[rng.IntN(len(ps))]
			n := rng.IntN(f.kills + f.stops + f.hangs + f.drops)
			switch {
			case n < f.kills:
				w.restart(p, rng, true)
			case n < f.kills+f.stops:
				w.restart(p, rng, false)
			case n < f.kills+f.stops+f.hangs:
				p.hang()
				w.rest(between(rng, time.Second, 25*time.Second))
				p.resume()
			default:
				w.drop(p, rng, rng.IntN(3) == 0)
			}
		}
	})
}

// drop loses a process's connection. It comes back, perhaps to another member, with its watches or, where its library
// has that fault, without.
func (w *world) drop(p *proc, rng *rand.Rand, forgets bool) {
	c := p.session()
	c.mu.Lock()
	c.forgets, c.back = forgets, between(rng, 50*time.Millisecond, 2*time.Second)
	c.mu.Unlock()
	w.mem.move(c.id)
	w.srv.Drop(c.id)
	if !forgets {
		return
	}
	if w.rest(between(rng, 15*time.Second, 90*time.Second)) {
		w.restart(p, rng, false) // somebody noticed
	}
}

// freeze stops a process altogether for a while. When that was too long its session is over, and it begins anew.
func (w *world) freeze(p *proc, rng *rand.Rand) {
	c := p.session()
	p.hang()
	c.hush(true)
	w.tr.state("owner-silent", sessionKey(c.id), true)
	w.rest(between(rng, 2*time.Second, 20*time.Second))
	c.hush(false)
	p.resume()
	w.tr.state("owner-silent", sessionKey(c.id), false)
	w.rest(2 * time.Second)
	if c.isOver() {
		w.restart(p, rng, false)
	}
}

// moody lets members answer badly for a while.
func (w *world) moody() {
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, 40*time.Second, 4*time.Minute)) {
			i := rng.IntN(len(memberAddrs))
			how := pick(rng, mute, refuses, noWatches, cutsShort)
			w.mem.feel(i, how, time.Now())
			w.tr.state("server-unreachable", "", how == mute || how == refuses)
			ok := w.rest(between(rng, 3*time.Second, 20*time.Second))
			w.mem.feel(i, talks, time.Now())
			w.tr.state("server-unreachable", "", false)
			if !ok {
				return
			}
		}
	})
}

// janitor restarts a process now and then, so that what it forgot goes.
func (w *world) janitor(ps []*proc, every bounds) {
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, every.least, every.most)) {
			w.restart(ps[rng.IntN(len(ps))], rng, false)
		}
	})
}
