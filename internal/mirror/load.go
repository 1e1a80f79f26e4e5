package mirror

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// loader reads a whole tree breadth-first. It is a state machine without I/O: next gives batches to send,
// take accepts the answered ones, until done. It builds on what is known: nodes that have not changed are
// those of the old tree.
type loader struct {
	opts  Options
	plain bool // one-shot watches on everything that is read

	root    *dir // the pseudo directory whose only child is the root
	asks    []*span
	lists   []childOf
	again   []retry // asked in another way
	flying  int
	spare   []*batch       // to be used again
	nodes   int            // whose names are known
	caution int            // halves the batches, after connections that died
	watch   int            // one-shot watches that may still be left
	bad     map[string]int // lists that killed connections, and how often
	over    bool           // the node budget was hit
	broken  error          // an answer that makes no sense now

	hidden   []string // directories with a child that may not be read
	unlisted []string // directories whose children are not listed, or by name only
}

// dir is a directory whose children are being read.
type dir struct {
	path  string // empty for "/", so that path + "/" + name works
	up    *dir
	slot  int // where its node stands in up
	names []string
	nodes []*znode.Node // by name; nil: not yet read, or gone
	olds  []*znode.Node // by name; nil slice when nothing is known
	kids  map[int]*dir  // by slot, those that are not complete
	left  int           // children that are not complete

	omitted     znode.Flag // what is left out of it: NamesRead: the stats and data of most, NotListed: most children; 0: nothing
	step        int        // every step-th child is read first; 0: nothing is unusual
	seen, bytes int        // children whose data was read, and how long it was
}

// span is a directory whose children are to be read, from one on: those at steps first, then the others.
type span struct {
	d      *dir
	from   int
	probes bool
	slots  []int // these alone; nil: every one
}

// at returns the slot of the i-th child; false when there are no more.
func (s *span) at(i int) (int, bool) {
	switch {
	case s.slots == nil:
		return i, i < len(s.d.names)
	case i < len(s.slots):
		return s.slots[i], true
	}
	return 0, false
}

// childOf is one child of a directory.
type childOf struct {
	d    *dir
	slot int
}

type retry struct {
	at childOf
	a  ask
}

func newLoader(o Options, old *znode.Node) *loader {
	_, name := znode.Split(o.Root)
	l := &loader{opts: o, nodes: 1}
	up, _ := znode.Split(o.Root)
	if up == "/" {
		up = ""
	}
	l.root = &dir{path: up, names: []string{name}, nodes: make([]*znode.Node, 1), left: 1}
	if old != nil && !old.Has(znode.NoStat) {
		l.root.olds = []*znode.Node{old}
	}
	l.asks = []*span{{d: l.root}}
	return l
}

func (d *dir) child(i int) string {
	if d.names[i] == "" {
		return "/"
	}
	return d.path + "/" + d.names[i]
}

func (d *dir) old(i int) *znode.Node {
	if d.olds == nil {
		return nil
	}
	return d.olds[i]
}

// done reports whether everything was read.
func (l *loader) done() bool { return l.root.left == 0 }

// next returns a batch to send; nil when there is none now.
func (l *loader) next() *batch {
	if l.flying >= depth || len(l.asks)+len(l.lists)+len(l.again) == 0 {
		return nil
	}
	b := l.newBatch()
	room := newRoom(l.caution)
	for len(l.again) > 0 && room.fits(l.again[0].a.size(), statCost) {
		b.ask(l.again[0].at, l.again[0].a, l.watching())
		l.again = l.again[1:]
	}
	lists := l.nextLists(&room)
	l.nextAsks(b, &room)
	for _, p := range lists {
		b.at = append(b.at, p)
		b.reads = append(b.reads, zkc.Read{Path: p.d.child(p.slot), Kind: zkc.ReadChildren, Watch: l.watching()})
	}
	b.got = slices.Grow(b.got, len(b.reads))[:len(b.reads)]
	l.flying++
	return b
}

// nextLists takes directories to list: some in each batch, so that there is always something else to read
// while their names are sorted.
func (l *loader) nextLists(room *room) (out []childOf) {
	for n := len(l.lists); n > 0 && room.reply > maxReply-listReply; n-- {
		p := l.lists[0]
		if !room.fits(len(p.d.path)+1+len(p.d.names[p.slot]), nameCost*int(p.d.nodes[p.slot].NumChildren)) {
			break
		}
		out, l.lists = append(out, p), l.lists[1:]
	}
	return out
}

// newBatch returns an empty batch, with the memory of one that was taken where there is one.
func (l *loader) newBatch() *batch {
	if n := len(l.spare); n > 0 {
		b := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return b
	}
	return &batch{b: builder{maxData: l.opts.MaxData}, reads: make([]zkc.Read, 0, maxReads),
		at: make([]childOf, 0, maxReads), asks: make([]ask, 0, maxReads), got: make([]answer, 0, maxReads)}
}

// nextAsks adds children that are to be read.
func (l *loader) nextAsks(b *batch, room *room) {
	for len(l.asks) > 0 {
		s := l.asks[0]
		for ; ; s.from++ {
			i, more := s.at(s.from)
			if !more {
				break
			}
			if s.d.step > 0 && s.d.probe(i) != s.probes {
				continue
			}
			a := askFor(s.d.dirPath(), s.d.names[i], s.d.old(i))
			if !room.fits(a.size(), statCost+l.expect(s, &a)) {
				return
			}
			b.ask(childOf{s.d, i}, a, l.watching())
		}
		l.asks = l.asks[1:]
	}
}

// begin queues the children of a directory. Of many about which nothing is known, a few from all over are
// read first: they tell how many of the others may be asked for at once.
func (l *loader) begin(d *dir) {
	if d.olds == nil && len(d.names) > 2*probes {
		d.step = len(d.names) / probes
	}
	l.asks = append(l.asks, &span{d: d, probes: d.step > 0})
}

// probe reports whether a child is one of those that are read first.
func (d *dir) probe(i int) bool { return i%d.step == 0 && i/d.step < probes }

// expect guesses how much data a read brings.
func (l *loader) expect(s *span, a *ask) int {
	d := s.d
	switch {
	case a.flag != 0:
		return 0
	case a.old != nil:
		return int(a.old.DataLength)
	case d.seen > 0:
		return 2 * d.bytes / d.seen
	case s.slots != nil:
		return l.opts.MaxData // nothing tells how long their data is
	}
	return 0
}

// learn notes the length of one child's data, and lets the others follow when all probes have answered.
func (l *loader) learn(d *dir, n *znode.Node) {
	d.seen++
	if n != nil {
		d.bytes += int(n.DataLength)
	}
	if d.step > 0 && d.seen == probes {
		l.asks = append(l.asks, &span{d: d})
	}
}

// watching reports whether to leave a one-shot watch with the next read, and counts it.
func (l *loader) watching() bool {
	if !l.plain || l.watch <= 0 {
		return false
	}
	l.watch--
	return true
}

// take accepts an answered batch.
func (l *loader) take(b *batch) {
	l.flying--
	for i := range b.got {
		g, p := &b.got[i], b.at[i]
		if i < len(b.asks) && g.what != askAgain && !b.asks[i].twice {
			l.learn(p.d, g.node)
		}
		switch {
		case g.what == unanswered:
			l.broken = zkc.ErrNotRead
		case i >= len(b.asks):
			l.listed(p, g)
		case g.what == gone:
			l.finish(p.d)
		case g.what == askAgain:
			l.again = append(l.again, retry{p, b.asks[i]})
		case g.what == refused:
			p.d.nodes[p.slot] = unread(b.asks[i].name)
			l.leave(p)
		default:
			l.found(p, g.node, b.asks[i].flag)
		}
	}
	b.clear()
	l.spare = append(l.spare, b)
}

// found places a node, and has its children listed where there are any.
func (l *loader) found(p childOf, n *znode.Node, flag znode.Flag) {
	p.d.nodes[p.slot] = n
	if flag == znode.Unreadable {
		l.hidden = append(l.hidden, p.d.dirPath())
	}
	switch {
	case n.Has(znode.Unreadable) && n.NumChildren > 0:
		l.leave(p)
	case n.Has(znode.Unreadable), n.NumChildren == 0 && (!l.plain || n.Ephemeral()):
		p.d.nodes[p.slot] = withChildren(n, nil, n.Flags&^listing)
		l.finish(p.d)
	case len(p.d.path) > maxPath || len(l.bad) > 0 && l.bad[p.d.child(p.slot)] >= maxStrike:
		l.leave(p)
	case int(n.NumChildren) > l.opts.MaxChildren && !l.names(p):
		l.leave(p)
	case l.nodes >= l.opts.MaxNodes:
		l.leaveOver(p)
	default:
		l.lists = append(l.lists, p)
	}
}

// leaveOver leaves a node whose children are more than are left to read.
func (l *loader) leaveOver(p childOf) {
	n := p.d.nodes[p.slot]
	p.d.nodes[p.slot] = withChildren(n, nil, n.Flags|znode.OverBudget)
	l.over = true
	l.leave(p)
}

// leave completes a node without listing its children.
func (l *loader) leave(p childOf) {
	n, path := p.d.nodes[p.slot], p.d.child(p.slot)
	p.d.nodes[p.slot] = withChildren(n, nil, n.Flags&^znode.NamesRead|znode.NotListed)
	l.unlisted = append(l.unlisted, path)
	if names := l.opts.wanted(path); len(names) > 0 {
		l.begin(l.enter(p, names, znode.NotListed|n.Flags&znode.OverBudget))
		return
	}
	l.finish(p.d)
}

// dirPath is the directory's path in full.
func (d *dir) dirPath() string {
	if d.path == "" {
		return "/"
	}
	return d.path
}

// listed takes the names of a directory's children.
func (l *loader) listed(p childOf, g *answer) {
	path := p.d.child(p.slot)
	switch g.what {
	case gone:
		p.d.nodes[p.slot] = nil
		l.finish(p.d)
		return
	case askAgain: // the permission was taken away in between
		l.again = append(l.again, retry{p, ask{dir: p.d.dirPath(), name: p.d.names[p.slot], twice: true}})
		return
	case refused:
		l.leave(p)
		return
	}
	names := l.opts.names(path, g.names)
	if l.nodes+len(names) > l.opts.MaxNodes {
		l.leaveOver(p)
		return
	}
	if len(names) > l.opts.MaxChildren {
		l.crowded(p, names)
		return
	}
	l.nodes += len(names)
	if d := l.enter(p, names, 0); len(names) == 0 {
		l.complete(d)
	} else {
		l.begin(d)
	}
}

// enter makes the directory at a place, with the names of those of its children that are to be known.
func (l *loader) enter(p childOf, names []string, omitted znode.Flag) *dir {
	path := p.d.child(p.slot)
	if path == "/" {
		path = ""
	}
	d := &dir{path: path, up: p.d, slot: p.slot, names: names, nodes: make([]*znode.Node, len(names)), left: len(names), omitted: omitted}
	d.match(p.d.old(p.slot))
	if p.d.kids == nil {
		p.d.kids = make(map[int]*dir)
	}
	p.d.kids[p.slot] = d
	return d
}
