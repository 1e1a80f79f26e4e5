package inspect

// kazoo's SetPartitioner: a party of processes that share out the items of a set. Both halves are read together:
//
//	P/party/<32 hex>-<identifier>            the party, a ShallowParty
//	P/locks/<item>/<32 hex>__lock__<seq>     one lock for each item: its first claim has the item
//
// isPartitioner reports whether the directory is one.
func (x *dir) isPartitioner() bool {
	party, locks := x.node.Child("party"), x.node.Child("locks")
	if party == nil || locks == nil {
		return false
	}
	there := len(party.Children)
	for _, c := range party.Children {
		if !isParty(c.Name) || c.Name[hexLen] != '-' {
			return false
		}
	}
	for _, item := range locks.Children {
		there += len(item.Children)
		for _, c := range item.Children {
			if name := ParseName(c.Name); !name.HasSeq || name.Word != "__lock__" {
				return false
			}
		}
	}
	return there > 0
}

// buildPartitioner builds the party; each member says what it has, and what it waits for.
func (x *dir) buildPartitioner(why []Evidence) *Model {
	b := x.recipe(Membership, Kazoo, 0.95, why)
	x.parts = all
	has, waits := x.partition()
	party := append([]*Node(nil), x.node.Child("party").Children...)
	byArrival(party)
	for _, n := range party {
		b.groupMember(n, x.path+"/party/"+n.Name)
		c := &b.model.Claims[len(b.model.Claims)-1]
		if mine := has[n.Owner]; len(mine) > 0 {
			c.say("has " + list(mine))
		}
		if wanted := waits[n.Owner]; len(wanted) > 0 {
			c.say(c.Why() + "; waits for " + list(wanted))
		}
	}
	b.number("present", len(party))
	b.outsiders(func(*Node) bool { return false })
	b.missing()
	b.duplicates()
	if len(party) == 0 {
		return b.finish(Empty)
	}
	return b.finish(Present)
}

// partition returns by session which items it has and which it waits for.
func (x *dir) partition() (has, waits map[SessionID][]string) {
	has, waits = make(map[SessionID][]string), make(map[SessionID][]string)
	for _, item := range x.node.Child("locks").Children {
		for i, p := range namesIn(item, "__lock__") {
			if i == 0 {
				has[p.session] = append(has[p.session], item.Name)
			} else {
				waits[p.session] = append(waits[p.session], item.Name)
			}
		}
	}
	return has, waits
}
