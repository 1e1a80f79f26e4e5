package inspect

import (
	"encoding/json"
	"strings"
)

// single decides whether a child without children is a recipe by itself: a znode at a known place of a
// system; an ephemeral znode below a directory whose name says lock or leader; a znode below one that says
// barrier, config, rendezvous or counter. Whoever could create a lock or leader holds or leads; whoever
// could not waits without leaving a znode, so waiters show only as watches.
func (w *walk) single(c *Node, was *found) *found {
	if w.memo.own.isRecipe() {
		return nil
	}
	s := w.singleKind(c)
	if s.kind == "" {
		if len(s.deps) > 0 {
			return &found{deps: s.deps}
		}
		return nil
	}
	if !opaque(s.kind) && s.place == nil {
		deps, announces := w.announces(c)
		s.deps = append(s.deps, deps...)
		if announces {
			return &found{deps: s.deps}
		}
	}
	x := &dir{decoder: w.decoder, path: Join(w.path, c.Name), node: c, parent: w.node, deps: s.deps, place: s.place}
	if len(w.hints.rules) > 0 {
		x.hint = w.hints.of(x.path)
	}
	if was != nil {
		x.prev = was.model
	} else if w.prev != nil {
		x.prev = w.prev.ByPath(x.path)
	}
	if opaque(s.kind) || s.kind == Lease {
		x.line = &line{limit: 1}
		return x.found(x.buildOpaque(s.kind, []Evidence{{s.kind, 0.5, s.why}}))
	}
	return x.found(x.buildSingle(s.kind, s.why, w.path))
}

// alone is the layout of a recipe that is one znode: the lock of the primitives' documentation.
var alone = Layout{ID: "SINGLE", Dialect: ZooKeeper, Kind: Lock, Also: Election, Sure: 0.4,
	About: "one ephemeral znode that whoever could create it holds"}

func (x *dir) buildSingle(kind Kind, why, base string) *Model {
	row := &alone
	evidence := []Evidence{{kind, 0.5, why}, {kind, 0, alone.About}}
	if x.place != nil {
		row, evidence = x.place.alone, evidence[:1]
	}
	p := place{Name: Name{Text: x.node.Name}, layout: row, node: x.node, czxid: x.node.Czxid, session: x.node.Owner}
	x.line = &line{limit: 1, queue: []place{p}}
	x.line.arrange()
	v := x.view(kind, base)
	v.turns[0].why = created
	v.alone = true
	m := v.build(evidence)
	m.State = Held
	if kind == Election {
		m.State = Elected
	}
	if x.place != nil {
		v.refine()
		v.disagreements()
		m.Findings = settleFindings(m.Findings)
	}
	return m
}

// refine says of a system's own znode what its data says and its creator does not.
func (v *lineView) refine() {
	x, m := v.dir, v.model
	c := &m.Claims[0]
	if x.node.Owner == 0 {
		c.reason = dataSays
	}
	if x.place.ID == "KAFKA-PART" && (c.Owner() == "-1" || c.OwnerSource() != FromData) {
		m.Claims, m.State = nil, Vacant
		v.follow(x.path)
		m.Findings = settleFindings(m.Findings)
	}
}

// followers is who could take the leader's place where that does not show as a line; nil: it does. Of a Kafka partition
// it is found out when it is asked for: there are many, and few ask.
func (m *Model) followers() *heirs {
	h := m.detail().heirs
	if h == nil && m.Dialect == Kafka && len(m.Claims) == 1 && m.Claims[0].Node() == "state" {
		return inSync(m.Claims[0].znode().Data, m.Claims[0].Owner())
	}
	return h
}

// inSync is who could lead a Kafka partition: the other replicas that are in sync.
func inSync(data []byte, leader string) *heirs {
	var state struct{ ISR []json.Number }
	h := &heirs{ranked: true, known: json.Unmarshal(data, &state) == nil}
	for _, id := range state.ISR {
		if id.String() != leader {
			h.heir(0, id.String())
		}
	}
	return h
}

// alike is what a child may be by itself, and what that was decided from.
type alike struct {
	kind  Kind
	why   string
	place *Place
	deps  []dep
}

// singleKind says what a child would be by itself.
func (w *walk) singleKind(c *Node) (s alike) {
	if len(w.hints.rules) > 0 {
		switch k := w.hints.of(Join(w.path, c.Name)).kind(); {
		case k == Lock || k == Election || opaque(k):
			if s = w.placeOfSingle(c); s.kind != k {
				s.place = nil
			}
			s.kind, s.why = k, "a hint says so"
			return s
		case k != "":
			if s = w.placeOfSingle(c); s.kind != k || s.place == nil {
				s.kind, s.place = "", nil
			}
			return s
		}
	}
	if s = w.placeOfSingle(c); s.place != nil {
		if s.place.Part {
			s.kind, s.place = "", nil
		}
		return s
	}
	k, itself := wholeWord(c.Name), true
	word := c.Name
	if k == "" {
		if w.word == nil {
			w.word = wordsOf(w.path)
		}
		k, itself, word = w.word.whole, false, w.word.word
	}
	switch {
	case k == "" || !opaque(k) && (!c.Ephemeral() || k != Lock && k != Election):
		return s
	case opaque(k) && !w.hasValue(c, k, itself):
		return s
	}
	if !itself && shaped(c.Name) {
		return s
	}
	s.kind, s.why = k, "a session owns it and the path says "+Printable(word)
	switch {
	case itself:
		s.why = "a session owns a znode called " + Printable(word)
		if opaque(k) {
			s.why = "it is called " + Printable(word)
		}
	case opaque(k):
		s.why = "the path says " + Printable(word)
	}
	return s
}

// shaped reports whether a name is spelled as a participant's in some recipe.
func shaped(text string) bool {
	name := ParseName(text)
	return name.HasSeq || name.Guard == HexGuard || name.Guard == CuratorGuard || name.Guard == GoGuard || isUUID(text)
}

// placeOfSingle looks a child up among the known places of recipes that are one znode.
func (w *walk) placeOfSingle(c *Node) (s alike) {
	if !w.mayBePlace(c.Name) {
		return s
	}
	s.place = placeOf(Join(w.path, c.Name), true, func(name string) bool {
		n := w.node.Child(name)
		s.deps = append(s.deps, dep{Join(w.path, name), n})
		return n != nil
	})
	if s.place == nil {
		return s
	}
	s.kind, s.why = s.place.Kind, "the path is that of "+s.place.About
	return s
}

// mayBePlace is a cheap first look, before a path is put together.
func (w *walk) mayBePlace(name string) bool {
	if placeIndex[1][0][name] != nil {
		return true
	}
	if w.ruled == unknownYet {
		w.ruled = no
		if ruledBy(&placeIndex[1], w.path) {
			w.ruled = yes
		}
	}
	return w.ruled == yes && !strings.HasPrefix(name, "_c_")
}
