package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The counter: a znode whose data is a number, changed by compare and set on its version.
//
// Layouts, the data of a znode without children:
//
//	4 bytes, big endian       Curator SharedCount and DistributedAtomicInteger; kazoo Counter for Curator
//	8 bytes, big endian       Curator DistributedAtomicLong
//	decimal text              kazoo Counter, a float at times; Kafka's controller_epoch; ours
//
// Four or eight bytes that are readable text are read as text. The number of changes is the version.
var counterKind = survey.KindRow{Kind: layout.Counter, Weigh: nothing, Build: buildCounter}

func buildCounter(x *survey.Dir, why []survey.Evidence) *model.Model {
	data := x.Node.Data
	value, form := model.CountIn(data)
	d := layout.ZooKeeper
	if form == model.BinaryNumber {
		d = layout.Curator
	}
	b := x.Recipe(layout.Counter, x.DialectOr(d), 0.5, why)
	b.Payload = true
	state, text := model.HasValue, model.IsCount
	switch form {
	case model.NoNumber:
		text = model.IsNoNumber
	case model.RealNumber:
		text = model.IsFraction
	case model.EmptyNumber:
		state, text = model.Empty, model.IsNoCount
	default:
		b.Model.Numbers.Set("value", value)
	}
	b.Item(x.Node, x.Path, model.Value, text)
	return settleValue(b, state)
}
