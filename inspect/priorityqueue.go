package inspect

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
	for _, n := range []*Node{entries, taken} {
		for _, c := range n.Children {
			if name := ParseName(c.Name); name.Word != "entry-" {
				return false
			}
		}
	}
	return true
}

func buildPriorityQueue(x *dir, why []Evidence) *Model {
	if !x.isLockingQueue() {
		return x.queueOf(PriorityQueue, why).build()
	}
	x.parts = furnished
	v := &itemView{builder: x.recipe(PriorityQueue, Kazoo, 0.95, why), base: Join(x.path, "entries")}
	for _, c := range x.node.Child("entries").Children {
		v.items = append(v.items, place{Name: ParseName(c.Name), node: c, czxid: c.Czxid, session: c.Owner})
	}
	v.mark(x.node.Child("taken"), Join(x.path, "taken"))
	return v.build()
}
