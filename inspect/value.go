package inspect

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Recipes that are one znode with a value: barrier, config, rendezvous, counter. Nothing but a hint, a
// known place or a word in the path tells them from any other znode.

// settleValue ends a recipe that is one znode: its version, when it changed, who watches.
func settleValue(b *survey.Builder, state model.State) *model.Model {
	n := b.Node
	b.Number("version", int(n.Version))
	if n.Version < 0 && !znode.Below("/zookeeper", b.Model.Path) { // ZooKeeper's own begin with -1
		b.AddFinding(model.CodeVersionWrapped, model.Medium, "the data version has turned negative ("+
			say.Itoa(int64(n.Version))+
			"): clients that compare it may stop updating", &b.Model.Claims[0])
	}
	if n.Has(znode.Unreadable) || n.Has(znode.DataOmitted) {
		state = model.Unknown
		b.Model.Claims[0].Reason = model.DataHidden
	}
	b.CountWatchers()
	return b.Finish(state)
}
