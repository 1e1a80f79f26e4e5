package view

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/widget"
)

// KeepsEvent reports whether an event answers a filter: by its path, kind, owner, session or text.
func KeepsEvent(f *widget.Filter, e *story.Event) bool {
	return f.Empty() || f.KeepsNamed(func(match, word func(string) bool) bool {
		return match(e.Path) || word(string(e.Kind)) || word(e.Kind.Words()) || word(e.What) ||
			match(e.Owner) || match(e.Text) || e.Session != 0 && match(e.Session.String())
	})
}

// KeepsModel reports whether a recipe answers a filter: by its path, by a word of its kind, dialect, state or findings,
// or by the owner, address or session of one of its claims.
func KeepsModel(f *widget.Filter, m *model.Model) bool {
	return f.KeepsNamed(func(match, word func(string) bool) bool {
		if match(m.Path) || word(string(m.Kind)) || word(m.Kind.Words()) || word(string(m.Dialect)) || word(string(m.State)) {
			return true
		}
		for i := range m.Findings {
			if word(m.Findings[i].Code) {
				return true
			}
		}
		for i := range m.Claims {
			c := &m.Claims[i]
			if match(c.Owner()) || c.Addr != "" && match(c.Addr) || c.Session != 0 && match(c.Session.String()) {
				return true
			}
		}
		return false
	})
}
