package mirror

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// maxOnce is how many one-shot watches are left on a server without recursive ones.
const maxOnce = 20_000

// live is the work that follows changes.
type live struct {
	dirty   []string // paths to read, oldest first
	queued  map[string]struct{}
	again   []ask
	lists   []string // directories to list
	listed  map[string]struct{}
	results map[string]*znode.Node // read but not yet applied; nil: does not exist

	suspects map[string]time.Time // directories whose stat and children disagree, since when
	cooled   map[string]cooling   // directories that were listed for that reason
	hidden   map[string]struct{}  // directories in which some znode may not be read
	crowds   map[string]*crowd    // directories of which the names are known, or may come to be
	polled   time.Time            // when a hidden root was listed last

	flying  int                 // batches
	reading map[string]struct{} // what they ask for
	sent    time.Time
	polling bool
}

// cooling says when a directory that was listed may be listed again: later each time, where the server
// contradicts itself.
type cooling struct {
	tries int
	until time.Time
}

// reset begins anew, with nothing to do.
func (v *live) reset() {
	*v = live{queued: make(map[string]struct{}), listed: make(map[string]struct{}), results: make(map[string]*znode.Node), reading: make(map[string]struct{}),
		suspects: make(map[string]time.Time), cooled: make(map[string]cooling), hidden: make(map[string]struct{}),
		crowds: make(map[string]*crowd)}
}

// forget drops what a full read makes up for, or what belongs to a lost connection. What events have named
// stays: it is read again after the full read, during which the events came.
func (v *live) forget() {
	dirty, queued, hidden, crowds := v.dirty, v.queued, v.hidden, v.crowds
	v.reset()
	for path, c := range crowds {
		if c.seen == nil { // whether it looks like a line is not known yet
			v.crowds[path] = &crowd{next: time.Now(), lists: true, wants: true}
		}
	}
	v.dirty, v.queued = dirty, queued
	for path := range hidden {
		v.list(path) // its one-shot watch is armed again
		v.hidden[path] = struct{}{}
	}
}

// touch wants a path read.
func (v *live) touch(path string) {
	if _, there := v.queued[path]; !there {
		v.queued[path] = struct{}{}
		v.dirty = append(v.dirty, path)
	}
}

// list wants a directory listed.
func (v *live) list(path string) {
	if _, there := v.listed[path]; !there {
		v.listed[path] = struct{}{}
		v.lists = append(v.lists, path)
	}
}

// happened takes the events on one path.
func (w *owner) happened(path string, h happened) {
	if !w.concerns(path) {
		return
	}
	if h&childrenChanged != 0 && !w.postponed(path) {
		w.live.list(path)
	}
	if w.gathers(path, h) {
		return
	}
	if h&(cameOrWent|changed) != 0 && !w.counted(path) {
		w.live.touch(path)
	}
	if dir, _ := znode.Split(path); h&cameOrWent != 0 && path != w.opts.Root {
		w.live.touch(dir) // its stat moves without an event
	}
}

// concerns reports whether a path belongs to the tree.
func (w *owner) concerns(path string) bool {
	rest, ok := znode.Relative(w.opts.Root, path)
	if !ok {
		return false
	}
	return w.opts.Root != "/" || w.opts.system || rest != "zookeeper" && !hasPrefix(rest, "zookeeper/")
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// counted reports whether a znode is one of those that are counted and not listed.
func (w *owner) counted(path string) bool {
	if w.load != nil || path == w.opts.Root {
		return false
	}
	dir, _ := znode.Split(path)
	n := at(w.root, w.opts.Root, dir)
	return n != nil && n.Has(znode.NotListed)
}

// follow sends a batch for what has changed. Unless there is a lot to do, one is on its way at a time, and
// the next waits a little, so that changes gather.
func (w *owner) follow(now time.Time) {
	v := &w.live
	w.suspect(now)
	w.tend(now)
	for len(v.dirty)+len(v.again)+len(v.lists) > 0 {
		lot := len(v.dirty) >= maxReads && v.flying < depth
		if !lot && (v.flying > 0 || now.Sub(v.sent) < pace) {
			return
		}
		b := w.nextLive()
		v.flying++
		v.sent = now
		w.m.note(func(s *Status) { s.Requests++ })
		w.submit(b, following)
	}
}

// nextLive takes from the queues what fits into one batch.
func (w *owner) nextLive() *batch {
	v := &w.live
	b := &batch{b: builder{maxData: w.opts.MaxData}}
	room := newRoom(w.caution)
	for len(v.again) > 0 && room.fits(v.again[0].size(), statCost) {
		b.ask(childOf{}, v.again[0], w.once())
		v.again = v.again[1:]
	}
	slices.SortFunc(v.dirty[:min(len(v.dirty), maxReads)], znode.ComparePaths) // parents before their children
	for len(v.dirty) > 0 {
		path := v.dirty[0]
		old := w.known(path)
		if !room.fits(len(path), statCost+dataLength(old)) {
			break
		}
		dir, name := znode.Split(path)
		delete(v.queued, path)
		v.reading[path] = struct{}{}
		v.dirty = v.dirty[1:]
		b.ask(childOf{}, askFor(dir, name, old), w.once())
	}
	for len(v.lists) > 0 {
		path := v.lists[0]
		kids := 0
		if n := w.known(path); n != nil {
			kids = int(n.NumChildren)
		}
		if !room.fits(len(path), nameCost*kids) {
			break
		}
		delete(v.listed, path)
		v.lists = v.lists[1:]
		if kids > bigList {
			w.listing = append(w.listing, path)
		}
		_, hidden := v.hidden[path]
		b.lists = append(b.lists, path)
		b.reads = append(b.reads, zkc.Read{Path: path, Kind: zkc.ReadChildren, Watch: w.once() || hidden && path != w.opts.Root})
	}
	b.got = make([]answer, len(b.reads))
	return b
}

// once reports whether a read is to leave a one-shot watch, for lack of a recursive one.
func (w *owner) once() bool {
	if !w.state.Plain {
		return false
	}
	w.live.polling = w.conn.Counters().Watches >= maxOnce
	return !w.live.polling
}

// known returns the latest that was read of a znode, applied or not.
func (w *owner) known(path string) *znode.Node {
	if n, ok := w.live.results[path]; ok {
		return n
	}
	return at(w.root, w.opts.Root, path)
}

// dataLength is what reading a known znode's data may bring.
func dataLength(n *znode.Node) int {
	if n == nil || n.Flags&(znode.DataOmitted|znode.Unreadable) != 0 {
		return 0
	}
	return int(n.DataLength)
}

// followed takes the answers to a batch of follow.
func (w *owner) followed(b *batch, now time.Time) {
	v := &w.live
	v.flying--
	for i := range b.asks {
		g, a := &b.got[i], &b.asks[i]
		path := a.path()
		delete(v.reading, path)
		switch g.what {
		case found:
			if a.flag == znode.Unreadable {
				w.hide(a.dir)
			}
			if old := w.known(path); w.state.Plain && !g.node.Ephemeral() && (old == nil || old.Czxid != g.node.Czxid) {
				v.list(path) // for the watch on its children
			}
			v.results[path] = g.node
		case gone:
			v.results[path] = nil
		case askAgain:
			v.again = append(v.again, *a)
		case refused:
			if w.known(path) == nil {
				v.results[path] = unread(a.name)
			}
		default:
			w.retry(now)
			return
		}
	}
	for i, path := range b.lists {
		w.listing = slices.DeleteFunc(w.listing, func(p string) bool { return p == path })
		w.compareList(path, &b.got[len(b.asks)+i])
	}
}

// compareList compares a directory's children with the tree, and has read what differs.
func (w *owner) compareList(path string, g *answer) {
	v := &w.live
	w.apply()
	n := at(w.root, w.opts.Root, path)
	if n == nil {
		delete(v.hidden, path)
	}
	if g.what != found || n == nil || n.Has(znode.NotListed) && v.crowds[path] == nil {
		v.touch(path)
		return
	}
	names := w.opts.names(path, g.names)
	if n.Has(znode.NotListed) || n.Has(znode.NamesRead) && len(names) > w.opts.MaxChildren {
		w.gathered(path, n, names)
		return
	}
	i, differs := 0, false
	for _, c := range n.Children {
		for ; i < len(names) && names[i] < c.Name; i++ {
			v.touch(znode.Join(path, names[i]))
			differs = true
		}
		switch {
		case i == len(names) || names[i] != c.Name:
			v.touch(znode.Join(path, c.Name))
			differs = true
			continue
		case c.Has(znode.Unreadable) && !c.Has(znode.NameOnly):
			v.touch(znode.Join(path, c.Name)) // no event tells of it
		}
		i++
	}
	for ; i < len(names); i++ {
		v.touch(znode.Join(path, names[i]))
		differs = true
	}
	if differs || mismatch(&w.opts, path, n) || w.state.Plain {
		v.touch(path)
	}
}

// hide marks a directory in which a znode may not be read: events on that are withheld from us. The
// directory's own children are watched instead, or, at the root, which must keep its recursive watch,
// listed every second.
func (w *owner) hide(dir string) {
	if _, ok := znode.Relative(w.opts.Root, dir); !ok {
		return
	}
	if _, there := w.live.hidden[dir]; !there {
		w.live.hidden[dir] = struct{}{}
		w.live.list(dir)
	}
}

// suspect lists the directories whose stat and children disagree, once things have settled.
func (w *owner) suspect(now time.Time) {
	v := &w.live
	if _, hidden := v.hidden[w.opts.Root]; hidden && now.Sub(v.polled) >= cool {
		v.polled = now
		v.list(w.opts.Root)
	}
	if w.over {
		clear(v.suspects) // children were left out
	}
	if len(v.suspects) == 0 {
		return
	}
	quiet := len(v.dirty)+len(v.again)+v.flying == 0
	if quiet {
		w.apply()
	}
	for path, since := range v.suspects {
		n := at(w.root, w.opts.Root, path)
		switch {
		case n == nil || !mismatch(&w.opts, path, n):
			delete(v.suspects, path)
			delete(v.cooled, path)
		case (quiet || now.Sub(since) >= settle) && !now.Before(v.cooled[path].until):
			delete(v.suspects, path)
			tries := min(v.cooled[path].tries+1, 7)
			v.cooled[path] = cooling{tries, now.Add(max(cool<<(tries-1), rest(n)))}
			v.list(path)
		}
	}
	if len(v.cooled) > 1000 {
		clear(v.cooled)
	}
}

// due returns when follow has something to do next; zero when it waits for events or answers.
func (v *live) due(now time.Time) time.Time {
	var next time.Time
	if len(v.dirty)+len(v.again)+len(v.lists) > 0 && v.flying == 0 {
		next = v.sent.Add(pace)
	}
	if len(v.suspects) > 0 && (next.IsZero() || next.After(now.Add(settle))) {
		next = now.Add(settle)
	}
	for _, c := range v.crowds {
		if at, any := c.due(); any && (next.IsZero() || next.After(at)) {
			next = at
		}
	}
	if v.polled.IsZero() {
		return next
	}
	if poll := v.polled.Add(cool); next.IsZero() || poll.Before(next) {
		next = poll
	}
	return next
}

// apply brings what was read into the tree.
func (w *owner) apply() {
	v := &w.live
	if len(v.results) == 0 || w.load != nil {
		return
	}
	edits := make([]edit, 0, len(v.results))
	for path, n := range v.results {
		edits = append(edits, edit{path, n})
	}
	clear(v.results)
	sorted.By(edits, func(a, b edit) int { return znode.ComparePaths(a.path, b.path) })
	e := editor{opts: &w.opts,
		room: w.opts.MaxNodes - w.nodes,
		bad:  func(path string) bool { return w.strikes[path] >= maxStrike }}
	w.root = e.apply(w.root, edits)
	w.nodes += e.added - e.removed
	w.over = w.over || e.full
	w.unlisted = append(w.unlisted, e.unlisted...)
	w.crowding(e.unlisted, e.opened)
	for _, c := range v.crowds {
		c.wants = true // to be looked at
	}
	for _, path := range e.suspects {
		if _, there := v.suspects[path]; !there {
			v.suspects[path] = time.Now()
		}
	}
	for _, path := range e.orphans {
		dir, _ := znode.Split(path)
		v.touch(dir)
	}
}
