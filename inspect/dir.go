package inspect

import (
	"slices"
	"time"
)

// dir is a directory under examination: a znode, its path, and what a kind may ask about it.
type dir struct {
	*decoder
	path   string
	node   *Node
	parent *Node // nil at the snapshot's root
	hint   *Hint
	prev   *Model // what was at this path before; nil: nothing, or nothing known
	words  *pathWords

	line       *line   // the children that stand in line; empty when there are none
	set        []place // the children of other known spellings: items, leases, votes, services
	voted      bool    // some child's data is a vote
	recalled   bool    // the line is taken for one because claims were seen here before
	foreign    []*Node
	odd        []*Node // children without a path of their own, which no client can have made: foreign to everything
	census     *census // of all children; see count
	ephemerals answer  // whether all numbered children whose stat was read are ephemeral
	place      *Place  // the system's known place that this directory is; nil: none
	parts      parts   // which children the recipe found here absorbs

	deps     []dep
	due      time.Time
	volatile bool
	graded   []grade
}

// Evidence is one reason for taking a directory for a recipe of a kind.
type Evidence struct {
	Kind   Kind
	Weight float64
	Why    string
}

// kindRow is what a kind brings to the table of kinds: how it finds its evidence in a directory, and how
// it decodes a directory that is one of its recipes.
type kindRow struct {
	kind  Kind
	weigh func(*dir) []Evidence
	build func(*dir, []Evidence) *Model
}

// kinds is the table of recipe kinds: one row per file. Where evidence is equal, the earlier row wins.
func kinds() []kindRow { return kindTable }

var kindTable []kindRow

func init() {
	kindTable = []kindRow{lockKind, sharedLockKind, semaphoreKind, electionKind, barrierKind, doubleBarrierKind,
		queueKind, priorityQueueKind, delayQueueKind, twoPhaseKind, membershipKind, serviceKind, configKind,
		rendezvousKind, counterKind, leaseKind}
}

// parts says which of a recipe's children belong to it without being recipes of their own.
type parts uint8

const (
	noParts   parts = iota
	furnished       // those that are furniture
	all             // every one
)

// absorbs reports whether a child is a part of the recipe found in its directory.
func (f *found) absorbs(name string) bool {
	return f != nil && f.model != nil && (f.parts == all || f.parts == furnished && furniture[name])
}

// recognise decides what a directory is.
func (d *decoder) recognise(path string, n, parent *Node, was *found) *found {
	x := &dir{decoder: d, path: path, node: n, parent: parent}
	if len(d.hints.rules) > 0 {
		x.hint = d.hints.of(path)
	}
	if was != nil && was.model != nil {
		x.prev = was.model
	} else if d.prev != nil {
		x.prev = d.prev.ByPath(path)
	}
	x.setAside()
	x.place = x.findPlace()
	if x.place != nil && x.place.Part && x.hint.kind() == "" {
		return x.found(nil)
	}
	x.sortChildren()
	if x.part() {
		return x.found(nil)
	}
	x.words = wordsOf(path)
	if !x.candidate() {
		return x.found(nil)
	}
	row, why := x.weigh()
	if row == nil {
		return &found{deps: x.deps, near: true}
	}
	if row.kind == Lock && x.sharesParent() {
		models := x.buildSharing(why)
		f := x.found(models[0])
		f.more = models[1:]
		return f
	}
	return x.found(row.build(x, why))
}

// setAside takes the children out that have no path of their own: no honest server lists any.
func (x *dir) setAside() {
	odd := func(c *Node) bool { return !addressable(c.Name) }
	if !slices.ContainsFunc(x.node.Children, odd) {
		return
	}
	n := *x.node
	n.Children = nil
	for _, c := range x.node.Children {
		if odd(c) {
			x.odd = append(x.odd, c)
		} else {
			n.Children = append(n.Children, c)
		}
	}
	n.NumChildren -= int32(len(x.odd))
	x.node = &n
}

// candidate reports whether anything about the directory, whatever its plain children, may make it a
// recipe. What is no candidate stays none as long as only inert children come and go.
func (x *dir) candidate() bool {
	n := x.node
	switch {
	case len(x.line.queue) > 0, len(x.set) > 0, x.voted, x.hint.kind() != "", x.prev != nil, x.place != nil:
		return true
	case len(n.Children) == 0:
		return false
	case anyEphemeral(n):
		return true
	}
	for _, name := range telling {
		if n.Child(name) != nil {
			return true
		}
	}
	switch x.words.whole {
	case Barrier, DoubleBarrier, Service, TwoPhase, Lease:
		return true
	}
	return x.shards() > 0 || slices.ContainsFunc(n.Children, hasLease)
}

// telling lists the children whose mere presence may make a directory a recipe.
var telling = []string{"ready", "leases", "lease_holder", "entries", "taken", "latch", "instance",
	"ActiveStandbyElectorLock", "ActiveBreadCrumb", markerName, touchName, "party", "clients"}

func (x *dir) found(m *Model) *found {
	if m == nil && len(x.deps) == 0 {
		return nil
	}
	if m != nil && x.recalled {
		m.Why = append(m.Why, seenBefore)
	}
	return &found{model: m, deps: x.deps, due: x.due, volatile: x.volatile, graded: x.graded, parts: x.parts}
}

// weigh asks every kind and returns the one with the weightiest evidence.
func (x *dir) weigh() (best *kindRow, why []Evidence) {
	var most float64
	for i := range kindTable {
		row := &kindTable[i]
		evidence := row.weigh(x)
		if x.hint.kind() == row.kind {
			evidence = append(evidence, Evidence{row.kind, 100, "a hint says so: " + Printable(x.hint.Path)})
		}
		if x.prev != nil && x.prev.Kind == row.kind && len(x.line.queue) == 0 && len(x.set) == 0 && evidence == nil && !opaque(row.kind) {
			evidence = append(evidence, Evidence{row.kind, 1, seenBefore})
		}
		if x.place != nil && x.place.Kind == row.kind {
			evidence = append(evidence, Evidence{row.kind, 3, "the path is that of " + x.place.About})
		}
		if sum := total(evidence); sum > most {
			most, best, why = sum, row, evidence
		}
	}
	return best, why
}

// seenBefore is the evidence of an earlier picture.
const seenBefore = "claims were seen here before"

func total(evidence []Evidence) (sum float64) {
	for _, e := range evidence {
		sum += e.Weight
	}
	return sum
}

// part reports whether the directory is a part of a recipe that is found beside it: kazoo keeps the line
// of a semaphore in a sibling, Curator the marks of items in work. What lies below a recipe is decided by
// that one.
func (x *dir) part() bool {
	if x.hint.kind() != "" || x.parent == nil {
		return false
	}
	if base, ok := cutSuffix(x.node.Name, lineSuffix); ok {
		return x.dependOn(Join(parentPath(x.path), base)) != nil
	}
	if len(x.set) == 0 || !x.set[0].node.Ephemeral() || !isMarker(x.set[0].layout) {
		return false
	}
	for _, suffix := range markerSuffixes {
		if base, ok := cutSuffix(x.node.Name, suffix); ok && x.dependOn(Join(parentPath(x.path), base)) != nil {
			return true
		}
	}
	return false
}

// lineSuffix ends the name of the directory in which kazoo's clients stand in line for a semaphore.
const lineSuffix = "-__lock__"

// markerSuffixes end the name of the directory, beside a queue of Curator's, in which consumers mark the
// items that they work on. Curator leaves that path to its user; these are the usual ones.
var markerSuffixes = []string{"-locks", "-lock", "_locks", "_lock", ".locks", ".lock", "Locks", "Lock", "/locks", "/lock"}

func isMarker(l *Layout) bool {
	return l.Kind == Queue || l.Kind == PriorityQueue || l.Kind == DelayQueue
}

func cutSuffix(s, suffix string) (string, bool) {
	if len(s) <= len(suffix) || s[len(s)-len(suffix):] != suffix {
		return "", false
	}
	return s[:len(s)-len(suffix)], true
}

func parentPath(path string) string {
	dir, _ := Split(path)
	return dir
}

// dependOn returns the znode at a path elsewhere, or nil, and has the recipe decoded again when that
// changes.
func (x *dir) dependOn(path string) *Node {
	n := x.snap.At(path)
	x.deps = append(x.deps, dep{path, n})
	return n
}

// credible reports whether the names are proof enough. The names of the recipe documents are short
// words that any program may use: without a session behind one of them, or a word in the path, they
// prove nothing.
func (x *dir) credible() bool {
	if x.hint.kind() != "" {
		return true
	}
	for i := range x.line.queue {
		p := &x.line.queue[i]
		if p.layout.Sure >= 0.9 || p.session != 0 || p.node.Has(NoStat) && !p.node.Has(NameOnly) {
			return true
		}
	}
	if len(x.line.queue) == 0 || wordsOf(x.path).hint != "" {
		return len(x.line.queue) > 0
	}
	x.recalled = x.prev != nil && inLine(x.prev.Kind) && len(x.set) == 0
	return x.recalled
}

// distinct reports whether the other spellings are proof enough: more than names that any program may use.
func (x *dir) distinct() bool {
	if x.hint.kind() != "" || x.place != nil {
		return true
	}
	for i := range x.set {
		if x.set[i].layout.Sure >= 0.7 {
			return true
		}
	}
	return false
}

// NextSequence returns the number that the next sequential child will get. It follows from cversion,
// which counts creations and deletions in 32 bits: past 2^30 creations a counter that wrapped looks the
// same as one that did not, and certain is false unless a child proves it. known is false when the
// cversion was not read.
func (n *Node) NextSequence() (next int64, certain, known bool) {
	if !n.HasCversion {
		return 0, false, false
	}
	sum := uint32(n.Cversion) + uint32(n.NumChildren)
	next = int64(sum >> 1)
	certain = sum < 1<<31
	for i := len(n.Children) - 1; i >= 0 && !certain; i-- {
		name := ParseName(n.Children[i].Name)
		certain = name.HasSeq && int64(name.Seq) < next && int64(name.Seq) > next-1<<20
	}
	return next, certain, true
}

// placed is a dialect, or that of the system whose known place the directory is.
func (x *dir) placed(d Dialect) Dialect {
	if x.place != nil && x.place.Dialect != "" {
		return x.place.Dialect
	}
	return d
}
