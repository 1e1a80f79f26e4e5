package survey

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
)

// sortChildren parts the children that stand in line from the others.
func (x *Dir) sortChildren() {
	x.Line = &order.Line{Limit: 1}
	if x.Hint != nil && x.Hint.Limit > 1 {
		x.Line.Limit = x.Hint.Limit
	}
	x.Line.Queue = x.claims()
	if !x.credible() {
		x.Line.Queue = nil
	}
	if len(x.Set) > 0 && !x.distinct() {
		x.Set = nil
	}
	x.register()
	if len(x.Line.Queue) > 0 || x.Hint.KindOf() != "" || x.Prev != nil {
		x.Foreign = x.others()
	}
	x.Line.Arrange()
}

// claims returns the children that stand in line, by name: those of known spelling or, where there are
// none, the ephemeral ones that have a plausible number. On the way it finds what other spellings and
// votes there are.
func (x *Dir) claims() (known []order.Place) {
	var unknown []order.Place
	for _, c := range x.Node.Children {
		x.voted = x.voted || layout.IsVote(c.Data)
		p, isClaim := x.read(c)
		switch {
		case isClaim:
			if known == nil {
				known = make([]order.Place, 0, len(x.Node.Children))
			}
			known = append(known, p)
		case p.Layout != nil && !p.Layout.InLine():
			x.Set = append(x.Set, p)
		case x.anonymous(&p) && !p.Layout.InLine():
			x.Set = append(x.Set, p)
		case known == nil && p.Layout != nil:
			unknown = append(unknown, p)
		}
	}
	if len(known) > 0 {
		return known
	}
	return unknown
}

// anonymous reports whether a child of unknown spelling may stand in line, and gives it the row to stand
// there under.
func (x *Dir) anonymous(p *order.Place) bool {
	if !p.HasSeq || p.Layout != nil || len(p.Node.Children) > 0 || layout.IsUUID(p.Text) {
		return false // of a uuid, too, the last ten digits may be decimal
	}
	if x.Place != nil && x.Place.Line != nil {
		p.Layout = x.Place.Line
		return true
	}
	if p.Word != "" || !p.Node.Ephemeral() && !x.likeItsSiblings(p.Node) || !x.Plausible(p.Seq) {
		return false
	}
	if p.Layout = layout.OfNumber(&p.Name, p.Node.Data, x.Path); p.Layout == nil {
		p.Layout = &layout.NumberedRow
	}
	return true
}

// likeItsSiblings reports whether a child of which only the name was read may be taken for ephemeral, because all those
// with a number that were read are.
func (x *Dir) likeItsSiblings(n *znode.Node) bool {
	if !n.Has(znode.NameOnly) {
		return false
	}
	if x.ephemerals == unknownYet {
		x.ephemerals = no
		for _, c := range x.Node.Children {
			if name := layout.ParseName(c.Name); c.Has(znode.NoStat) || !name.HasSeq {
				continue
			}
			if x.ephemerals = yes; !c.Ephemeral() {
				x.ephemerals = no
				break
			}
		}
	}
	return x.ephemerals == yes
}

// others returns the children that do not stand in line, which is not arranged yet.
func (x *Dir) others() (out []*znode.Node) {
	next := 0
	for _, c := range x.Node.Children {
		if next < len(x.Line.Queue) && x.Line.Queue[next].Node == c {
			next++
			continue
		}
		out = append(out, c)
	}
	return append(out, x.odd...)
}

// read reads a child's name. Only a znode without children whose name ends in a digit can be a claim
// in a line.
func (x *Dir) read(c *znode.Node) (p order.Place, isClaim bool) {
	p.Node, p.Czxid, p.Owner = c, c.Czxid, c.Owner
	if !layout.IsDigit(c.Name[len(c.Name)-1]) {
		p.Name.Text, p.Layout = c.Name, layout.OfInstance(c)
		return p, false
	}
	p.Name = layout.ParseName(c.Name)
	p.Layout = layout.Of(&p.Name, c.Data, x.Path)
	if p.Layout == nil {
		p.Layout = layout.OfInstance(c)
	}
	return p, p.Layout != nil && p.Layout.InLine() && len(c.Children) == 0
}

// Plausible reports whether a number can have been given out by this directory's counter: it is below
// the next one. Where the counter is not known for sure, everything is.
func (x *Dir) Plausible(seq int32) bool {
	next, _, known := layout.NextSequence(x.Node)
	return !known || int(x.Node.NumChildren) != len(x.Node.Children) || seq < 0 || int64(seq) < next
}

// Census counts the children by what they look like.
type Census struct {
	All, Ephemeral, Dirs     int
	BareHex, BareUUID, Party int // ephemeral ones
	Named                    int // ephemeral ones whose name alone says what they are
	Processes                int // children whose own children are all ephemeral
	Barriers                 int // those of them whose children are bare ids: members of a barrier of their own
	Idle                     int // persistent ones without children and data
}

// Count takes the census of the children, furniture aside.
func (x *Dir) Count() *Census {
	if x.counted != nil {
		return x.counted
	}
	s := &Census{}
	x.counted = s
	for _, c := range x.Node.Children {
		if !layout.IsFurniture(c.Name) || c.Ephemeral() {
			s.add(c)
		}
	}
	return s
}

func (s *Census) add(c *znode.Node) {
	s.All++
	if len(c.Children) > 0 {
		s.Dirs++
		if AllEphemeral(c) {
			s.Processes++
			if layout.IsBareHex(c.Children[0].Name) || layout.IsUUID(c.Children[0].Name) {
				s.Barriers++
			}
		}
	}
	if !c.Ephemeral() {
		if len(c.Children) == 0 && len(c.Data) == 0 {
			s.Idle++
		}
		return
	}
	s.Ephemeral++
	switch {
	case layout.IsBareHex(c.Name):
		s.BareHex++
	case layout.IsUUID(c.Name):
		s.BareUUID++
	case layout.IsParty(c.Name):
		s.Party++
	case layout.WholeWord(c.Name) != "":
		s.Named++
	}
}

func anyEphemeral(n *znode.Node) bool {
	for _, c := range n.Children {
		if c.Ephemeral() {
			return true
		}
	}
	return false
}

// AllEphemeral reports whether a znode has children, all of them ephemeral.
func AllEphemeral(n *znode.Node) bool {
	for _, c := range n.Children {
		if !c.Ephemeral() {
			return false
		}
	}
	return len(n.Children) > 0
}

// SetOf counts the children of other known spellings that are of a kind.
func (x *Dir) SetOf(k layout.Kind) (n int) {
	for i := range x.Set {
		if x.Set[i].Layout.Kind == k {
			n++
		}
	}
	return n
}
