package truth

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// build makes a world: some of everything, by its seed.
func (w *world) build() {
	for range 2 + w.rng.IntN(2) {
		w.ordinary()
	}
	for _, part := range []struct {
		odds int // in ten
		make func()
	}{
		{4, w.hot}, {5, w.readWrite}, {5, w.nested}, {6, w.embrace}, {4, w.crossing}, {6, w.leaky}, {6, w.deaf},
		{5, w.latch}, {3, func() { w.kafka(3 + w.rng.IntN(3)) }}, {3, func() { w.patroni(3) }}, {4, w.semaphore},
		{3, w.forgetful}, {3, w.doubleBarrier}, {4, w.moody}, {2, w.remains}, {3, w.lockingQueue}, {4, w.freezing},
	} {
		if w.rng.IntN(10) < part.odds {
			part.make()
		}
	}
}

// lines makes some locks that belong together.
func (w *world) lines(n int, how discipline) (out []*line) {
	base := "/" + w.name("locks")
	for w.used[base] {
		base += "2"
	}
	w.used[base] = true
	for i := range n {
		path := w.dir(fmt.Sprintf("%s/%s-%d", base, pick(w.rng, "account", "item", "shard"), i), "")
		out = append(out, w.tr.line(path, how, 1))
	}
	return out
}

// team makes processes of one to several threads that all do the same.
func (w *world) team(name string, n, threads int, work func(*thread)) (out []*proc) {
	for i := range n {
		var all []func(*thread)
		for range 1 + w.rng.IntN(threads) {
			all = append(all, work)
		}
		p := w.process(fmt.Sprintf("%s-%d-%d", name, len(w.procs), i), all...)
		p.names = w.rng.IntN(2) == 0
		out = append(out, p)
	}
	return out
}

// ordinary are locks that several processes use, most of them with several threads, as it should be; now and then one
// dies, hangs or loses its connection.
func (w *world) ordinary() {
	l := labour{lines: w.lines(1+w.rng.IntN(3), exclusive), f: pick(w.rng, flavours...), think: bounds{time.Second, 15 * time.Second}, hold: bounds{100 * time.Millisecond, 5 * time.Second}}
	if w.rng.IntN(3) == 0 {
		l.vow.patience = 20 * time.Second
	}
	ps := w.team("worker", 2+w.rng.IntN(4), 3, worker(l))
	w.trouble(ps, faults{kills: 2, stops: 2, hangs: 3, drops: 2, every: bounds{20 * time.Second, 3 * time.Minute}})
}

// hot is a lock that changes hands all the time.
func (w *world) hot() {
	l := labour{lines: w.lines(1+w.rng.IntN(2), exclusive), f: pick(w.rng, flavours...), think: bounds{50 * time.Millisecond, 1500 * time.Millisecond}, hold: bounds{20 * time.Millisecond, 300 * time.Millisecond}}
	w.team("hot", 3, 3, worker(l))
}

// readWrite is a read/write lock.
func (w *world) readWrite() {
	l := labour{lines: w.lines(1, shared), f: flavours[w.rng.IntN(3)], think: bounds{time.Second, 8 * time.Second}, hold: bounds{200 * time.Millisecond, 4 * time.Second}, writes: 3}
	w.trouble(w.team("reader", 4, 2, worker(l)), faults{kills: 1, stops: 1, hangs: 1, drops: 1, every: bounds{30 * time.Second, time.Minute * 4}})
}

// nested are two locks that everyone takes in the same order.
func (w *world) nested() {
	l := labour{lines: w.lines(2, exclusive), f: pick(w.rng, flavours...), think: bounds{time.Second, 10 * time.Second}, hold: bounds{100 * time.Millisecond, 4 * time.Second}}
	w.team("nested", 3, 2, nester(l))
}

// embrace are locks that some take in one order and others in another: they stop each other until one loses its
// patience.
func (w *world) embrace() {
	how := pick(w.rng, exclusive, exclusive, shared)
	l := labour{lines: w.lines(2, how), f: pick(w.rng, flavours[:3]...), think: bounds{2 * time.Second, 20 * time.Second}, hold: bounds{200 * time.Millisecond, 5 * time.Second}, writes: 2}
	l.vow.patience = between(w.rng, 15*time.Second, 70*time.Second)
	m := l
	m.reversed = true
	m.vow.patience += between(w.rng, 10*time.Second, 40*time.Second)
	busy := w.rng.IntN(2) == 0
	side := labour{lines: w.lines(1, exclusive), f: l.f, think: bounds{500 * time.Millisecond, 3 * time.Second}, hold: bounds{100 * time.Millisecond, time.Second}}
	for i, work := range []func(*thread){nester(l), nester(m)} {
		p := w.process(fmt.Sprintf("%s-%d", pick(w.rng, "transfer", "batch"), i), work)
		if p.names = w.rng.IntN(2) == 0; busy {
			p.work = append(p.work, worker(side))
		}
	}
}

// crossing are processes whose threads hold and await two locks for a long time, each thread one at a time: sessions
// wait for each other in a circle, and no thread does.
func (w *world) crossing() {
	l := labour{lines: w.lines(2, exclusive), f: pick(w.rng, flavours...), think: bounds{500 * time.Millisecond, 8 * time.Second}, hold: bounds{time.Second, 25 * time.Second}}
	for i := range 2 {
		p := w.process(fmt.Sprintf("jobs-%d", i), worker(l), worker(l))
		p.names = w.rng.IntN(2) == 0
	}
}

// leaky are clients that now and then forget a claim whose creation they never heard of, or that they gave up.
func (w *world) leaky() {
	l := labour{lines: w.lines(2, exclusive), f: pick(w.rng, flavours[0], flavours[2]), think: bounds{time.Second, 10 * time.Second}, hold: bounds{500 * time.Millisecond, 8 * time.Second}}
	l.vow = vow{leaks: 8, patience: 25 * time.Second}
	sound := l
	sound.vow, sound.hold = vow{}, bounds{4 * time.Second, 22 * time.Second}
	w.team("sound", 2, 2, worker(sound))
	w.janitor(w.team("leaky", 2, 2, worker(l)), bounds{20 * time.Second, 90 * time.Second})
}

// deaf are clients that now and then wait without a watch.
func (w *world) deaf() {
	l := labour{lines: w.lines(2, exclusive), f: pick(w.rng, flavours...), think: bounds{time.Second, 10 * time.Second}, hold: bounds{time.Second, 12 * time.Second}}
	sound := l
	l.vow = vow{deaf: 4}
	w.team("sound", 2, 2, worker(sound))
	w.janitor(w.team("deaf", 2, 1, worker(l)), bounds{30 * time.Second, 2 * time.Minute})
}

// forgetful are clients that lose their watches with their connection.
func (w *world) forgetful() {
	l := labour{lines: w.lines(1, exclusive), f: pick(w.rng, flavours...), think: bounds{time.Second, 6 * time.Second}, hold: bounds{2 * time.Second, 20 * time.Second}}
	w.trouble(w.team("old", 3, 2, worker(l)), faults{drops: 1, every: bounds{15 * time.Second, time.Minute}})
}

// freezing are processes that stop altogether for some seconds: their connection stands, and nothing is heard of them.
func (w *world) freezing() {
	l := labour{lines: w.lines(1, exclusive), f: pick(w.rng, flavours...), think: bounds{time.Second, 10 * time.Second}, hold: bounds{500 * time.Millisecond, 6 * time.Second}}
	ps := w.team("frozen", 3, 1, worker(l))
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, 15*time.Second, 90*time.Second)) {
			w.freeze(ps[rng.IntN(len(ps))], rng)
		}
	})
}

// latch is an election with standbys.
func (w *world) latch() {
	l := w.tr.line(w.dir("/"+w.name("election"), ""), exclusive, 1)
	l.elects = true
	f, word := flavours[0], "n_"
	if w.rng.IntN(2) == 0 {
		f, word = flavours[1], "latch-"
	}
	ps := w.team("node", 3, 1, candidate(l, f, word, bounds{20 * time.Second, 3 * time.Minute}))
	w.trouble(ps, faults{kills: 2, stops: 1, hangs: 1, drops: 1, every: bounds{30 * time.Second, 3 * time.Minute}})
}

// remains is a lock in which a script left a claim that no session owns, until somebody takes it away.
func (w *world) remains() {
	lines := w.lines(1, exclusive)
	f := flavours[2]
	w.team("worker", 2, 1, worker(labour{lines: lines, f: f, think: bounds{time.Second, 10 * time.Second}, hold: bounds{200 * time.Millisecond, 3 * time.Second}}))
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, 20*time.Second, 3*time.Minute)) {
			var id [16]byte
			id[0], id[15] = byte(rng.UintN(256)), byte(rng.UintN(256))
			path, _, err := w.root.create(lines[0].path+"/"+f.guard(id)+f.word['x'], []byte("deploy.sh"), wire.FlagSequence)
			if err != nil {
				return
			}
			w.tr.made(lines[0], path, nil, 0, 'x')
			w.tr.state("persistent-claim", path, true)
			if !w.rest(between(rng, 15*time.Second, 90*time.Second)) {
				return
			}
			_, _ = w.root.remove(path)
		}
	})
}
