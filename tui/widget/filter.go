package widget

import (
	"regexp"
	"strings"
)

// Filter keeps rows. Its text is words, all of which a row must answer: a plain word is contained, !word is
// not contained, ~word has its characters in that order, =word is the whole, ^word is a path or what lies below it, and
// /expression/ is a regular expression. Case does not matter.
type Filter struct {
	Text  string
	Wrong string // why an expression is taken as a plain word; empty: none is
	terms []filterTerm
}

type filterTerm struct {
	not  bool
	sort byte // '~', '=', '^', or 0: the word is contained
	word string
	re   *regexp.Regexp
}

// ParseFilter reads a filter. Any text is one.
func ParseFilter(text string) Filter {
	f := Filter{Text: text}
	for _, w := range strings.Fields(text) {
		var t filterTerm
		w, t.not = strings.CutPrefix(w, "!")
		if len(w) > 1 && strings.IndexByte("~=^", w[0]) >= 0 {
			t.sort, w = w[0], w[1:]
		}
		if n := len(w); t.sort == 0 && n > 2 && w[0] == '/' && w[n-1] == '/' {
			re, err := regexp.Compile("(?i)" + w[1:n-1])
			if t.re = re; err != nil {
				f.Wrong = "not a regular expression: " + w
			}
		}
		if t.word = strings.ToLower(w); t.word != "" {
			f.terms = append(f.terms, t)
		}
	}
	return f
}

// Keeps reports whether something answers every word. any calls its argument for each of the thing's texts
// until one says true, and returns whether one did.
func (f *Filter) Keeps(any func(func(string) bool) bool) bool {
	for i := range f.terms {
		if any(f.terms[i].matches) == f.terms[i].not {
			return false
		}
	}
	return true
}

// KeepsNamed is Keeps for things that have texts of others, which any gives to match, and words of ours, as of kinds,
// which it gives to word: a plain word is contained in those, and begins one of these, for nobody means gathering by
// ring.
func (f *Filter) KeepsNamed(any func(match, word func(string) bool) bool) bool {
	for i := range f.terms {
		if any(f.terms[i].matches, f.terms[i].begins) == f.terms[i].not {
			return false
		}
	}
	return true
}

// begins reports whether words of ours answer.
func (t *filterTerm) begins(words string) bool {
	if t.re != nil || t.sort != 0 {
		return t.matches(words)
	}
	words = strings.ToLower(words)
	for i := 0; i < len(words); i++ {
		if strings.HasPrefix(words[i:], t.word) && (i == 0 || words[i-1] == ' ' || words[i-1] == '-') {
			return true
		}
	}
	return false
}

func (t *filterTerm) matches(s string) bool {
	switch {
	case t.re != nil:
		return t.re.MatchString(s)
	case t.sort == '~':
		return InOrder(strings.ToLower(s), t.word)
	case t.sort == '=':
		return strings.EqualFold(s, t.word)
	case t.sort == '^':
		return strings.HasPrefix(strings.ToLower(s)+"/", strings.TrimSuffix(t.word, "/")+"/")
	}
	return contains(s, t.word)
}

// InOrder reports whether the characters of w occur in s one after the other.
func InOrder(s, w string) bool {
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

// Empty reports whether it keeps everything.
func (f *Filter) Empty() bool { return len(f.terms) == 0 }
