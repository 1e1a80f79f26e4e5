package docs

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// textsFile lists the texts of the program by package, for whoever edits or translates them.
const textsFile = "testdata/texts.txt"

// unseen are the packages whose texts nobody sees who uses the program: they are for its tests.
var unseen = []string{"internal/cli/clitest", "internal/docs", "internal/e2e", "internal/peers", "internal/screenshot", "internal/script", "internal/suites", "internal/truth", "internal/txntest",
	"internal/zkserver"}

// Every text that a user can see is in the list, and nothing else is.
func TestTextsAreListed(t *testing.T) {
	rooms := map[string][]string{}
	for where, text := range literals(t) {
		pkg, _ := filepath.Rel(root, filepath.Dir(where))
		if room := filepath.ToSlash(pkg); !slices.Contains(unseen, room) && strings.IndexFunc(text, unicode.IsLetter) >= 0 {
			rooms[room] = append(rooms[room], strconv.Quote(text))
		}
	}
	var b strings.Builder
	n := 0
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		texts := rooms[room]
		slices.Sort(texts)
		texts = slices.Compact(texts)
		b.WriteString("# " + room + "\n" + strings.Join(texts, "\n") + "\n\n")
		n += len(texts)
	}
	if n < 1000 {
		t.Fatalf("only %d texts were found", n)
	}
	if *update {
		if err := os.WriteFile(textsFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile(textsFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(listed) {
		have, want := strings.Split(string(listed), "\n"), strings.Split(got, "\n")
		for _, line := range want {
			if !slices.Contains(have, line) {
				t.Errorf("not listed: %s", line)
			}
		}
		for _, line := range have {
			if !slices.Contains(want, line) {
				t.Errorf("listed, and not in the program any more: %s", line)
			}
		}
		t.Errorf("%s is not what go test ./internal/docs -run TextsAreListed -update writes: read what is new as docs/words.md wants it", textsFile)
	}
}
