package tui

import (
	"regexp"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
)

// filter keeps rows. Its text is words, all of which a row must answer: a plain word is contained, !word is
// not contained, ~word has its characters in that order, /expression/ is a regular expression. Case does not
// matter.
type filter struct {
	text  string
	terms []filterTerm
	wrong string // why an expression is taken as a plain word; empty: none is
}

type filterTerm struct {
	not, fuzzy bool
	word       string
	re         *regexp.Regexp
}

func parseFilter(text string) filter {
	f := filter{text: text}
	for _, w := range strings.Fields(text) {
		var t filterTerm
		w, t.not = strings.CutPrefix(w, "!")
		w, t.fuzzy = strings.CutPrefix(w, "~")
		if n := len(w); n > 2 && w[0] == '/' && w[n-1] == '/' {
			re, err := regexp.Compile("(?i)" + w[1:n-1])
			if t.re = re; err != nil {
				f.wrong = "no regular expression: " + w
			}
		}
		if t.word = strings.ToLower(w); t.word != "" {
			f.terms = append(f.terms, t)
		}
	}
	return f
}

// keeps reports whether something answers every word. any calls its argument for each of the thing's texts
// until one says true, and returns whether one did.
func (f *filter) keeps(any func(func(string) bool) bool) bool {
	for i := range f.terms {
		if any(f.terms[i].matches) == f.terms[i].not {
			return false
		}
	}
	return true
}

func (t *filterTerm) matches(s string) bool {
	switch {
	case t.re != nil:
		return t.re.MatchString(s)
	case t.fuzzy:
		return inOrder(strings.ToLower(s), t.word)
	}
	return contains(s, t.word)
}

// inOrder reports whether the characters of w occur in s one after the other.
func inOrder(s, w string) bool {
	for _, r := range w {
		i := strings.IndexRune(s, r)
		if i < 0 {
			return false
		}
		s = s[i+len(string(r)):]
	}
	return true
}

func contains(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

// keepsEvent reports whether an event answers a filter: by its path, kind, owner, session or text.
func (f *filter) keepsEvent(e *story.Event) bool {
	return len(f.terms) == 0 || f.keeps(func(match func(string) bool) bool {
		return match(e.Path) || match(string(e.Kind)) || match(e.What) || match(e.Owner) || match(e.Text) || e.Session != 0 && match(e.Session.String())
	})
}

// keepsModel reports whether a recipe answers a filter: by its path, kind, dialect, state, findings, or by
// the owner, address or session of one of its claims.
func (f *filter) keepsModel(m *model.Model) bool {
	return f.keeps(func(match func(string) bool) bool {
		if match(m.Path) || match(string(m.Kind)) || match(string(m.Dialect)) || match(string(m.State)) {
			return true
		}
		for i := range m.Findings {
			if match(m.Findings[i].Code) {
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
