package truth

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// doubleBarrier is rounds that members enter and leave together, as Curator does it; now and then the last one leaves
// its ready behind, and the next round's first member walks straight in.
func (w *world) doubleBarrier() {
	path := w.dir("/"+w.name("barrier"), "")
	n := 3
	w.job(func(rng *rand.Rand) {
		c, err := connect(w.srv, w.tr, "10.0.250.1:40000", 10*time.Second)
		if err != nil {
			return
		}
		w.opened(c)
		defer c.kill()
		for w.rest(between(rng, 5*time.Second, 20*time.Second)) {
			if !w.round(c, path, n, rng) {
				return
			}
		}
	})
}

// round plays one round with all members.
func (w *world) round(c *client, path string, n int, rng *rand.Rand) bool {
	var members []string
	for i := range n {
		p := fmt.Sprintf("%s/%08x-0000-4000-8000-%012x", path, rng.Uint32(), i)
		if _, code, err := c.create(p, []byte("10.0.250.1"), wire.FlagEphemeral); err != nil || code != wire.OK {
			return false
		}
		members = append(members, p)
		if !w.rest(between(rng, 100*time.Millisecond, 4*time.Second)) {
			return false
		}
	}
	_, _, _ = c.create(path+"/ready", nil, wire.FlagPersistent)
	if !w.rest(between(rng, 2*time.Second, 15*time.Second)) {
		return false
	}
	for i, p := range members {
		if _, _ = c.remove(p); i == len(members)-1 {
			break
		}
		if !w.rest(between(rng, 5*time.Millisecond, 300*time.Millisecond)) {
			return false
		}
	}
	if rng.IntN(4) == 0 {
		w.tr.state("stale-ready", path, true)
		return true
	}
	_, _ = c.remove(path + "/ready")
	w.tr.state("stale-ready", path, false)
	return true
}
