package mirror

import (
	"sync"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// inbox takes what a connection reports to the owner. Nothing in it waits, and it holds one entry for each
// path however many events name it.
type inbox struct {
	wake chan struct{} // 1 slot

	mu     sync.Mutex
	post   post
	events uint64 // all that came
	merged uint64 // those whose path was there already
}

// post is what has come since the owner looked last.
type post struct {
	states  []zkc.State
	batches []*batch
	paths   []string // in the order of their first event
	seen    map[string]happened
	calls   []func() // to be run by the owner
}

// happened says which kinds of events named a path.
type happened uint8

const (
	cameOrWent happened = 1 << iota // its parent's stat has moved too
	changed
	childrenChanged // from a one-shot watch only
)

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// put changes the post under the lock and wakes the owner.
func (in *inbox) put(change func(*post)) {
	in.mu.Lock()
	change(&in.post)
	in.mu.Unlock()
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

func (in *inbox) state(s zkc.State) { in.put(func(p *post) { p.states = append(p.states, s) }) }
func (in *inbox) batch(b *batch)    { in.put(func(p *post) { p.batches = append(p.batches, b) }) }
func (in *inbox) call(f func())     { in.put(func(p *post) { p.calls = append(p.calls, f) }) }

// event merges a watch event.
func (in *inbox) event(ev wire.Event) {
	var h happened
	switch ev.Type {
	case wire.EventCreated, wire.EventDeleted:
		h = cameOrWent
	case wire.EventDataChanged:
		h = changed
	case wire.EventChildrenChanged:
		h = childrenChanged
	default:
		return
	}
	in.put(func(p *post) {
		in.events++
		if p.seen == nil {
			p.seen = make(map[string]happened)
		}
		before, again := p.seen[ev.Path]
		if again {
			in.merged++
		} else {
			p.paths = append(p.paths, ev.Path)
		}
		p.seen[ev.Path] = before | h
	})
}

// take empties the inbox.
func (in *inbox) take() post {
	in.mu.Lock()
	defer in.mu.Unlock()
	p := in.post
	in.post = post{}
	return p
}

func (in *inbox) counts() (events, merged uint64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.events, in.merged
}
