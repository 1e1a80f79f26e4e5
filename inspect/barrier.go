package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The barrier: closed as long as its znode is there, open when it is gone.
//
// Layouts:
//
//	b, a znode without children       the recipe document; kazoo Barrier, without data; Curator
//	                                  DistributedBarrier, whose data is the address of whoever set it
//
// Any znode could be one, so it takes a hint, or the word barrier as a whole component of the path. Those
// who wait leave no znode: they show as watches alone. An open barrier is nothing at all: it is shown
// where a hint names its path.
var barrierKind = survey.KindRow{Kind: layout.Barrier, Weigh: nothing, Build: buildBarrier}

// nothing is the evidence for kinds that no directory shows by itself.
func nothing(*survey.Dir) []survey.Evidence { return nil }

func buildBarrier(x *survey.Dir, why []survey.Evidence) *model.Model {
	d := layout.ZooKeeper
	if layout.IsAddress(string(x.Node.Data)) {
		d = layout.Curator
	}
	b := x.Recipe(layout.Barrier, d, 0.5, why)
	b.Claim(x.Node, x.Path, model.Value, model.BarrierStands)
	b.CountWatchers()
	return b.Finish(model.Closed)
}
