package zkc

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// Cancel frees the watch, on the server too when no one else uses it. C receives nothing more. It does not
// wait, and may be called more than once, also after the watch has fired.
func (w *Watch) Cancel() {
	c := w.c
	c.mu.Lock()
	defer c.mu.Unlock()
	w.off = true
	if w.drop() { // else it has fired, or armed tidies up when the reply comes
		close(w.fire)
	}
}

// drop forgets a watch, on the server too when no one else uses it; false when it did not stand. Its caller holds c.mu.
func (w *Watch) drop() bool {
	c := w.c
	list := c.once[w.key]
	i := slices.Index(list, w)
	if i < 0 {
		return false
	}
	w.rest()
	if len(list) > 1 {
		c.once[w.key] = slices.Delete(list, i, i+1)
	} else {
		delete(c.once, w.key)
		c.disarm(w.l, w.key)
	}
	return true
}

// Recheck asks the server every so often whether what is watched is as it was read, and ends the watch without a change,
// as a reconnection does, when it is not. A server tells of a change only who may read the znode at that moment, and tells
// nobody that an ACL was changed: so a watch can go without a word. The question needs no permission. Calling it again sets
// another interval; 0 or less ends the questions.
func (w *Watch) Recheck(every time.Duration) {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	w.rest()
	if every > 0 && w.stands() {
		w.ask = time.AfterFunc(every, func() { w.recheck(every) })
	}
}

// rest ends the questions. Its caller holds Conn.mu.
func (w *Watch) rest() {
	if w.ask != nil {
		w.ask.Stop()
	}
	w.ask = nil
}

func rest(list []*Watch) {
	for _, w := range list {
		w.rest()
	}
}

// stands reports whether the watch has neither fired nor been canceled. Its caller holds Conn.mu.
func (w *Watch) stands() bool { return slices.Contains(w.c.once[w.key], w) }

// recheckSoon is the part of an interval after which a question is put again that there was no room for, or no answer to.
const recheckSoon = 16

// recheck asks once. It does not wait: where there is no room for the question now, it is put a little later.
func (w *Watch) recheck(every time.Duration) {
	e := request(wire.OpExists)
	w.c.path(e, w.key.path)
	e.Bool(false)
	full := make(chan struct{})
	close(full)
	if !w.l.injectAll(full, injection{wire.OpExists, e, func(r reply) { w.rechecked(r, every) }}) {
		w.rearm(every / recheckSoon)
	}
}

// rechecked judges the answer. It runs on the pump: an event that the server sent before it has come.
func (w *Watch) rechecked(r reply, every time.Duration) {
	var now wire.Stat
	switch {
	case r.lost != nil:
		return // the watch ends with its connection
	case r.code == wire.OK:
		now.Decode(wire.NewDecoder(r.body))
	case r.code != wire.ErrNoNode:
		w.rearm(every / recheckSoon)
		return
	}
	if Unchanged(w.kind, w.Stat, now) {
		w.rearm(every)
		return
	}
	w.c.mu.Lock()
	fires := w.drop()
	w.c.mu.Unlock()
	if fires {
		w.end(wire.StateSyncConnected)
	}
}

// rearm asks again later, unless somebody else sees to that by now.
func (w *Watch) rearm(every time.Duration) {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	if w.ask != nil {
		w.ask.Reset(every)
	}
}

// Unchanged reports whether nothing has happened of what a watch of a kind waits for, and the ACL is the one that it was,
// between two stats of a znode. The zero Stat stands for none.
func Unchanged(kind WatchKind, was, now wire.Stat) bool {
	if was.Czxid != now.Czxid || was.Aversion != now.Aversion {
		return false
	}
	if kind == WatchChildren {
		return was.Pzxid == now.Pzxid && was.Cversion == now.Cversion
	}
	return was.Mzxid == now.Mzxid
}
