package lines

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// foreigners lists the children that are not claims and says what they do to the clients.
func (v *lineView) foreigners() {
	m := v.Model
	for _, c := range v.Foreign {
		if !layout.IsFurniture(c.Name) && !v.advertises(c) {
			m.Foreign = append(m.Foreign, c.Name)
		}
	}
	if len(m.Foreign) == 0 || len(m.Claims) == 0 {
		return
	}
	var severity model.Severity
	var effect string
	for i := range v.Line.Queue {
		if s, text := v.effect(v.Line.Queue[i].Layout); s > severity {
			severity, effect = s, text
		}
	}
	v.NoteForeignAs("child is not a contender", "children are not contenders", severity, effect)
}

// advertises reports whether a child shows where the leader of the line can be had: Twitter's singletons
// keep one beside their candidates.
func (v *lineView) advertises(c *znode.Node) bool {
	for i := range v.Set {
		if v.Set[i].Node == c {
			return v.Set[i].Layout.ID == "TW-SERVERSET"
		}
	}
	return false
}

// effect is what foreign children do to one library's clients.
func (v *lineView) effect(l *layout.Layout) (model.Severity, string) {
	switch {
	case l.Dialect == layout.GoZooKeeper:
		return model.High, "go-zookeeper's Lock fails as long as they are there"
	case l.Dialect == layout.Curator:
		if name, ok := v.sortsFirst(l); ok {
			return model.High, "Curator sorts " + say.Visible(name) +
				" before every claim, so its clients wait for ever"
		}
		return model.Low, "Curator sorts them behind the claims, where they do no harm"
	case l.Dialect == layout.Generic:
		return model.Low, "what its clients make of them is not known"
	case l.ID == "ZK-ELECT":
		return model.Medium, "ZooKeeper's LeaderElectionSupport fails on them"
	}
	return model.Medium, "some clients count such children and wait for them"
}

// sortsFirst returns a foreign child that Curator's order puts before the first claim. Curator sorts all
// children, by what follows the word or, without it, by the whole name.
func (v *lineView) sortsFirst(l *layout.Layout) (string, bool) {
	head := v.Line.Queue[0].SeqText()
	for _, name := range v.Model.Foreign {
		key := name
		if i := strings.LastIndex(name, l.Word); i >= 0 {
			key = name[i+len(l.Word):]
		}
		if key < head {
			return name, true
		}
	}
	return "", false
}

// mixedDialects says what it means that claims of several libraries share a line.
func (v *lineView) mixedDialects() {
	if !v.Line.Mixed {
		return
	}
	var there []string
	for i := range v.Line.Queue {
		if d := string(v.Line.Queue[i].Layout.Dialect); !slices.Contains(there, d) {
			there = append(there, d)
		}
	}
	slices.Sort(there)
	both := strings.Join(there, " and ")
	switch {
	case slices.Contains(there, string(layout.Kazoo)):
		v.AddFinding(model.CodeMixedDialects, model.High, both+
			" share the line: kazoo ignores names that are not its own unless told to look for them, so two may act at once")
	case both == string(layout.Curator)+" and "+string(layout.GoZooKeeper):
		v.AddFinding(model.CodeMixedDialects, model.Low, both+
			" share the line: they count each other's names and agree until the counter wraps")
	default:
		v.AddFinding(model.CodeMixedDialects, model.Medium, both+
			" share the line: whether they wait for each other is not known")
	}
}
