package zkc

import (
	"context"
	"slices"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// watchRoots returns the roots of the recursive watches.
func (c *Conn) watchRoots() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.roots)
}

// AddWatch arms a persistent recursive watch on a path, here and on every later connection: from then on
// Config.OnEvent hears of each znode that is created, changed or deleted at or below it. What happens while
// the connection is lost is not told. Servers before 3.6 report ErrNotOffered.
func (c *Conn) AddWatch(ctx context.Context, path string) error {
	if err := GoodPath("watch", path); err != nil {
		return err
	}
	c.mu.Lock()
	if !slices.Contains(c.roots, path) {
		c.roots = append(c.roots, path)
	}
	c.mu.Unlock()
	_, err := c.call(ctx, "watch", path, wire.OpAddWatch, func(e *wire.Encoder) { c.addWatchBody(e, path) })
	return err
}

func (c *Conn) addWatchBody(e *wire.Encoder, path string) {
	c.path(e, path)
	e.Int32(wire.WatchPersistentRecursive)
}

// arm sends addWatch without waiting for the answer.
func (l *link) arm(root string) {
	e := request(wire.OpAddWatch)
	l.c.addWatchBody(e, root)
	l.inject(nil, wire.OpAddWatch, e, func(r reply) {
		if r.lost == nil && r.code != wire.OK {
			l.c.log.Warn("recursive watch refused", "path", root, "server", l.addr, "err", CodeText(r.code))
		}
	})
}

// Rearm arms a recursive watch again on the connection there is, and tells done what came of it: for a
// root of AddWatch or Config.Watches whose watch the server has lost. It does not wait; done runs on the
// pump, or at once when there is no connection.
func (c *Conn) Rearm(root string, done func(error)) {
	c.send(wire.OpAddWatch, func(e *wire.Encoder) { c.addWatchBody(e, root) }, func(r reply) { done(r.err("watch", root)) })
}

// CheckWatch is Watching for callers that must not wait; see Rearm for done.
func (c *Conn) CheckWatch(path string, done func(armed bool, err error)) {
	c.send(wire.OpCheckWatches, func(e *wire.Encoder) {
		c.path(e, path)
		e.Int32(wire.WatcherAny)
	}, func(r reply) {
		if r.lost == nil && r.code == wire.ErrNoWatcher {
			done(false, nil)
			return
		}
		err := r.err("watching", path)
		done(err == nil, err)
	})
}

// send sends a request on the connection there is, without waiting.
func (c *Conn) send(op wire.Op, build func(*wire.Encoder), done func(reply)) {
	l := c.livelink()
	switch {
	case l == nil:
		done(reply{lost: ErrUnreachable})
	case c.lacks(l.addr, op):
		done(reply{code: wire.ErrUnimplemented})
	default:
		e := request(op)
		build(e)
		l.inject(nil, op, e, done)
	}
}

// err is the failure that a reply reports.
func (r reply) err(op, path string) error {
	switch {
	case r.lost != nil:
		return &Error{Op: op, Path: path, Err: because(ErrUnreachable, r.lost)}
	case r.code != wire.OK:
		return &Error{Op: op, Path: path, Code: r.code}
	}
	return nil
}

// WatchKind is what a one-shot watch waits for.
type WatchKind uint8

// The kinds of one-shot watches.
const (
	WatchExists   WatchKind = iota // creation, deletion, or change of data
	WatchData                      // change of data, or deletion; the znode must exist
	WatchChildren                  // a child's creation or deletion, or deletion; the znode must exist
)

// Watch is a one-shot watch together with what was read when it was set.
type Watch struct {
	// C receives one event and is then closed. The event only says "read again": its Type is EventNone
	// when the watch is gone for another reason than a change that the server told, with State StateSyncConnected
	// after a reconnection or by Recheck, StateExpired, or StateDisconnected after Close.
	C <-chan wire.Event

	Exists   bool      // false only for WatchExists
	Stat     wire.Stat // where Exists
	Data     []byte    // WatchData
	Children []string  // WatchChildren; in no order

	c    *Conn
	l    *link
	key  onceKey
	kind WatchKind
	fire chan wire.Event
	off  bool        // canceled; guarded by c.mu
	ask  *time.Timer // until the next question of Recheck; nil: none is asked; guarded by c.mu
}

// onceKey tells which events fire a watch. Exists and data watches are one kind to the server.
type onceKey struct {
	path  string
	child bool
}

// WatchOnce reads a znode and leaves a watch for its next change. The read and the watch are one step: no
// change falls between. A caller that loses interest calls Cancel.
//
// On a path that has a recursive watch of the same Conn it is refused, because a server keeps one of the two
// only and would drop the recursive one without a word.
func (c *Conn) WatchOnce(ctx context.Context, kind WatchKind, path string) (*Watch, error) {
	if err := GoodPath("watch", path); err != nil {
		return nil, err
	}
	if slices.Contains(c.watchRoots(), path) {
		return nil, &Error{Op: "watch", Path: path, Err: errRootWatched}
	}
	for {
		l, err := c.awaitLink(ctx)
		if err != nil {
			return nil, &Error{Op: "watch", Path: path, Err: err}
		}
		w, lost, err := c.watchOn(ctx, l, kind, path)
		if !lost {
			return w, err
		}
	}
}

// watchOn is WatchOnce on one link; lost asks for another try.
func (c *Conn) watchOn(ctx context.Context, l *link, kind WatchKind, path string) (_ *Watch, lost bool, _ error) {
	a, q := c.watching(l, kind, path)
	if err := c.fits(q.e); err != nil {
		c.armed(a.w, false)
		return nil, false, &Error{Op: "watch", Path: path, Err: err}
	}
	return a.await(ctx, l.injectAll(ctx.Done(), q))
}

// watching is a watch whose request is under way.
type watching struct {
	w    *Watch
	kind WatchKind
	got  chan watched
}

// watched is what came of it.
type watched struct {
	res  Result
	bad  bool
	lost error
}

// watching makes the request for a watch.
func (c *Conn) watching(l *link, kind WatchKind, path string) (watching, injection) {
	op, read := wire.OpExists, ReadExists
	switch kind {
	case WatchData:
		op, read = wire.OpGetData, ReadData
	case WatchChildren:
		op, read = wire.OpGetChildren2, ReadChildren
	}
	e := request(op)
	c.path(e, path)
	e.Bool(true)
	w := newWatch(c, l, kind, path)
	got := make(chan watched, 1)
	c.arm(w.key)
	return watching{w, kind, got}, injection{op, e, func(r reply) {
		o := watched{res: Result{Code: r.code}, lost: r.lost}
		if r.lost == nil && r.code == wire.OK {
			d := wire.NewDecoder(append([]byte(nil), r.body...))
			o.res.decode(read, d)
			o.bad = d.Err() != nil
		}
		c.armed(w, r.lost == nil && (r.code == wire.OK || r.code == wire.ErrNoNode && kind == WatchExists))
		got <- o
	}}
}

// await waits for what comes of the request, where it was sent; lost asks for another try.
func (a watching) await(ctx context.Context, sent bool) (_ *Watch, lost bool, _ error) {
	path := a.w.key.path
	if !sent {
		a.w.c.armed(a.w, false)
		return nil, false, &Error{Op: "watch", Path: path, Err: because(ErrUnreachable, ctx.Err())}
	}
	select {
	case o := <-a.got:
		return a.w.complete(path, a.kind, o.res, o.bad, o.lost)
	case <-ctx.Done():
		a.w.Cancel()
		return nil, false, &Error{Op: "watch", Path: path, Err: ctx.Err()}
	}
}

func (w *Watch) complete(path string, kind WatchKind, r Result, bad bool, lost error) (*Watch, bool, error) {
	switch {
	case lost != nil:
		return nil, true, nil
	case bad:
		w.Cancel()
		return nil, false, &Error{Op: "watch", Path: path, Err: errBadReply}
	case r.Code == wire.ErrNoNode && kind == WatchExists:
		return w, false, nil
	case r.Code != wire.OK:
		return nil, false, &Error{Op: "watch", Path: path, Code: r.Code}
	}
	w.Exists, w.Stat, w.Data, w.Children = true, r.Stat, r.Data, r.Children
	return w, false, nil
}

func newWatch(c *Conn, l *link, kind WatchKind, path string) *Watch {
	fire := make(chan wire.Event, 1)
	return &Watch{C: fire, c: c, l: l, key: onceKey{path, kind == WatchChildren}, kind: kind, fire: fire}
}

// arming counts the requests on their way that will leave a watch, and knows whether the watch of an earlier
// one is still on the server with nobody interested. A removal must not overtake them: the server has one
// watch for a path and a session, and would drop that of the newer request with it.
type arming struct {
	requests int
	unwanted bool
}

func (c *Conn) arm(key onceKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.arming[key]
	a.requests++
	c.arming[key] = a
}

// armed ends what arm began: the server has left the watch, or it has not. It runs on the pump, before any
// event that follows the reply.
func (c *Conn) armed(w *Watch, left bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.arming[w.key]
	a.requests--
	if c.arming[w.key] = a; a.requests == 0 {
		delete(c.arming, w.key)
	}
	switch {
	case left && !w.off && (c.final != nil || c.live != w.l):
		w.end(wire.StateDisconnected)
	case left && !w.off:
		c.once[w.key] = append(c.once[w.key], w)
	case left || a.unwanted:
		c.disarm(w.l, w.key)
	}
}

// disarm removes a watch that nobody is interested in from the server; later, when requests for the same
// watch are on their way. Its caller holds c.mu, so that none can start in between.
func (c *Conn) disarm(l *link, key onceKey) {
	a, busy := c.arming[key]
	_, loose := c.loose[key]
	switch {
	case c.live != l || len(c.once[key]) > 0 || loose || c.lacking(l.addr, wire.OpRemoveWatches):
	case busy:
		a.unwanted = true
		c.arming[key] = a
	default:
		l.removeWatch(key)
	}
}

// removeWatch tells the server to forget a watch. The answer does not matter: at worst one event comes
// that no one waits for.
func (l *link) removeWatch(key onceKey) {
	kind := wire.WatcherData
	if key.child {
		kind = wire.WatcherChildren
	}
	e := request(wire.OpRemoveWatches)
	l.c.path(e, key.path)
	e.Int32(kind)
	gone := make(chan struct{})
	close(gone)
	l.inject(gone, wire.OpRemoveWatches, e, func(reply) {}) // only if there is room: Cancel does not wait
}

// end fires without a change.
func (w *Watch) end(state int32) {
	w.send(wire.Event{Type: wire.EventNone, State: state, Path: w.key.path})
}

func (w *Watch) send(ev wire.Event) {
	w.fire <- ev // has room for the one event that ever comes
	close(w.fire)
}

// fire tells the one-shot watches that an event belongs to.
func (c *Conn) fire(ev wire.Event) {
	keys := []onceKey{{ev.Path, false}}
	switch ev.Type {
	case wire.EventChildrenChanged:
		keys[0].child = true
	case wire.EventDeleted:
		keys = append(keys, onceKey{ev.Path, true})
	}
	var hit []*Watch
	c.mu.Lock()
	for _, k := range keys {
		delete(c.loose, k)
		hit = append(hit, c.once[k]...)
		delete(c.once, k)
	}
	rest(hit)
	c.mu.Unlock()
	for _, w := range hit {
		w.send(ev)
	}
}

// poke fires every one-shot watch of earlier connections: the server has forgotten them, and changes may
// have been missed.
func (c *Conn) poke() { c.dropWatches(wire.StateSyncConnected) }

// dropWatches fires and forgets every one-shot watch.
func (c *Conn) dropWatches(state int32) {
	c.mu.Lock()
	clear(c.loose)
	all := c.once
	c.once = make(map[onceKey][]*Watch)
	for _, list := range all {
		rest(list)
	}
	c.mu.Unlock()
	for _, list := range all {
		for _, w := range list {
			w.end(state)
		}
	}
}

// leave counts the watch of a batch's read, whose event goes to Config.OnEvent only. It runs on the pump.
func (c *Conn) leave(r *Read) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loose[onceKey{r.path(), r.Kind == ReadChildren}] = struct{}{}
}

// errRootWatched explains why a one-shot watch is refused.
var errRootWatched = plainError("a one-shot watch here would replace the recursive watch of this connection")

type plainError string

// Error is the text.
func (e plainError) Error() string { return string(e) }
