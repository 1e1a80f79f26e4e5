package inspect

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The priority queue: the item of the lowest priority number is taken first, among equals the oldest.
//
// Layouts:
//
//	queue-YY<seq>                            the recipe document: a priority of one to three digits
//	queue-<0 or 1><8 hex digits><seq>        Curator DistributedPriorityQueue: 1 for 0 and above, 0 for negative
//	                                         ones, then the number in two's complement
//	entry-<3 digits>-<seq>                   kazoo Queue
//	P/entries/entry-<3 digits>-<seq>         kazoo LockingQueue; P/taken/<the same name> marks an item in work,
//	                                         its session is the consumer's
//
// All of them are served in the order of whole names.
var priorityQueueKind = survey.KindRow{Kind: layout.PriorityQueue, Weigh: weighPriorityQueue, Build: buildPriorityQueue}

func weighPriorityQueue(x *survey.Dir) []survey.Evidence {
	if isLockingQueue(x) {
		return []survey.Evidence{{Kind: layout.PriorityQueue, Weight: 2,
			Why: "it has the entries and taken of kazoo's LockingQueue"}}
	}
	return weighItems(x, layout.PriorityQueue)
}

// isLockingQueue reports whether the directory has entries, and marks beside them.
func isLockingQueue(x *survey.Dir) bool {
	entries, taken := x.Node.Child("entries"), x.Node.Child("taken")
	if entries == nil || taken == nil {
		return false
	}
	return isEntries(entries) && isEntries(taken)
}

// isEntries reports whether some children are spelled like entries, or there are none.
func isEntries(n *znode.Node) bool {
	return len(n.Children) == 0 || slices.ContainsFunc(n.Children, isEntry)
}

func isEntry(c *znode.Node) bool {
	name := layout.ParseName(c.Name)
	return name.Word == "entry-"
}

// kazooEntry is the row of an entry of kazoo's LockingQueue.
var kazooEntry = layout.Layout{ID: "KZ-LQUEUE", Dialect: layout.Kazoo, Kind: layout.PriorityQueue,
	Guard: layout.PriorityGuard, Order: layout.ByName, Sure: 0.95,
	About: "kazoo's LockingQueue"}

func buildPriorityQueue(x *survey.Dir, why []survey.Evidence) *model.Model {
	if !isLockingQueue(x) {
		return queueOf(x, layout.PriorityQueue, why).build()
	}
	x.Parts = survey.FurnitureOnly
	v := &itemView{Builder: x.Recipe(layout.PriorityQueue, layout.Kazoo, 0.95, why),
		base: znode.Join(x.Path, "entries")}
	for _, c := range x.Node.Child("entries").Children {
		if isEntry(c) {
			v.items = append(v.items, order.Place{Name: layout.ParseName(c.Name), Node: c, Czxid: c.Czxid,
				Owner: c.Owner, Layout: &kazooEntry})
		} else {
			v.Model.Foreign = append(v.Model.Foreign, c.Name)
		}
	}
	v.mark(x.Node.Child("taken"), znode.Join(x.Path, "taken"))
	return v.build()
}
