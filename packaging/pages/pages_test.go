package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/internal/cli"
)

// macros are all that a page may begin a line with.
var macros = regexp.MustCompile(`^\.(TH|SH|TP|PP|B|BR|I|nf|fi|nh|ad l|br)( |$)`)

func TestEveryCommandHasAPage(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, "v1.2.3", "2026-11-29"); err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, c := range append(cli.Tree().Commands(), cli.Tree()) {
		if !c.IsAvailableCommand() && c.HasParent() {
			continue
		}
		pages++
		f, err := os.Open(filepath.Join(dir, "man", pageName(c)+".1.gz"))
		if err != nil {
			t.Error(err)
			continue
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if strings.HasPrefix(line, ".") && !macros.MatchString(line) || strings.HasPrefix(line, "'") {
				t.Errorf("%s, line %d: %q is an order to roff", c.Name(), i+1, line)
			}
		}
		if c.HasParent() && !strings.Contains(string(b), ".SH EXAMPLES\n") {
			t.Errorf("%s has no example", c.Name())
		}
		if !strings.Contains(string(b), `"2026-11-29" "zkscope v1.2.3"`) {
			t.Errorf("%s tells neither date nor version", c.Name())
		}
	}
	if pages < 30 {
		t.Errorf("only %d pages", pages)
	}
	again := t.TempDir()
	if err := write(again, "v1.2.3", "2026-11-29"); err != nil {
		t.Fatal(err)
	}
	same(t, dir, again)
}

// same compares two directories.
func same(t *testing.T, a, b string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		rel, _ := filepath.Rel(a, path)
		x, errX := os.ReadFile(path)
		y, errY := os.ReadFile(filepath.Join(b, rel))
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Errorf("%s is another the second time: %v %v", rel, errX, errY)
		}
		return nil
	})
	if err != nil || n < 30 {
		t.Errorf("%d files, %v", n, err)
	}
}

// No text of a command is an order to roff, and none is lost.
func TestTextIsText(t *testing.T) {
	c := &cobra.Command{Use: "x", Short: ".so /etc/passwd", Long: "'tis \\fBbold\n.so y\n\n  a `b` ^ ~ -- c", Example: "  x --a 'b'\n.de"}
	got := roff(c, "v", "d")
	for _, want := range []string{`\&.so y`, `\(aqtis \efBbold`, `a \(gab\(ga \(ha \(ti \-\- c`, `x \-\-a \(aqb\(aq`, `\&.de`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, ".") && !macros.MatchString(strings.TrimRight(line, "\n")) {
			t.Errorf("%q is an order to roff", line)
		}
	}
}
