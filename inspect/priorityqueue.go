package inspect

import "slices"

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
var priorityQueueKind = kindRow{kind: PriorityQueue, weigh: weighPriorityQueue, build: buildPriorityQueue}

func weighPriorityQueue(x *dir) []Evidence {
	if x.isLockingQueue() {
		return []Evidence{{PriorityQueue, 2, "it has the entries and taken of kazoo's LockingQueue"}}
	}
	return x.weighItems(PriorityQueue)
}

// isLockingQueue reports whether the directory has entries, and marks beside them.
func (x *dir) isLockingQueue() bool {
	entries, taken := x.node.Child("entries"), x.node.Child("taken")
	if entries == nil || taken == nil {
		return false
	}
	return isEntries(entries) && isEntries(taken)
}

// isEntries reports whether some children are spelled like entries, or there are none.
func isEntries(n *Node) bool {
	return len(n.Children) == 0 || slices.ContainsFunc(n.Children, isEntry)
}

func isEntry(c *Node) bool {
	name := ParseName(c.Name)
	return name.Word == "entry-"
}

// kazooEntry is the row of an entry of kazoo's LockingQueue.
var kazooEntry = Layout{ID: "KZ-LQUEUE", Dialect: Kazoo, Kind: PriorityQueue, Guard: PriorityGuard, Order: ByName, Sure: 0.95,
	About: "kazoo's LockingQueue"}

func buildPriorityQueue(x *dir, why []Evidence) *Model {
	if !x.isLockingQueue() {
		return x.queueOf(PriorityQueue, why).build()
	}
	x.parts = furnished
	v := &itemView{builder: x.recipe(PriorityQueue, Kazoo, 0.95, why), base: Join(x.path, "entries")}
	for _, c := range x.node.Child("entries").Children {
		if isEntry(c) {
			v.items = append(v.items, place{Name: ParseName(c.Name), node: c, czxid: c.Czxid, session: c.Owner, layout: &kazooEntry})
		} else {
			v.model.Foreign = append(v.model.Foreign, c.Name)
		}
	}
	v.mark(x.node.Child("taken"), Join(x.path, "taken"))
	return v.build()
}
