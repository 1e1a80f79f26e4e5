package inspect

// The rendezvous: a znode that is made empty and filled later by whoever the others wait for, usually with
// an address.
//
// Layout:
//
//	rendezvous/<name>      any znode without children below a component that says rendezvous
//
// Those who wait leave no znode: they watch this one. The document of primitives makes it ephemeral; then
// it goes with the session that made it, filled or not.
var rendezvousKind = kindRow{kind: Rendezvous, weigh: nothing, build: buildRendezvous}

func buildRendezvous(x *dir, why []Evidence) *Model {
	b := x.recipe(Rendezvous, ZooKeeper, 0.5, why)
	state, text := Filled, saysWhere
	if len(x.node.Data) == 0 {
		state, text = Waiting, isUnfilled
	}
	b.claim(x.node, x.path, Value, text)
	return b.settleValue(state)
}
