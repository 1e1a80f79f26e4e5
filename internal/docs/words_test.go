package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// still are packages, and a page that is printed from them, that say a phrase which is not used any more: whoever mends one
// takes it from here.
var still = map[string][]string{
	// A class of a bench, by which its results of earlier runs are kept.
	"docs/truth.md": {"did not tell"}, "internal/truth": {"did not tell"},
}

var quoted = regexp.MustCompile("`([^`]+)`")

// gone are the phrases that docs/words.md says are not used any more.
func gone(t *testing.T, page string) (out []string) {
	t.Helper()
	_, table, ok := strings.Cut(page, "## Not used any more")
	if !ok {
		t.Fatal("docs/words.md has no list of what is not used any more")
	}
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
				out = append(out, m[1])
			}
		}
	}
	if len(out) < 40 {
		t.Fatalf("only %d phrases", len(out))
	}
	return out
}

// says finds a phrase in a text, where it begins and ends with whole words.
func says(text, phrase string) bool {
	for i := 0; ; {
		at := strings.Index(text[i:], phrase)
		if at < 0 {
			return false
		}
		at += i
		end := at + len(phrase)
		if (at == 0 || !letter(text[at-1]) || !letter(phrase[0])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		i = at + 1
	}
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// No text that a user can see, in the program or on a page, has a phrase that is not used any more. What is put together of
// parts is looked for in the fixtures of inspect, which hold what it says of each.
func TestPhrasesThatAreGone(t *testing.T) {
	all := pages(t)
	phrases := gone(t, all["docs/words.md"])
	look := func(where, pkg, text string) {
		for _, p := range phrases {
			if says(text, p) && !slices.Contains(still[pkg], p) {
				t.Errorf("%s says %q: docs/words.md has what is said instead", where, p)
			}
		}
	}
	for name, text := range all {
		if name != "docs/words.md" {
			look(name, name, text)
		}
	}
	n := 0
	for where, text := range literals(t) {
		pkg, _ := filepath.Rel(root, filepath.Dir(where))
		look(where, pkg, text)
		n++
	}
	if n < 1000 {
		t.Errorf("only %d texts were found", n)
	}
	fixtures, err := filepath.Glob(root + "/inspect/testdata/*.txt")
	if err != nil || len(fixtures) < 50 {
		t.Fatal(len(fixtures), err)
	}
	for _, file := range fixtures {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		look(file, "inspect/testdata", string(b))
	}
	for pkg, list := range still {
		for _, p := range list {
			if !slices.Contains(phrases, p) {
				t.Errorf("%s may say %q, which is not on the list", pkg, p)
			}
		}
	}
}

// literals are the texts of the program by where they stand: string literals of the packages that it is made of.
func literals(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
					p := set.Position(lit.Pos())
					out[path+":"+strconv.Itoa(p.Line)+":"+strconv.Itoa(p.Column)] = text
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The glossary explains each word once.
func TestEachWordHasOneMeaning(t *testing.T) {
	page, _, _ := strings.Cut(pages(t)["docs/words.md"], "## Not used any more")
	seen := map[string]bool{}
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.HasPrefix(cells[1], "--") || strings.TrimSpace(cells[1]) == "word" {
			continue
		}
		for _, w := range strings.Split(cells[1], ",") {
			if w = strings.TrimSpace(w); seen[w] {
				t.Errorf("%q is explained twice", w)
			}
			seen[w] = true
		}
	}
	if len(seen) < 80 {
		t.Errorf("only %d words", len(seen))
	}
}
