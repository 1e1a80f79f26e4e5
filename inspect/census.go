package inspect

// furniture lists the children that belong to a recipe without being claims.
var furniture = map[string]bool{
	"ready": true, "locks": true, "leases": true, "entries": true, "taken": true, "lease_holder": true,
	"leader": true, "leader_ack": true, "party": true, "ActiveBreadCrumb": true, "latch": true, "instance": true, "log_replicas": true,
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
	if len(x.set) > 0 && !x.distinct() {
		x.set = nil
	}
	x.register()
	if len(x.line.queue) > 0 || x.hint.kind() != "" || x.prev != nil {
		x.foreign = x.others()
	}
	x.line.arrange()
}

// claims returns the children that stand in line, by name: those of known spelling or, where there are
// none, the ephemeral ones that have a plausible number. On the way it finds what other spellings and
// votes there are.
func (x *dir) claims() (known []place) {
	var unknown []place
	for _, c := range x.node.Children {
		x.voted = x.voted || isVote(c.Data)
		p, isClaim := x.read(c)
		switch {
		case isClaim:
			if known == nil {
				known = make([]place, 0, len(x.node.Children))
			}
			known = append(known, p)
		case p.layout != nil && !p.layout.inLine():
			x.set = append(x.set, p)
		case x.anonymous(&p) && !p.layout.inLine():
			x.set = append(x.set, p)
		case known == nil && p.layout != nil:
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
func (x *dir) anonymous(p *place) bool {
	if !p.HasSeq || p.layout != nil || len(p.node.Children) > 0 || isUUID(p.Text) {
		return false // of a uuid, too, the last ten digits may be decimal
	}
	if x.place != nil && x.place.Line != nil {
		p.layout = x.place.Line
		return true
	}
	if p.Word != "" || !p.node.Ephemeral() && !x.likeItsSiblings(p.node) || !x.plausible(p.Seq) {
		return false
	}
	if p.layout = bareLayout(p, x.path); p.layout == nil {
		p.layout = &generic
	}
	return true
}

// likeItsSiblings reports whether a child of which only the name was read may be taken for ephemeral, because all those
// with a number that were read are.
func (x *dir) likeItsSiblings(n *Node) bool {
	if !n.Has(NameOnly) {
		return false
	}
	if x.ephemerals == unknownYet {
		x.ephemerals = no
		for _, c := range x.node.Children {
			if name := ParseName(c.Name); c.Has(NoStat) || !name.HasSeq {
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
func (x *dir) others() (out []*Node) {
	next := 0
	for _, c := range x.node.Children {
		if next < len(x.line.queue) && x.line.queue[next].node == c {
			next++
			continue
		}
		out = append(out, c)
	}
	return append(out, x.odd...)
}

// read reads a child's name. Only a znode without children whose name ends in a digit can be a claim
// in a line.
func (x *dir) read(c *Node) (p place, isClaim bool) {
	p.node, p.czxid, p.session = c, c.Czxid, c.Owner
	if !isDigit(c.Name[len(c.Name)-1]) {
		p.Name.Text, p.layout = c.Name, serviceRow(c)
		return p, false
	}
	p.Name = ParseName(c.Name)
	p.layout = layoutOf(&p.Name, c.Data, x.path)
	if p.layout == nil {
		p.layout = serviceRow(c)
	}
	return p, p.layout != nil && p.layout.inLine() && len(c.Children) == 0
}

// plausible reports whether a number can have been given out by this directory's counter: it is below
// the next one. Where the counter is not known for sure, everything is.
func (x *dir) plausible(seq int32) bool {
	next, _, known := x.node.NextSequence()
	return !known || int(x.node.NumChildren) != len(x.node.Children) || seq < 0 || int64(seq) < next
}

// census counts the children by what they look like.
type census struct {
	all, ephemeral, dirs     int
	bareHex, bareUUID, party int // ephemeral ones
	named                    int // ephemeral ones whose name alone says what they are
	processes                int // children whose own children are all ephemeral
	barriers                 int // those of them whose children are bare ids: members of a barrier of their own
	idle                     int // persistent ones without children and data
}

// count takes the census of the children, furniture aside.
func (x *dir) count() *census {
	if x.census != nil {
		return x.census
	}
	s := &census{}
	x.census = s
	for _, c := range x.node.Children {
		if !furniture[c.Name] || c.Ephemeral() {
			s.add(c)
		}
	}
	return s
}

func (s *census) add(c *Node) {
	s.all++
	if len(c.Children) > 0 {
		s.dirs++
		if allEphemeral(c) {
			s.processes++
			if isBareHex(c.Children[0].Name) || isUUID(c.Children[0].Name) {
				s.barriers++
			}
		}
	}
	if !c.Ephemeral() {
		if len(c.Children) == 0 && len(c.Data) == 0 {
			s.idle++
		}
		return
	}
	s.ephemeral++
	switch {
	case isBareHex(c.Name):
		s.bareHex++
	case isUUID(c.Name):
		s.bareUUID++
	case isParty(c.Name):
		s.party++
	case wholeWord(c.Name) != "":
		s.named++
	}
}

func isBareHex(name string) bool { return len(name) == hexLen && isHex(name) }

// isParty reports whether a name is one of kazoo's Party or ShallowParty.
func isParty(name string) bool {
	if len(name) <= hexLen+1 || !isHex(name[:hexLen]) {
		return false
	}
	return name[hexLen:] == "__party__" || name[hexLen] == '-'
}

func anyEphemeral(n *Node) bool {
	for _, c := range n.Children {
		if c.Ephemeral() {
			return true
		}
	}
	return false
}

func allEphemeral(n *Node) bool {
	for _, c := range n.Children {
		if !c.Ephemeral() {
			return false
		}
	}
	return len(n.Children) > 0
}
