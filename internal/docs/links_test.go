package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// anchor is what a heading is linked by.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteRune('-')
		}
	}
	return b.String()
}

// Every link leads to a file, and to a heading where it names one.
func TestLinksLeadSomewhere(t *testing.T) {
	all, n := pages(t), 0
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			to, part, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			n++
			target := name
			if to != "" {
				target = path.Join(path.Dir(name), to)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: %s is not there", name, m[1])
				continue
			}
			if part != "" && !hasHeading(all[target], part) {
				t.Errorf("%s: %s has no heading %s", name, target, part)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d links were found", n)
	}
}

func hasHeading(text, part string) bool {
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		if anchor(h[1]) == part {
			return true
		}
	}
	return false
}

// Every page can be reached from README.
func TestEveryPageIsLinked(t *testing.T) {
	all := pages(t)
	seen, next := map[string]bool{}, []string{"README.md"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if text, ok := all[name]; ok && !seen[name] {
			seen[name] = true
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				to, _, _ := strings.Cut(m[1], "#")
				next = append(next, path.Join(path.Dir(name), to))
			}
		}
	}
	for name := range all {
		if !seen[name] {
			t.Errorf("no way leads from README.md to %s", name)
		}
	}
}
