package order

import (
	"github.com/zkscope/zkscope/inspect/layout"
)

// alike is Turn for a line in which all are spelled alike and one holds at a time: then a claim's place is told by
// counting. ok is false where the line has to be arranged.
func (r Rule) alike(children []Contender, mine string) (t Turn, ok bool) {
	own := r.place(Contender{Name: mine}, mine)
	if r.Limit > 1 || own.Layout == nil || own.Layout == &layout.NumberedRow || own.Reads() ||
		own.Layout.Order == layout.ByArrival {
		return t, false
	}
	found, order, spelling := false, own.Layout.Order, own.Name.Spelling()
	for i := range children {
		if children[i].Name == mine {
			own.Czxid, own.Owner, found = children[i].Czxid, children[i].Session, true
			break
		}
	}
	var before Place
	position := 0
	for i := range children {
		c := &children[i]
		p := Place{Layout: own.Layout, Czxid: c.Czxid, Owner: c.Session}
		if p.Name, ok = spelling.Match(c.Name); !ok {
			if r.place(*c, mine).Layout != nil {
				return t, false
			}
			continue
		}
		if Compare(order, &p, &own) >= 0 {
			continue
		}
		if position++; position == 1 || Compare(order, &p, &before) > 0 {
			before = p
		}
	}
	if !found {
		return t, true
	}
	l := Line{Queue: []Place{before, own}, Order: order, Limit: 1}
	if position == 0 {
		l.Queue = l.Queue[1:]
	}
	t = l.public(len(l.Queue) - 1)
	t.Position = position
	return t, true
}
