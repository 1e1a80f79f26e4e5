package mirror

import (
	"slices"

	"github.com/zkscope/zkscope/inspect"
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
	lists   []place
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
	unlisted []string // directories whose children are not listed
}

// dir is a directory whose children are being read.
type dir struct {
	path  string // empty for "/", so that path + "/" + name works
	up    *dir
	slot  int // where its node stands in up
	names []string
	nodes []*inspect.Node // by name; nil: not yet read, or gone
	olds  []*inspect.Node // by name; nil slice when nothing is known
	kids  map[int]*dir    // by slot, those that are not complete
	left  int             // children that are not complete

	step        int // every step-th child is read first; 0: nothing is unusual
	seen, bytes int // children whose data was read, and how long it was
}

// span is a directory whose children are to be read, from one on: those at steps first, then the others.
type span struct {
	d      *dir
	from   int
	probes bool
}

// place is one child of a directory.
type place struct {
	d    *dir
	slot int
}

type retry struct {
	at place
	a  ask
}

func newLoader(o Options, old *inspect.Node) *loader {
	_, name := inspect.Split(o.Root)
	l := &loader{opts: o, nodes: 1}
	up, _ := inspect.Split(o.Root)
	if up == "/" {
		up = ""
	}
	l.root = &dir{path: up, names: []string{name}, nodes: make([]*inspect.Node, 1), left: 1}
	if old != nil && !old.Has(inspect.NoStat) {
		l.root.olds = []*inspect.Node{old}
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

func (d *dir) old(i int) *inspect.Node {
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
func (l *loader) nextLists(room *room) (out []place) {
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
		at: make([]place, 0, maxReads), asks: make([]ask, 0, maxReads), got: make([]answer, 0, maxReads)}
}

// nextAsks adds children that are to be read.
func (l *loader) nextAsks(b *batch, room *room) {
	for len(l.asks) > 0 {
		s := l.asks[0]
		for ; s.from < len(s.d.names); s.from++ {
			if s.d.step > 0 && s.d.probe(s.from) != s.probes {
				continue
			}
			a := askFor(s.d.dirPath(), s.d.names[s.from], s.d.old(s.from))
			if !room.fits(a.size(), statCost+s.d.expect(&a)) {
				return
			}
			b.ask(place{s.d, s.from}, a, l.watching())
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
func (d *dir) expect(a *ask) int {
	switch {
	case a.flag != 0:
		return 0
	case a.old != nil:
		return int(a.old.DataLength)
	case d.seen > 0:
		return 2 * d.bytes / d.seen
	}
	return 0
}

// learn notes the length of one child's data, and lets the others follow when all probes have answered.
func (l *loader) learn(d *dir, n *inspect.Node) {
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
func (l *loader) found(p place, n *inspect.Node, flag inspect.Flag) {
	p.d.nodes[p.slot] = n
	if flag == inspect.Unreadable {
		l.hidden = append(l.hidden, p.d.dirPath())
	}
	switch {
	case n.Has(inspect.Unreadable) && n.NumChildren > 0:
		l.leave(p)
	case n.Has(inspect.Unreadable), n.NumChildren == 0 && (!l.plain || n.Ephemeral()):
		p.d.nodes[p.slot] = withChildren(n, nil, n.Flags&^inspect.NotListed)
		l.finish(p.d)
	case int(n.NumChildren) > l.opts.MaxChildren || len(p.d.path) > maxPath || len(l.bad) > 0 && l.bad[p.d.child(p.slot)] >= maxStrike:
		l.leave(p)
	case l.nodes >= l.opts.MaxNodes:
		l.over = true
		l.leave(p)
	default:
		l.lists = append(l.lists, p)
	}
}

// leave completes a node without listing its children.
func (l *loader) leave(p place) {
	n := p.d.nodes[p.slot]
	p.d.nodes[p.slot] = withChildren(n, nil, n.Flags|inspect.NotListed)
	l.unlisted = append(l.unlisted, p.d.child(p.slot))
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
func (l *loader) listed(p place, g *answer) {
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
		l.over = true
		l.leave(p)
		return
	}
	l.nodes += len(names)
	if path == "/" {
		path = ""
	}
	d := &dir{path: path, up: p.d, slot: p.slot, names: names, nodes: make([]*inspect.Node, len(names)), left: len(names)}
	d.match(p.d.old(p.slot))
	if p.d.kids == nil {
		p.d.kids = make(map[int]*dir)
	}
	p.d.kids[p.slot] = d
	if len(names) == 0 {
		l.complete(d)
		return
	}
	l.begin(d)
}

// match finds the nodes that we know already.
func (d *dir) match(old *inspect.Node) {
	if old == nil || len(old.Children) == 0 {
		return
	}
	d.olds = make([]*inspect.Node, len(d.names))
	i := 0
	for j, name := range d.names {
		for i < len(old.Children) && old.Children[i].Name < name {
			i++
		}
		if i < len(old.Children) && old.Children[i].Name == name {
			d.olds[j] = old.Children[i]
		}
	}
}

// finish counts one child as complete, and completes the directories above as far as possible.
func (l *loader) finish(d *dir) {
	for d.left--; d.left == 0 && d.up != nil; d.left-- {
		d.close()
		d = d.up
	}
}

// complete completes a directory that has no children left to wait for.
func (l *loader) complete(d *dir) {
	d.close()
	l.finish(d.up)
}

// close gives a directory's node its children.
func (d *dir) close() {
	up, i := d.up, d.slot
	delete(up.kids, i)
	up.nodes[i] = withChildren(up.nodes[i], d.present(), up.nodes[i].Flags&^inspect.NotListed)
	*d = dir{up: up, slot: i} // names and olds are not needed any more
}

// present returns the children that are there.
func (d *dir) present() []*inspect.Node {
	return slices.DeleteFunc(d.nodes, func(n *inspect.Node) bool { return n == nil })
}

// withChildren returns the node with other children and flags: itself when they are the same already. It
// never changes a node that was given, since that may be part of an earlier snapshot.
func withChildren(n *inspect.Node, children []*inspect.Node, flags inspect.Flag) *inspect.Node {
	if len(children) == 0 {
		children = nil
	}
	if n.Flags == flags && slices.Equal(n.Children, children) {
		return n
	}
	out := *n
	out.Children, out.Flags = children, flags
	return &out
}

// result returns the tree; nil when there is no root.
func (l *loader) result() *inspect.Node { return l.root.nodes[0] }

// progress returns a copy of what was read so far, which shares what is complete.
func (l *loader) progress() *inspect.Node { return l.root.freeze(0) }

func (d *dir) freeze(slot int) *inspect.Node {
	n, kid := d.nodes[slot], d.kids[slot]
	if kid == nil || n == nil {
		return n
	}
	out := *n
	out.Children = make([]*inspect.Node, 0, len(kid.nodes))
	for i := range kid.nodes {
		if c := kid.freeze(i); c != nil {
			out.Children = append(out.Children, c)
		}
	}
	return &out
}
