package actions

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// clean offers to delete what a recipe left behind: a stale ready, or the mark of a taken item that is no more.
var clean = way{verb: VerbClean, key: "n", label: "clean up", not: whyNotClean, plan: func(s Scene) Plan {
	path, what := leftover(s.Model)
	p := CleanUp(s.Result.Snapshot, s.Model, path, what)
	if n := len(s.Model.Claims); n > 0 && s.Model.Kind.Together() {
		p.Warnings = append(p.Warnings, say.Plural(n, "member is", "members are")+
			" there: it is best deleted while nobody is, so that the next round begins with nobody in it")
	}
	return p
}}

func whyNotClean(s Scene) string {
	if why := s.lost(); why != "" {
		return why
	}
	path, _ := leftover(s.Model)
	if path == "" {
		return "nothing was left behind that is known to be of no use"
	}
	switch n := s.Result.Snapshot.At(path); {
	case s.Model.Kind.Together() && s.Model.Unsure() > 0:
		unsure := s.Model.Unsure()
		return say.Plural(unsure, "member", "members") + " of kazoo's may wait for it to be made, and " +
			say.Choose(unsure, "would", "would all") + " wait for ever once it was deleted: end " +
			say.Choose(unsure, "its process", "their processes") + " first, and delete it while nobody is there"
	case n == nil || n.Czxid == 0:
		return say.Printable(path) + " could not be read, so it cannot be pinned"
	case n.NumChildren > 0:
		return say.Printable(path) + " has children: only a single znode is ever deleted"
	}
	return ""
}

// CleanUp is the plan that deletes one znode of a recipe that is of no more use; model may be nil.
func CleanUp(snap *znode.Snapshot, m *model.Model, path, what string) Plan {
	n := snap.At(path)
	p := Plan{Verb: VerbClean, Op: Remove, Recipe: path, Name: path, Target: Target{path, n.Czxid, n.Owner, n.Version}, OldData: n.Data, Risk: Elevated}
	if m != nil {
		p.Recipe, p.Kind = m.Path, m.Kind
	}
	p.Title = "delete " + what + " " + say.Printable(path)
	p.Guards = guards(p.Target)
	p.Guards = append(p.Guards, "it has no children; the server refuses otherwise")
	p.Outcome = []string{"only this znode goes"}
	return p
}

// leftover finds the first znode that a finding calls left behind.
func leftover(m *model.Model) (path, what string) {
	for i := range m.Findings {
		f := &m.Findings[i]
		switch {
		case f.Code == model.CodeStaleReady:
			return znode.Join(m.Path, "ready"), "the stale"
		case f.Code == model.CodeOrphanTaken && len(f.Paths) > 0:
			return f.Paths[0], "the orphan mark"
		}
	}
	return "", ""
}

// EmptyParent offers to delete a directory that recipes left behind empty. It is never recursive.
func EmptyParent(r *model.Result, path string) Offer {
	o := Offer{Verb: VerbClean, Key: "n", Label: "delete the empty directory", Disabled: lostSince(r.Snapshot)}
	n := r.Snapshot.At(path)
	switch {
	case o.Disabled != "":
	case n == nil || n.Czxid == 0:
		o.Disabled = say.Printable(path) + " is not there, or could not be read"
	case n.NumChildren > 0 || len(n.Children) > 0:
		o.Disabled = say.Printable(path) + " is not empty"
	case len(n.Data) > 0:
		o.Disabled = say.Printable(path) + " has data: it is more than an empty directory"
	case path == "/" || path == r.Snapshot.Base:
		o.Disabled = "that is the root"
	default:
		p := CleanUp(r.Snapshot, nil, path, "the empty directory")
		p.Warnings = []string{"a client that is about to make its claim here finds its parent gone; most make it again"}
		o.plan = func() Plan { return p }
	}
	return o
}
