package inspect

import "time"

// dir is a directory under examination: a znode, its path, and what a kind may ask about it.
type dir struct {
	*decoder
	path   string
	node   *Node
	parent *Node // nil at the snapshot's root
	hint   *Hint
	prev   *Model // what was at this path before; nil: nothing, or nothing known
	words  *pathWords

	line    *line // the children that stand in line; empty when there are none
	foreign []*Node

	deps     []dep
	due      time.Time
	volatile bool
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
func kinds() []kindRow {
	return []kindRow{lockKind, sharedLockKind, electionKind}
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
	x.sortChildren()
	if x.part() || len(x.line.queue) == 0 && x.hint.kind() == "" && x.prev == nil {
		return x.found(nil)
	}
	x.words = wordsOf(path)
	row, why := x.weigh()
	if row == nil {
		return x.found(nil)
	}
	return x.found(row.build(x, why))
}

func (x *dir) found(m *Model) *found {
	if m == nil && len(x.deps) == 0 {
		return nil
	}
	return &found{model: m, deps: x.deps, due: x.due, volatile: x.volatile}
}

// weigh asks every kind and returns the one with the weightiest evidence.
func (x *dir) weigh() (best *kindRow, why []Evidence) {
	var most float64
	for _, row := range kinds() {
		evidence := row.weigh(x)
		if x.hint.kind() == row.kind {
			evidence = append(evidence, Evidence{row.kind, 100, "a hint says so: " + Printable(x.hint.Path)})
		}
		if x.prev != nil && x.prev.Kind == row.kind && len(x.line.queue) == 0 {
			evidence = append(evidence, Evidence{row.kind, 1, "claims were seen here before"})
		}
		if sum := total(evidence); sum > most {
			most, best, why = sum, &row, evidence
		}
	}
	return best, why
}

func total(evidence []Evidence) (sum float64) {
	for _, e := range evidence {
		sum += e.Weight
	}
	return sum
}

// part reports whether the directory is furniture of a recipe that is found elsewhere.
func (x *dir) part() bool {
	if x.hint.kind() != "" || x.parent == nil {
		return false
	}
	if x.node.Child("lease_holder") != nil {
		return true
	}
	sibling := "leases"
	if x.node.Name != "locks" {
		base, ok := cutSuffix(x.node.Name, "-__lock__")
		if !ok {
			return false
		}
		sibling = base
	}
	return x.dependOn(Join(parentPath(x.path), sibling)) != nil
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

// furniture lists the children that belong to a recipe without being claims.
var furniture = map[string]bool{
	"ready": true, "locks": true, "leases": true, "entries": true, "taken": true, "lease_holder": true,
	"leader": true, "leader_ack": true, "party": true,
}

// sortChildren parts the children that stand in line from the others.
func (x *dir) sortChildren() {
	x.line = &line{limit: 1}
	if x.hint != nil && x.hint.Limit > 1 {
		x.line.limit = x.hint.Limit
	}
	x.line.queue = x.claims()
	if !x.credible() {
		x.line.queue = nil
	}
	if len(x.line.queue) > 0 || x.hint.kind() != "" || x.prev != nil {
		x.foreign = x.others()
	}
	x.line.arrange()
}

// claims returns the children that stand in line, by name: those of known spelling or, where there are
// none, the ephemeral ones that have a plausible number.
func (x *dir) claims() (known []place) {
	var unknown []place
	for _, c := range x.node.Children {
		p, isClaim := x.place(c)
		switch {
		case isClaim:
			if known == nil {
				known = make([]place, 0, len(x.node.Children))
			}
			known = append(known, p)
		case known == nil && p.HasSeq && p.Word == "" && c.Ephemeral() && x.plausible(p.Seq):
			p.layout = &generic
			unknown = append(unknown, p)
		}
	}
	if len(known) > 0 {
		return known
	}
	return unknown
}

// others returns the children that do not stand in line, which is not arranged yet.
func (x *dir) others() (out []*Node) {
	next := 0
	for _, c := range x.node.Children {
		if next < len(x.line.queue) && x.line.queue[next].node == c {
			next++
			continue
		}
		out = append(out, c)
	}
	return out
}

// place reads a child's name. Only a znode without children whose name ends in a digit can be a claim
// in a line.
func (x *dir) place(c *Node) (p place, isClaim bool) {
	p.node, p.czxid, p.session = c, c.Czxid, c.Owner
	if len(c.Children) > 0 || !addressable(c.Name) || !isDigit(c.Name[len(c.Name)-1]) {
		return p, false
	}
	p.Name = ParseName(c.Name)
	p.layout = layoutOf(&p.Name, c.Data)
	return p, p.layout != nil
}

// plausible reports whether a number can have been given out by this directory's counter: it is below
// the next one. Where the counter is not known for sure, everything is.
func (x *dir) plausible(seq int32) bool {
	next, _, known := x.node.NextSequence()
	return !known || int(x.node.NumChildren) != len(x.node.Children) || seq < 0 || int64(seq) < next
}

// credible reports whether the names are proof enough. The names of the recipe documents are short
// words that any program may use: without a session behind one of them, or a word in the path, they
// prove nothing.
func (x *dir) credible() bool {
	if x.hint.kind() != "" || x.prev != nil {
		return true
	}
	for i := range x.line.queue {
		p := &x.line.queue[i]
		if p.layout.Sure >= 0.9 || p.session != 0 || p.node.Has(NoStat) {
			return true
		}
	}
	return len(x.line.queue) > 0 && wordsOf(x.path).hint != ""
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
