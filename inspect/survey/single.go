package survey

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// single decides whether a child without children is a recipe by itself: a znode at a known place of a
// system; an ephemeral znode below a directory whose name says lock or leader; a znode below one that says
// barrier, config, rendezvous or counter. Whoever could create a lock or leader holds or leads; whoever
// could not waits without leaving a znode, so waiters show only as watches.
func (w *walk) single(c *znode.Node, was *found) *found {
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
	if !s.kind.Opaque() && s.place == nil {
		deps, announces := w.announces(c)
		s.deps = append(s.deps, deps...)
		if announces {
			return &found{deps: s.deps}
		}
	}
	x := &Dir{Decoder: w.Decoder, Path: znode.Join(w.path, c.Name), Node: c, Parent: w.node, deps: s.deps,
		Place: s.place}
	if len(w.Hints.Rules) > 0 {
		x.Hint = w.Hints.Of(x.Path)
	}
	if was != nil {
		x.Prev = was.model
	} else if w.Prev != nil {
		x.Prev = w.Prev.ByPath(x.Path)
	}
	if !s.kind.Alone() {
		x.Line = &order.Line{Limit: 1}
		return x.found(x.buildOpaque(s.kind, []Evidence{{s.kind, 0.5, s.why}}))
	}
	return x.found(x.kinds.Single(x, s.kind, s.why, w.path))
}

// alike is what a child may be by itself, and what that was decided from.
type alike struct {
	kind  layout.Kind
	why   string
	place *layout.Place
	deps  []dep
}

// singleKind says what a child would be by itself.
func (w *walk) singleKind(c *znode.Node) (s alike) {
	if len(w.Hints.Rules) > 0 {
		switch k := w.Hints.Of(znode.Join(w.path, c.Name)).KindOf(); {
		case k.Alone() || k.Opaque():
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
	k, itself := layout.WholeWord(c.Name), true
	word := c.Name
	if k == "" {
		if w.word == nil {
			w.word = layout.WordsOf(w.path)
		}
		k, itself, word = w.word.Whole, false, w.word.Word
	}
	switch {
	case k == "" || !k.Opaque() && (!c.Ephemeral() || !k.Alone()):
		return s
	case k.Opaque() && !w.hasValue(c, k, itself):
		return s
	}
	if !itself && SpelledAsParticipant(c.Name) {
		return s
	}
	s.kind, s.why = k, "a session owns it and the path says "+say.Printable(word)
	switch {
	case itself:
		s.why = "a session owns a znode called " + say.Printable(word)
		if k.Opaque() {
			s.why = "it is called " + say.Printable(word)
		}
	case k.Opaque():
		s.why = "the path says " + say.Printable(word)
	}
	return s
}

// SpelledAsParticipant reports whether a name is spelled as a participant's in some recipe.
func SpelledAsParticipant(text string) bool {
	name := layout.ParseName(text)
	return name.HasSeq || name.Guard == layout.HexGuard || name.Guard == layout.CuratorGuard ||
		name.Guard == layout.GoGuard || layout.IsUUID(text)
}

// placeOfSingle looks a child up among the known places of recipes that are one znode.
func (w *walk) placeOfSingle(c *znode.Node) (s alike) {
	if !w.mayBePlace(c.Name) {
		return s
	}
	s.place = layout.PlaceOf(znode.Join(w.path, c.Name), true, func(name string) bool {
		n := w.node.Child(name)
		s.deps = append(s.deps, dep{znode.Join(w.path, name), n})
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
	if layout.IsPlaceName(name, true) {
		return true
	}
	if w.ruled == unknownYet {
		w.ruled = no
		if layout.AnyPlaceIn(w.path, true) {
			w.ruled = yes
		}
	}
	return w.ruled == yes && !strings.HasPrefix(name, "_c_")
}
