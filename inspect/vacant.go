package inspect

import (
	"strings"
	"time"
)

// An election that nobody leads. A line is one as long as its directory stands. A leader that is one znode leaves nothing
// behind when it goes: that its place is vacant shows where the system's other znodes tell that it is there, and where a
// leader was seen in this run. It is reported at the path that its znode would have, without claims.

// vacancy adds the finding that nobody leads, once that has lasted for longer than it takes to elect somebody.
func (b *builder) vacancy(h *heirs) {
	m := b.model
	since := b.vacantSince()
	m.detailed().vacant = since
	if grace := since.Add(b.office().grace()); !since.IsZero() && b.snap.TakenAt.Before(grace) {
		b.dir.due = sooner(b.dir.due, grace)
		return
	}
	f := Finding{Code: CodeVacant, Severity: Medium, Paths: []string{m.Path}, Text: "nobody leads"}
	if len(h.by)+len(h.led) > 0 {
		f.Severity = High
	}
	f.Text += h.vacant()
	if h.paused {
		f.Text += ": its operators have paused it, so nobody is promoted until they resume it"
	}
	for _, id := range h.by {
		if id != 0 {
			f.Sessions = append(f.Sessions, id)
		}
	}
	m.Findings = append(m.Findings, f)
}

// follow notes who could take the place of the leader of a recipe that is no line, whose znode those who wait for it
// watch, and tells when nobody leads.
func (b *builder) follow(watched string) {
	m := b.model
	var leader *Claim
	if len(m.Claims) > 0 && holding(m.Claims[0].Role()) {
		leader = &m.Claims[0]
	}
	h := b.inLine(b.heirsOf(leader, watched))
	m.detailed().heirs = h
	if leader == nil {
		b.volatile = b.volatile || watched != m.Path // who watches there is no news of any claim
		b.vacancy(h)
	}
}

// inLine adds those who stand in line behind the leader.
func (b *builder) inLine(h *heirs) *heirs {
	var leader SessionID
	for i := range b.model.Claims {
		switch c := &b.model.Claims[i]; {
		case holding(c.Role()):
			leader = c.Session
		case c.Session != leader || leader == 0:
			h.heir(c.Session, c.Owner())
		}
	}
	return h
}

// vacantSince is when the election was first seen to be vacant in this run; zero: it was so from the start.
func (b *builder) vacantSince() time.Time {
	switch {
	case b.first:
		return time.Time{}
	case b.prev != nil && b.prev.Kind == Election && b.prev.State == Vacant:
		return b.prev.detail().vacant
	}
	return b.snap.TakenAt
}

// vacant says who is there although nobody leads.
func (h *heirs) vacant() string {
	var parts []string
	switch n := len(h.by); {
	case n > 0 && h.ranked:
		parts = append(parts, list(h.names)+" could be promoted")
	case n > 0:
		parts = append(parts, list(h.names)+choose(n, " watches", " watch")+" for the place")
	case len(h.barred) > 0:
		parts = append(parts, "no member can be promoted ("+list(h.barred)+choose(len(h.barred), " is", " are")+" there)")
	case h.line:
		parts = append(parts, "nobody stands in line")
	case h.ranked:
		parts = append(parts, "no member is there that could be promoted")
	case h.known:
		parts = append(parts, "nobody is seen to stand by")
	default:
		parts = append(parts, "whether anybody stands by is not known: standbys leave no znode")
	}
	if len(h.led) > 0 {
		parts = append(parts, strings.Join(h.led, " and ")+" without a leader")
	}
	return "; " + strings.Join(parts, "; ")
}

// officesIn lists the known leaderships of one znode that may lie in directories, by the name of the last of those;
// those that may lie anywhere are under the name of what stands beside them.
var officesIn, officesBeside = indexOffices()

func indexOffices() (in, beside map[string][]*Place) {
	in, beside = make(map[string][]*Place), make(map[string][]*Place)
	for i := range places {
		p := &places[i]
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
			in[strings.TrimSuffix(parts[len(parts)-2], "*")] = append(in[strings.TrimSuffix(parts[len(parts)-2], "*")], p)
		}
	}
	return in, beside
}

// vacantPlaces lists the known leaderships whose znode would be a child of the directory and is not there.
func vacantPlaces(path string, n, parent *Node) (out []*Place) {
	try := func(ps []*Place) {
		for _, p := range ps {
			name := p.Tail[strings.LastIndexByte(p.Tail, '/')+1:]
			if n.Child(name) == nil && p.matches(Join(path, name)) && (p.Beside == "" || n.Child(p.Beside) != nil) {
				out = append(out, p)
			}
		}
	}
	try(officesIn[n.Name])
	try(officesIn[numberless(n.Name)])
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

	place *Place
	last  *Model // what was there, when it went just now
}

// missing lists the leaderships of one znode that may be vacant in a directory: those whose znode went just now, those of
// known places, and those that were found so before and where a leader was seen.
func missing(path string, n, parent *Node, gone []*Model, old *memo) (out []unled) {
	there := func(name string) bool { return n.Child(name) != nil }
	add := func(name string, p *Place, seen bool, last *Model) {
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
		_, name := Split(g.Path)
		add(name, placeOf(g.Path, true, there), true, g)
	}
	for _, p := range vacantPlaces(path, n, parent) {
		add(p.Tail[strings.LastIndexByte(p.Tail, '/')+1:], p, false, nil)
	}
	if old == nil {
		return out
	}
	for i := range old.absent {
		if a := &old.absent[i]; a.seen {
			add(a.name, placeOf(Join(path, a.name), true, there), true, nil)
		}
	}
	return out
}

// findAbsent finds the leaderships of one znode that are vacant in a directory. gone are the models of those whose znode
// went just now.
func (d *decoder) findAbsent(m *memo, path string, n, parent *Node, gone []*Model, old *memo) {
	was := make(map[string]*unled)
	if old != nil {
		for i := range old.absent {
			was[old.absent[i].name] = &old.absent[i]
		}
	}
	if listed := !n.Has(NotListed) && (len(n.Children) > 0 || n.NumChildren == 0); listed && !d.snap.loading() {
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
func (d *decoder) vacate(path string, n *Node, a *unled) *found {
	p := a.place
	x := &dir{decoder: d, path: Join(path, a.name), node: &Node{Name: a.name}, parent: n, place: p, prev: a.last}
	if d.prev != nil && x.prev == nil {
		x.prev = d.prev.ByPath(x.path)
	}
	if len(d.hints.rules) > 0 {
		x.hint = d.hints.of(x.path)
	}
	h := x.heirsOf(nil, x.path)
	if !a.seen && !h.there {
		return &found{deps: x.deps}
	}
	b := x.builder(Election, x.placed(Generic))
	m := b.model
	m.State, m.Confidence = Vacant, 0.9
	m.detailed().heirs = h
	if p != nil {
		m.Why = append(m.Why, "the path is that of "+p.About, "what stands beside it tells that the system is there")
	}
	if a.seen {
		m.Why = append(m.Why, "a leader was seen here")
	}
	if p == nil && x.prev != nil && x.prev.Kind == Election {
		m.Dialect, m.Confidence = x.prev.Dialect, x.prev.Confidence
	}
	b.vacancy(h)
	a.last = nil
	return x.found(m)
}
