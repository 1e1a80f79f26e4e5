package inspect

import "strings"

// The configuration: a znode whose data clients read and watch.
//
// Layout:
//
//	config/<name>      any znode without children below a component that says config; it may be ephemeral,
//	                   as in the document of primitives, and then goes with the session that set it
//	sharedvalue        Curator SharedValue; elsewhere nothing but a hint tells it
//
// Its version counts the changes, and its watchers are those who will hear of the next.
var configKind = kindRow{kind: Config, weigh: nothing, build: buildConfig}

func buildConfig(x *dir, why []Evidence) *Model {
	d := ZooKeeper
	if strings.EqualFold(x.node.Name, "sharedvalue") {
		d = Curator
	}
	b := x.recipe(Config, x.placed(d), 0.5, why)
	b.payload = true
	state := HasValue
	text := isConfiguration
	if len(x.node.Data) == 0 {
		state, text = Empty, isUnconfigured
	}
	b.item(x.node, x.path, Value, text)
	return b.settleValue(state)
}
