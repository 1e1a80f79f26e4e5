package survey

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// An election that nobody leads. A line is one as long as its directory stands. A leader that is one znode leaves
// nothing behind when it goes: that its place is vacant shows where the system's other znodes tell that it is there,
// and where a leader was seen in this run. It is reported at the path that its znode would have, without claims.

// CheckVacancy adds the finding that nobody leads, once that has lasted for longer than it takes to elect somebody.
func (b *Builder) CheckVacancy(h *model.Heirs) {
	m := b.Model
	since := b.vacantSince()
	m.MakeDetail().Vacant = since
	if grace := since.Add(b.Office().Patience()); !since.IsZero() && b.Snap.TakenAt.Before(grace) {
		b.Dir.Due = Sooner(b.Dir.Due, grace)
		return
	}
	f := model.Finding{Code: model.CodeVacant, Severity: model.Medium, Paths: []string{m.Path}, Text: "nobody leads"}
	f.Text += h.Vacant()
	if len(h.By)+len(h.Led) > 0 {
		f.Severity = model.High
	}
	if h.Paused {
		f.Text += ": its operators have paused it, so nobody is promoted until they resume it"
	}
	for _, id := range h.By {
		if id != 0 {
			f.Sessions = append(f.Sessions, id)
		}
	}
	m.Findings = append(m.Findings, f)
}

// NoteFollowers notes who could take the place of the leader of a recipe that is no line, whose znode those who wait
// for it watch, and tells when nobody leads.
func (b *Builder) NoteFollowers(watched string) {
	m := b.Model
	var leader *model.Claim
	if len(m.Claims) > 0 && model.Holding(m.Claims[0].Role()) {
		leader = &m.Claims[0]
	}
	h := b.AddWaiting(b.HeirsOf(leader, watched))
	m.MakeDetail().Heirs = h
	if leader == nil {
		b.Volatile = b.Volatile || watched != m.Path // who watches there is no news of any claim
		b.CheckVacancy(h)
	}
}

// AddWaiting adds those who stand in line behind the leader.
func (b *Builder) AddWaiting(h *model.Heirs) *model.Heirs {
	var leader znode.SessionID
	for i := range b.Model.Claims {
		switch c := &b.Model.Claims[i]; {
		case model.Holding(c.Role()):
			leader = c.Session
		case c.Session != leader || leader == 0:
			h.Add(c.Session, c.Owner())
		}
	}
	return h
}

// vacantSince is when the election was first seen to be vacant in this run; zero: it was so from the start.
func (b *Builder) vacantSince() time.Time {
	switch {
	case b.First:
		return time.Time{}
	case b.Prev != nil && b.Prev.Kind.Leads() && b.Prev.State == model.Vacant:
		return b.Prev.Detail().Vacant
	}
	return b.Snap.TakenAt
}

// officesIn lists the known leaderships of one znode that may lie in directories, by the name of the last of those;
// those that may lie anywhere are under the name of what stands beside them.
var officesIn, officesBeside = indexOffices()

func indexOffices() (in, beside map[string][]*layout.Place) {
	in, beside = make(map[string][]*layout.Place), make(map[string][]*layout.Place)
	for p := range layout.EachPlace() {
		if !p.Itself || p.Office == nil || p.Office.Mute {
			continue
		}
		parts := strings.Split(p.Tail, "/")
		switch {
		case len(parts) == 1:
			beside[p.Beside] = append(beside[p.Beside], p)
		case parts[len(parts)-2] == "*":
			in[parts[len(parts)-3]+"/*"] = append(in[parts[len(parts)-3]+"/*"], p)
		default:
			in[strings.TrimSuffix(parts[len(parts)-2], "*")] = append(in[strings.TrimSuffix(parts[len(parts)-2], "*")],
				p)
		}
	}
	return in, beside
}

// vacantPlaces lists the known leaderships whose znode would be a child of the directory and is not there.
func vacantPlaces(path string, n, parent *znode.Node) (out []*layout.Place) {
	try := func(ps []*layout.Place) {
		for _, p := range ps {
			name := p.Tail[strings.LastIndexByte(p.Tail, '/')+1:]
			if n.Child(name) == nil && p.Matches(znode.Join(path, name)) &&
				(p.Beside == "" || n.Child(p.Beside) != nil) {
				out = append(out, p)
			}
		}
	}
	try(officesIn[n.Name])
	try(officesIn[layout.LeadingLetters(n.Name)])
	if parent != nil {
		try(officesIn[parent.Name+"/*"])
	}
	for beside, ps := range officesBeside {
		if n.Child(beside) != nil {
			try(ps)
		}
	}
	return out
}

// unled is a leadership of one znode that is not there.
type unled struct {
	name string
	seen bool // a leader was seen there in this run
	*found

	place *layout.Place
	last  *model.Model // what was there, when it went just now
}

// missing lists the leaderships of one znode that may be vacant in a directory: those whose znode went just now, those
// of known places, and those that were found so before and where a leader was seen.
func missing(path string, n, parent *znode.Node, gone []*model.Model, old *memo) (out []unled) {
	there := func(name string) bool { return n.Child(name) != nil }
	add := func(name string, p *layout.Place, seen bool, last *model.Model) {
		if there(name) {
			return
		}
		for i := range out {
			if out[i].name == name {
				out[i].seen = out[i].seen || seen
				return
			}
		}
		out = append(out, unled{name: name, seen: seen, place: p, last: last})
	}
	for _, g := range gone {
		_, name := znode.Split(g.Path)
		add(name, layout.PlaceOf(g.Path, true, there), true, g)
	}
	for _, p := range vacantPlaces(path, n, parent) {
		add(p.Tail[strings.LastIndexByte(p.Tail, '/')+1:], p, false, nil)
	}
	if old == nil {
		return out
	}
	for i := range old.absent {
		if a := &old.absent[i]; a.seen {
			add(a.name, layout.PlaceOf(znode.Join(path, a.name), true, there), true, nil)
		}
	}
	return out
}

// findAbsent finds the leaderships of one znode that are vacant in a directory. gone are the models of those whose
// znode went just now.
func (d *Decoder) findAbsent(m *memo, path string, n, parent *znode.Node, gone []*model.Model, old *memo) {
	was := make(map[string]*unled)
	if old != nil {
		for i := range old.absent {
			was[old.absent[i].name] = &old.absent[i]
		}
	}
	if listed := !n.Has(znode.NotListed) && (len(n.Children) > 0 || n.NumChildren == 0); listed && !d.Snap.Loading() {
		m.absent = missing(path, n, parent, gone, old)
	}
	for i := range m.absent {
		a := &m.absent[i]
		before := was[a.name]
		delete(was, a.name)
		switch {
		case before != nil && a.seen == before.seen && a.place == before.place && d.holds(before.found):
			a.found = before.found
		case before != nil:
			a.found = d.vacate(path, n, a)
			d.replace(before.found, a.found)
		default:
			a.found = d.vacate(path, n, a)
			d.replace(nil, a.found)
		}
	}
	for _, a := range was {
		d.replace(a.found, nil)
	}
}

// vacate makes the model of a leadership that is one znode which is not there; without a model where nothing tells that
// the system is there.
func (d *Decoder) vacate(path string, n *znode.Node, a *unled) *found {
	p := a.place
	x := &Dir{Decoder: d, Path: znode.Join(path, a.name), Node: &znode.Node{Name: a.name}, Parent: n, Place: p,
		Prev: a.last}
	if d.Prev != nil && x.Prev == nil {
		x.Prev = d.Prev.ByPath(x.Path)
	}
	if len(d.Hints.Rules) > 0 {
		x.Hint = d.Hints.Of(x.Path)
	}
	h := x.HeirsOf(nil, x.Path)
	if !a.seen && !h.There {
		return &found{deps: x.deps}
	}
	b := x.Builder(layout.Election, x.DialectOr(layout.Generic))
	m := b.Model
	m.State, m.Confidence = model.Vacant, 0.9
	m.MakeDetail().Heirs = h
	if p != nil {
		m.Why = append(m.Why, "the path is that of "+p.About, "other znodes of that system are beside it")
	}
	if a.seen {
		m.Why = append(m.Why, "a leader was seen here")
	}
	if p == nil && x.Prev != nil && x.Prev.Kind.Leads() {
		m.Dialect, m.Confidence = x.Prev.Dialect, x.Prev.Confidence
	}
	b.CheckVacancy(h)
	a.last = nil
	return x.found(m)
}
