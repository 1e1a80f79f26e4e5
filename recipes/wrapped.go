package recipes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
)

// decide asks inspect whose turn it is. Once a number below zero stands in the line, as servers before 3.8 gave out
// after their last one, numbers say nothing about who came first, and each library's rule admits somebody else. Then
// our clients go by arrival, all of them: the claims are numbered anew in that order, and the same rule decides.
// Against another library's clients nothing helps in such a line.
func decide(rule order.Rule, children []order.Contender, mine string, wrapped bool) order.Turn {
	if !wrapped {
		return rule.Turn(children, mine)
	}
	renamed, was := byArrival(children)
	for name, old := range was {
		if old != mine {
			continue
		}
		turn := rule.Turn(renamed, name)
		turn.Watch = was[turn.Watch]
		return turn
	}
	return order.Turn{}
}

// byArrival gives the claims new numbers in the order in which they came. was tells the names that they have.
func byArrival(children []order.Contender) (renamed []order.Contender, was map[string]string) {
	renamed = slices.Clone(children)
	slices.SortFunc(renamed, func(a, b order.Contender) int { return cmp.Compare(a.Czxid, b.Czxid) })
	was = make(map[string]string, len(renamed))
	for i := range renamed {
		old := renamed[i].Name
		if n := layout.ParseName(old); n.HasSeq {
			renamed[i].Name = old[:len(old)-len(n.SeqText())] + fmt.Sprintf("%010d", i)
		}
		was[renamed[i].Name] = old
	}
	return renamed, was
}
