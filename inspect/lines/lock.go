package lines

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The lock: one holds, the others stand in line for it.
//
// Layouts, all of them children of the lock's directory:
//
//	_c_<uuid>-lock-<seq>      Curator InterProcessMutex; LeaderSelector spells an election the same
//	_c_<32 hex>-lock-<seq>    go-zookeeper, Vault, libkv
//	<32 hex>__lock__<seq>     kazoo Lock; Election is spelled the same
//	<guid>-lock-<seq>         the recipe document, and this program's own clients
//	lock-<seq>                the same without the guid: hand-written locks
//	<32 hex>-lock--<seq>      zktools, two dashes
//	x-<session>-<seq>         ZooKeeper's Java recipe, session in decimal
//	x-<16 hex>-<seq>          ZooKeeper's C recipe
//	zlock#<uuid>#<seq>        Accumulo
//	<anything><seq>           ephemeral and sequential, spelled in no known way: by arrival
//
// and a lock that is one znode, which whoever could create it holds, and whose waiters leave no znode:
// see singleline.go. The lowest number holds; every other claim waits for the one ahead of it.
var LockKind = survey.KindRow{Kind: layout.Lock, Weigh: weighLock, Build: buildLock, Several: buildSharing}

func weighLock(x *survey.Dir) []survey.Evidence {
	n, shared := 0, false
	for i := range x.Line.Queue {
		l := x.Line.Queue[i].Layout
		shared = shared || l.Mode != ""
		if l.Kind == layout.Lock {
			n++
		}
	}
	if n == 0 || shared {
		return nil
	}
	out := []survey.Evidence{spelling(x, layout.Lock, 0.6*float64(n)/float64(len(x.Line.Queue)))}
	if x.Words.Hint == layout.Lock {
		out = append(out, survey.Evidence{Kind: layout.Lock, Weight: 0.5,
			Why: "the path says " + say.Printable(x.Words.By)})
	}
	return out
}

// spelling is the evidence of the names themselves.
func spelling(x *survey.Dir, kind layout.Kind, weight float64) survey.Evidence {
	l := x.Line.Queue[0].Layout
	for i := range x.Line.Queue {
		if x.Line.Queue[i].Layout.Kind == kind {
			l = x.Line.Queue[i].Layout
			break
		}
	}
	if l == &layout.NumberedRow {
		return survey.Evidence{Kind: kind, Weight: weight,
			Why: say.Plural(len(x.Line.Queue), "child is", "children are") +
				" ephemeral and sequential, spelled in no known way"}
	}
	return survey.Evidence{Kind: kind, Weight: weight, Why: say.Plural(len(x.Line.Queue), "child is", "children are") +
		" spelled like " + l.About}
}

// lockIn prepares the model of a lock whose claims are in the directory.
func lockIn(x *survey.Dir, base string) *lineView { return viewOf(x, layout.Lock, base) }

func buildLock(x *survey.Dir, why []survey.Evidence) *model.Model {
	v := lockIn(x, x.Path)
	m := v.build(why)
	if m.Dialect == layout.Libkv {
		v.lendParent()
	}
	m.State = lineState(x, m, model.Free, model.Held)
	return m
}

// lineState is the state of a line: one word for an empty one, one for any other, unknown for one whose
// children were not listed.
func lineState(x *survey.Dir, m *model.Model, empty, taken model.State) model.State {
	switch {
	case len(m.Claims) > 0:
		return taken
	case x.Node.NumChildren > 0 && len(x.Node.Children) == 0:
		return model.Unknown
	}
	return empty
}
