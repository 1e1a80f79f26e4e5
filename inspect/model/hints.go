package model

import (
	"path"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Hints are what people know and the tree does not say. The zero value hints at nothing.
type Hints struct {
	Rules []Hint            // the first that sets a field decides it
	Own   []znode.SessionID // our own sessions: their claims are marked Mine and never counted as a herd
}

// Hint speaks about the recipes whose paths match a pattern. Every field but Path may be left empty.
// Where several match, the first that sets a field decides it.
type Hint struct {
	Path    string         // a glob: * and ? stay within one component, ** spans any number of them
	Kind    layout.Kind    // what it is
	Dialect layout.Dialect // whose layout
	Limit   int            // how many may hold together
	Standby int            // how many should at least stand by behind a leader or holder; fewer is a finding
	Members []string       // who should be there; whoever is not is a finding
	Needed  int            // how many members a double barrier waits for; of other kinds, how many should at least take part
	Present bool           // a recipe should be there, where Path is no pattern; none is a finding
}

// Hinter answers which hint holds for a path.
type Hinter struct {
	Rules []HintRule // in the order of the hints
}

// HintRule is a hint that was prepared to be asked by path.
type HintRule struct {
	Hint
	parts []string
	Fixed bool // no wildcard: compared as text
}

// NewHinter prepares hints to be asked by path.
func NewHinter(h Hints) *Hinter {
	out := &Hinter{}
	for _, r := range h.Rules {
		out.Rules = append(out.Rules, HintRule{
			Hint:  r,
			parts: components(r.Path),
			Fixed: !strings.ContainsAny(r.Path, `*?[\`),
		})
	}
	return out
}

// Of merges the hints for a path; nil when there are none.
func (h *Hinter) Of(p string) *Hint {
	var out *Hint
	for i := range h.Rules {
		r := &h.Rules[i]
		if !r.Matches(p) {
			continue
		}
		if out == nil {
			out = &Hint{Path: r.Path}
		}
		out.merge(&r.Hint)
	}
	return out
}

// Matches reports whether the rule's pattern covers a path.
func (r *HintRule) Matches(p string) bool {
	if r.Fixed {
		return r.Path == p
	}
	return matchParts(r.parts, components(p))
}

func (h *Hint) merge(o *Hint) {
	if h.Kind == "" {
		h.Kind, h.Path = o.Kind, o.Path
	}
	if h.Dialect == "" {
		h.Dialect = o.Dialect
	}
	if h.Limit == 0 {
		h.Limit = o.Limit
	}
	if h.Standby == 0 {
		h.Standby = o.Standby
	}
	if h.Members == nil {
		h.Members = o.Members
	}
	if h.Needed == 0 {
		h.Needed = o.Needed
	}
	h.Present = h.Present || o.Present
}

// KindOf is the hinted kind; empty without a hint.
func (h *Hint) KindOf() layout.Kind {
	if h == nil {
		return ""
	}
	return h.Kind
}

func components(p string) []string {
	p = strings.Trim(p, "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

func matchParts(pattern, parts []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := 0; i <= len(parts); i++ {
				if matchParts(pattern[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], parts[0]); err != nil || !ok {
			return false
		}
		pattern, parts = pattern[1:], parts[1:]
	}
	return len(parts) == 0
}

// Equal reports whether two sets of hints say the same.
func (h Hints) Equal(o Hints) bool {
	return slices.Equal(h.Own, o.Own) && h.SameRules(o)
}

// SameRules reports whether two sets of hints say the same of paths.
func (h Hints) SameRules(o Hints) bool {
	return slices.EqualFunc(h.Rules, o.Rules, func(a, b Hint) bool {
		members := slices.Equal(a.Members, b.Members)
		a.Members, b.Members = nil, nil
		return members && a.Path == b.Path && a.Kind == b.Kind && a.Dialect == b.Dialect &&
			a.Limit == b.Limit && a.Standby == b.Standby && a.Needed == b.Needed && a.Present == b.Present
	})
}
