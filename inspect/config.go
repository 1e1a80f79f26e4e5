package inspect

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The configuration: a znode whose data clients read and watch.
//
// Layout:
//
//	config/<name>      any znode without children below a component that says config; it may be ephemeral,
//	                   as in the document of primitives, and then goes with the session that set it
//	sharedvalue        Curator SharedValue; elsewhere nothing but a hint tells it
//
// Its version counts the changes, and its watchers are those who will hear of the next.
var configKind = survey.KindRow{Kind: layout.Config, Weigh: nothing, Build: buildConfig}

func buildConfig(x *survey.Dir, why []survey.Evidence) *model.Model {
	d := layout.ZooKeeper
	if strings.EqualFold(x.Node.Name, "sharedvalue") {
		d = layout.Curator
	}
	b := x.Recipe(layout.Config, x.DialectOr(d), 0.5, why)
	b.Payload = true
	state := model.HasValue
	text := model.IsConfiguration
	if len(x.Node.Data) == 0 {
		state, text = model.Empty, model.IsUnconfigured
	}
	b.Item(x.Node, x.Path, model.Value, text)
	return settleValue(b, state)
}
