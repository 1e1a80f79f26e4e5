package truth

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// lockingQueue is kazoo's: items, and marks of those who work on them. Consumers that die leave their item to the next.
func (w *world) lockingQueue() {
	path := w.dir("/"+w.name("queue"), "")
	w.dir(path+"/entries", "")
	w.dir(path+"/taken", "")
	seen := map[string]int64{} // who took an item last; guarded by the oracle
	ps := w.team("consumer", 3, 1, consumer(path, seen))
	w.process("producer", func(th *thread) {
		for th.nap(500*time.Millisecond, 6*time.Second) {
			_, _, _ = th.c.create(path+"/entries/entry-100-", []byte("job"), wire.FlagSequence)
		}
	})
	w.trouble(ps, faults{kills: 3, stops: 1, hangs: 1, every: bounds{15 * time.Second, time.Minute}})
}

// consumer takes items one after the other.
func consumer(path string, seen map[string]int64) func(*thread) {
	return func(th *thread) {
		for th.nap(100*time.Millisecond, 2*time.Second) {
			item := th.takeItem(path, seen)
			if item == "" {
				continue
			}
			if !th.nap(500*time.Millisecond, 5*time.Second) {
				return
			}
			th.w.tr.consumed(path, item, seen)
			_ = th.c.removeAll(path+"/entries/"+item, path+"/taken/"+item)
		}
	}
}

// takeItem marks the first item that nobody works on.
func (th *thread) takeItem(path string, seen map[string]int64) string {
	items, _, err := th.c.children(path+"/entries", false)
	if err != nil || !th.lag() {
		return ""
	}
	taken, _, err := th.c.children(path+"/taken", false)
	if err != nil {
		return ""
	}
	marks := strings.Join(taken, " ")
	for _, item := range items {
		if strings.Contains(marks, item) {
			continue
		}
		if !th.lag() {
			return ""
		}
		_, code, err := th.c.create(path+"/taken/"+item, []byte(fmt.Sprintf("%032x", th.rng.Uint64())), wire.FlagEphemeral)
		if err == nil && code == wire.OK {
			if there, _, _ := th.c.exists(path+"/entries/"+item, false); !there { // it was done meanwhile
				th.w.tr.state("orphan-taken", path, true)
				_, _ = th.c.remove(path + "/taken/" + item)
				th.w.tr.state("orphan-taken", path, false)
				return ""
			}
			th.w.tr.delivered(path, item, th.c.id, seen)
			return item
		}
	}
	return ""
}

// delivered tells that a session works on an item.
func (o *oracle) delivered(path, item string, session int64, seen map[string]int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if was := seen[item]; was != 0 && was != session {
		o.again[path]++
		o.facts.say("redelivered", path, "", true, o.now())
		seen[item] = -session
		return
	}
	seen[item] = session
}

// consumed tells that an item is done.
func (o *oracle) consumed(path, item string, seen map[string]int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if seen[item] < 0 {
		o.again[path]--
		o.facts.say("redelivered", path, "", o.again[path] > 0, o.now())
	}
	delete(seen, item)
}

// removeAll deletes znodes in one transaction.
func (c *client) removeAll(paths ...string) error {
	_, _, err := c.do(wire.OpMulti, func(e *wire.Encoder) {
		for _, path := range paths {
			(&wire.MultiHeader{Type: wire.OpDelete, Err: -1}).Encode(e)
			e.String(path)
			e.Int32(-1)
		}
		(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(e)
	})
	return err
}
