package survey

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Dir is a directory under examination: a znode, its path, and what a kind may ask about it.
type Dir struct {
	*Decoder
	Path   string
	Node   *znode.Node
	Parent *znode.Node       // nil at the snapshot's root
	Hint   *model.Hint       // what people say of it; nil: nothing
	Prev   *model.Model      // what was at this path before; nil: nothing, or nothing known
	Words  *layout.PathWords // what the path says

	Line       *order.Line   // the children that stand in line; empty when there are none
	Set        []order.Place // the children of other known spellings: items, leases, votes, services
	voted      bool          // some child's data is a vote
	recalled   bool          // the line is taken for one because claims were seen here before
	Foreign    []*znode.Node // the children that do not stand in line
	odd        []*znode.Node // children without a path of their own, which no client can have made: foreign to everything
	counted    *Census       // of all children; see Count
	ephemerals asked         // whether all numbered children whose stat was read are ephemeral
	Place      *layout.Place // the system's known place that this directory is; nil: none
	Parts      Parts         // which children the recipe found here absorbs

	deps     []dep
	Due      time.Time // when the recipe changes by itself; zero: never
	Volatile bool      // look again whenever sessions or watches were read anew
	Graded   []Grade   // findings that weigh by what their sessions do elsewhere
}

// Evidence is one reason for taking a directory for a recipe of a kind.
type Evidence struct {
	Kind   layout.Kind
	Weight float64
	Why    string
}

// KindRow is what a kind brings to the table of kinds: how it finds its evidence in a directory, and how
// it decodes a directory that is one of its recipes.
type KindRow struct {
	Kind  layout.Kind
	Weigh func(*Dir) []Evidence
	Build func(*Dir, []Evidence) *model.Model

	// Several decodes a directory that several of its recipes share; empty: it is one recipe. nil: they never do.
	Several func(*Dir, []Evidence) []*model.Model
}

// Kinds is what the packages above know of the kinds of recipes.
type Kinds struct {
	Rows []KindRow // where evidence is equal, the earlier one wins

	// Single builds a lock or an election that is one znode.
	Single func(x *Dir, kind layout.Kind, why, base string) *model.Model
}

// Parts says which of a recipe's children belong to it without being recipes of their own.
type Parts uint8

const (
	noParts       Parts = iota
	FurnitureOnly       // those that are furniture
	AllChildren         // every one
)

// absorbs reports whether a child is a part of the recipe found in its directory.
func (f *found) absorbs(name string) bool {
	return f != nil && f.model != nil && (f.parts == AllChildren ||
		f.parts == FurnitureOnly && layout.IsFurniture(name))
}

// recognise decides what a directory is.
func (d *Decoder) recognise(path string, n, parent *znode.Node, was *found) *found {
	x := &Dir{Decoder: d, Path: path, Node: n, Parent: parent}
	if len(d.Hints.Rules) > 0 {
		x.Hint = d.Hints.Of(path)
	}
	if was != nil && was.model != nil {
		x.Prev = was.model
	} else if d.Prev != nil {
		x.Prev = d.Prev.ByPath(path)
	}
	x.setAside()
	x.Place = x.findPlace()
	if x.Place != nil && x.Place.Part && x.Hint.KindOf() == "" {
		return x.found(nil)
	}
	x.sortChildren()
	if x.part() {
		return x.found(nil)
	}
	x.Words = layout.WordsOf(path)
	if !x.candidate() {
		return x.found(nil)
	}
	row, why := x.weigh()
	if row == nil {
		return &found{deps: x.deps, near: true}
	}
	if row.Several != nil {
		if models := row.Several(x, why); len(models) > 0 {
			f := x.found(models[0])
			f.more = models[1:]
			return f
		}
	}
	return x.found(row.Build(x, why))
}

// setAside takes the children out that have no path of their own: no honest server lists any.
func (x *Dir) setAside() {
	odd := func(c *znode.Node) bool { return !znode.Addressable(c.Name) }
	if !slices.ContainsFunc(x.Node.Children, odd) {
		return
	}
	n := *x.Node
	n.Children = nil
	for _, c := range x.Node.Children {
		if odd(c) {
			x.odd = append(x.odd, c)
		} else {
			n.Children = append(n.Children, c)
		}
	}
	n.NumChildren -= int32(len(x.odd))
	x.Node = &n
}

// candidate reports whether anything about the directory, whatever its plain children, may make it a
// recipe. What is no candidate stays none as long as only inert children come and go.
func (x *Dir) candidate() bool {
	n := x.Node
	switch {
	case len(x.Line.Queue) > 0, len(x.Set) > 0, x.voted, x.Hint.KindOf() != "", x.Prev != nil, x.Place != nil:
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
	if x.Words.Whole.ToldByWord() {
		return true
	}
	return slices.ContainsFunc(n.Children, layout.IsShard) || slices.ContainsFunc(n.Children, layout.HasLease)
}

// telling lists the children whose mere presence may make a directory a recipe.
var telling = []string{"ready", "leases", "lease_holder", "entries", "taken", "latch", "instance",
	"ActiveStandbyElectorLock", "ActiveBreadCrumb", layout.ClickHouseMarker, layout.TouchChild, "party", "clients"}

func (x *Dir) found(m *model.Model) *found {
	if m == nil && len(x.deps) == 0 {
		return nil
	}
	if m != nil && x.recalled {
		m.Why = append(m.Why, SeenBefore)
	}
	return &found{model: m, deps: x.deps, due: x.Due, volatile: x.Volatile, graded: x.Graded, parts: x.Parts}
}

// weigh asks every kind and returns the one with the weightiest evidence.
func (x *Dir) weigh() (best *KindRow, why []Evidence) {
	var most float64
	for i := range x.kinds.Rows {
		row := &x.kinds.Rows[i]
		evidence := row.Weigh(x)
		if x.Hint.KindOf() == row.Kind {
			evidence = append(evidence, Evidence{row.Kind, 100, "a hint says so: " + say.Printable(x.Hint.Path)})
		}
		if x.Prev != nil && x.Prev.Kind == row.Kind && len(x.Line.Queue) == 0 && len(x.Set) == 0 && evidence == nil &&
			!row.Kind.Opaque() {
			evidence = append(evidence, Evidence{row.Kind, 1, SeenBefore})
		}
		if x.Place != nil && x.Place.Kind == row.Kind {
			evidence = append(evidence, Evidence{row.Kind, 3, "the path is that of " + x.Place.About})
		}
		if sum := total(evidence); sum > most {
			most, best, why = sum, row, evidence
		}
	}
	return best, why
}

// SeenBefore is the evidence of an earlier picture.
const SeenBefore = "claims were seen here before"

func total(evidence []Evidence) (sum float64) {
	for _, e := range evidence {
		sum += e.Weight
	}
	return sum
}

// part reports whether the directory is a part of a recipe that is found beside it: kazoo keeps the line
// of a semaphore in a sibling, Curator the marks of items in work. What lies below a recipe is decided by
// that one.
func (x *Dir) part() bool {
	if x.Hint.KindOf() != "" || x.Parent == nil {
		return false
	}
	if base, ok := layout.CutSuffix(x.Node.Name, layout.LineSuffix); ok {
		return x.DependOn(znode.Join(znode.ParentPath(x.Path), base)) != nil
	}
	if len(x.Set) == 0 || !x.Set[0].Node.Ephemeral() || !layout.IsMarker(x.Set[0].Layout) {
		return false
	}
	for suffix := range layout.MarkerSuffixes() {
		if base, ok := layout.CutSuffix(x.Node.Name, suffix); ok &&
			x.DependOn(znode.Join(znode.ParentPath(x.Path), base)) != nil {
			return true
		}
	}
	return false
}

// DependOn returns the znode at a path elsewhere, or nil, and has the recipe decoded again when that
// changes.
func (x *Dir) DependOn(path string) *znode.Node {
	n := x.Snap.At(path)
	x.deps = append(x.deps, dep{path, n})
	return n
}

// credible reports whether the names are proof enough. The names of the recipe documents are short
// words that any program may use: without a session behind one of them, or a word in the path, they
// prove nothing.
func (x *Dir) credible() bool {
	if x.Hint.KindOf() != "" {
		return true
	}
	for i := range x.Line.Queue {
		p := &x.Line.Queue[i]
		if p.Layout.Sure >= 0.9 || p.Owner != 0 || p.Node.Has(znode.NoStat) && !p.Node.Has(znode.NameOnly) {
			return true
		}
	}
	if len(x.Line.Queue) == 0 || layout.WordsOf(x.Path).Hint != "" {
		return len(x.Line.Queue) > 0
	}
	x.recalled = x.Prev != nil && x.Prev.Kind.InLine() && len(x.Set) == 0
	return x.recalled
}

// distinct reports whether the other spellings are proof enough: more than names that any program may use.
func (x *Dir) distinct() bool {
	if x.Hint.KindOf() != "" || x.Place != nil {
		return true
	}
	for i := range x.Set {
		if x.Set[i].Layout.Sure >= 0.7 {
			return true
		}
	}
	return false
}

// DialectOr returns the dialect of the system whose known place the directory is; d where it is none.
func (x *Dir) DialectOr(d layout.Dialect) layout.Dialect {
	if x.Place != nil && x.Place.Dialect != "" {
		return x.Place.Dialect
	}
	return d
}

// findPlace finds the known place that the directory is.
func (x *Dir) findPlace() *layout.Place {
	p := layout.PlaceOf(x.Path, false, func(name string) bool {
		return x.DependOn(znode.Join(znode.ParentPath(x.Path), name)) != nil
	})
	switch {
	case p == nil, p.ID == "FLINK-STATE" && x.Node.Child("locks") != nil, p.Holds != "" && x.Node.Child(p.Holds) == nil,
		p.Line != nil && x.spellsLine(),
		p.Lines && !slices.ContainsFunc(x.Node.Children, func(c *znode.Node) bool { return len(c.Children) == 0 }):
		return nil
	}
	return p
}

// spellsLine reports whether children are spelled as those of a known line: then it is somebody else's, in a place of
// the same name.
func (x *Dir) spellsLine() bool {
	return slices.ContainsFunc(x.Node.Children, func(c *znode.Node) bool {
		name := layout.ParseName(c.Name)
		l := layout.Of(&name, c.Data, x.Path)
		return l != nil && l.InLine()
	})
}
