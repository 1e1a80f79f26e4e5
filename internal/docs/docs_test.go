// Package docs keeps the documentation true, as tests: what the reference says is what the program says, every command line is
// taken and those of the guide are run, links and pictures lead somewhere, and the words are those of docs/words.md.
package docs

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
)

var update = flag.Bool("update", false, "write docs/reference and the printed parts of docs/library.md anew")

// asProgram is set where this binary is to be zkscope, so that a shell can run the guide's command lines as they stand.
const asProgram = "ZKSCOPE_DOCS_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Run(os.Args[1:], cli.OS()))
	}
	os.Exit(m.Run())
}

// root is the repository.
const root = "../.."

// pages are all pages of the documentation, by their paths from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	read := func(path string) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(name)] = string(b)
	}
	tops, err := filepath.Glob(root + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range tops {
		read(top)
	}
	err = filepath.WalkDir(root+"/docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			read(path)
		}
		return err
	})
	if err != nil || len(out) < 25 {
		t.Fatalf("%d pages: %v", len(out), err)
	}
	return out
}

// commandLine is a line of a page that calls zkscope.
type commandLine struct {
	page, text string
	number     int
}

var aside = regexp.MustCompile(`(\s{3,}|\s+# ).*$`) // what is said of a command behind it

// commandLines are those of a page's blocks.
func commandLines(page, text string) (out []commandLine) {
	fenced, n := false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		in := strings.HasPrefix(line, "    ")
		if line = strings.TrimSpace(line); (fenced || in) && strings.HasPrefix(line, "zkscope ") {
			out = append(out, commandLine{page, aside.ReplaceAllString(line, ""), n})
		}
	}
	return out
}

// same compares a printed page to the file, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	file := filepath.Join(root, path)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != want {
		t.Errorf("%s is not what the program says: go test ./internal/docs -update prints it (%v)", path, err)
	}
}
