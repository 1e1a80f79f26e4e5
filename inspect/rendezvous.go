package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The rendezvous: a znode that is made empty and filled later by whoever the others wait for, usually with
// an address.
//
// Layout:
//
//	rendezvous/<name>      any znode without children below a component that says rendezvous
//
// Those who wait leave no znode: they watch this one. The document of primitives makes it ephemeral; then
// it goes with the session that made it, filled or not.
var rendezvousKind = survey.KindRow{Kind: layout.Rendezvous, Weigh: nothing, Build: buildRendezvous}

func buildRendezvous(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := x.Recipe(layout.Rendezvous, layout.ZooKeeper, 0.5, why)
	state, text := model.Filled, model.SaysWhere
	if len(x.Node.Data) == 0 {
		state, text = model.Waiting, model.IsUnfilled
	}
	b.Claim(x.Node, x.Path, model.Value, text)
	return settleValue(b, state)
}
