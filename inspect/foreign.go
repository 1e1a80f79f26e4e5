package inspect

import (
	"slices"
	"strings"
)

// foreigners lists the children that are no claims and says what they do to the clients.
func (v *lineView) foreigners() {
	m := v.model
	for _, c := range v.foreign {
		if !furniture[c.Name] && !v.advertises(c) {
			m.Foreign = append(m.Foreign, c.Name)
		}
	}
	if len(m.Foreign) == 0 || len(m.Claims) == 0 {
		return
	}
	var severity Severity
	var effect string
	for i := range v.line.queue {
		if s, text := v.effect(v.line.queue[i].layout); s > severity {
			severity, effect = s, text
		}
	}
	v.add(CodeForeignChildren, severity, plural(len(m.Foreign), "child is no contender", "children are no contenders")+
		": "+list(m.Foreign)+"; "+effect)
	f := &m.Findings[len(m.Findings)-1]
	for _, name := range m.Foreign[:min(len(m.Foreign), 10)] {
		f.Paths = append(f.Paths, Join(m.Path, name))
	}
}

// advertises reports whether a child shows where the leader of the line can be had: Twitter's singletons
// keep one beside their candidates.
func (v *lineView) advertises(c *Node) bool {
	for i := range v.set {
		if v.set[i].node == c {
			return v.set[i].layout.ID == "TW-SERVERSET"
		}
	}
	return false
}

// effect is what foreign children do to one library's clients.
func (v *lineView) effect(l *Layout) (Severity, string) {
	switch {
	case l.Dialect == GoZooKeeper:
		return High, "go-zookeeper's Lock fails as long as they are there"
	case l.Dialect == Curator:
		if name, ok := v.sortsFirst(l); ok {
			return High, "Curator sorts " + visible(name) + " before every claim, so its clients wait for ever"
		}
		return Low, "Curator sorts them behind the claims, where they do no harm"
	case l.Dialect == Generic:
		return Low, "what its clients make of them is not known"
	case l.ID == "ZK-ELECT":
		return Medium, "ZooKeeper's LeaderElectionSupport fails on them"
	}
	return Medium, "some clients count such children and wait for them"
}

// sortsFirst returns a foreign child that Curator's order puts before the first claim. Curator sorts all
// children, by what follows the word or, without it, by the whole name.
func (v *lineView) sortsFirst(l *Layout) (string, bool) {
	head := v.line.queue[0].SeqText()
	for _, name := range v.model.Foreign {
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
	if !v.line.mixed {
		return
	}
	var there []string
	for i := range v.line.queue {
		if d := string(v.line.queue[i].layout.Dialect); !slices.Contains(there, d) {
			there = append(there, d)
		}
	}
	slices.Sort(there)
	both := strings.Join(there, " and ")
	switch {
	case slices.Contains(there, string(Kazoo)):
		v.add(CodeMixedDialects, High, both+" share the line: kazoo ignores names that are not its own unless told to look for them, so two may act at once")
	case both == string(Curator)+" and "+string(GoZooKeeper):
		v.add(CodeMixedDialects, Low, both+" share the line: they count each other's names and agree until the counter wraps")
	default:
		v.add(CodeMixedDialects, Medium, both+" share the line: whether they wait for each other is not known")
	}
}
