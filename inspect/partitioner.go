package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// kazoo's SetPartitioner: a party of processes that share out the items of a set. Both halves are read together:
//
//	P/party/<32 hex>-<identifier>            the party, a ShallowParty
//	P/locks/<item>/<32 hex>__lock__<seq>     one lock for each item: its first claim has the item
//
// isPartitioner reports whether the directory is one.
func isPartitioner(x *survey.Dir) bool {
	party, locks := x.Node.Child("party"), x.Node.Child("locks")
	if party == nil || locks == nil {
		return false
	}
	there := len(party.Children)
	for _, c := range party.Children {
		if !layout.IsParty(c.Name) || c.Name[layout.HexLen] != '-' {
			return false
		}
	}
	for _, item := range locks.Children {
		there += len(item.Children)
		for _, c := range item.Children {
			if name := layout.ParseName(c.Name); !name.HasSeq || name.Word != "__lock__" {
				return false
			}
		}
	}
	return there > 0
}

// buildPartitioner builds the party; each member says what it has, and what it waits for.
func buildPartitioner(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := groupAt(x, layout.Kazoo, 0.95, why)
	x.Parts = survey.AllChildren
	has, waits := partition(x)
	party := append([]*znode.Node(nil), x.Node.Child("party").Children...)
	survey.ByArrival(party)
	for _, n := range party {
		groupMember(b, n, x.Path+"/party/"+n.Name)
		c := &b.Model.Claims[len(b.Model.Claims)-1]
		if mine := has[n.Owner]; len(mine) > 0 {
			c.SetWhy("has " + say.List(mine))
		}
		if wanted := waits[n.Owner]; len(wanted) > 0 {
			c.SetWhy(c.Why() + "; waits for " + say.List(wanted))
		}
	}
	b.Number("present", len(party))
	b.ListForeign(func(*znode.Node) bool { return false })
	b.CheckExpected()
	b.CheckDuplicates()
	if len(party) == 0 {
		return b.Finish(model.Empty)
	}
	return b.Finish(model.Present)
}

// partition returns by session which items it has and which it waits for.
func partition(x *survey.Dir) (has, waits map[znode.SessionID][]string) {
	has, waits = make(map[znode.SessionID][]string), make(map[znode.SessionID][]string)
	for _, item := range x.Node.Child("locks").Children {
		for i, p := range lines.ChildrenWith(item, "__lock__") {
			if i == 0 {
				has[p.Owner] = append(has[p.Owner], item.Name)
			} else {
				waits[p.Owner] = append(waits[p.Owner], item.Name)
			}
		}
	}
	return has, waits
}
