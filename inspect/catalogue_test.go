package inspect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"golang.org/x/tools/txtar"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// checkRows checks a section that says which rows of the catalogue a fixture has where:
//
//	ID PATH [KIND DIALECT]
//
// The recipe at the path must have the kind and the dialect that the row says, or those that are given: a row may
// spell more than one thing. A path that begins with ! is a part, which must be no recipe of its own.
func checkRows(t *testing.T, res *model.Result, section string) {
	t.Helper()
	for line := range strings.Lines(section) {
		f := script.Fields(t, strings.TrimSpace(line))
		row := rowOf(f[0])
		if row == nil || len(f) < 2 {
			t.Errorf("no row: %q", line)
			continue
		}
		path := script.Unquoted(t, f[1])
		if part, ok := strings.CutPrefix(path, "!"); ok {
			if m := res.ByPath(part); m != nil {
				t.Errorf("%s: the part at %s is a recipe of its own: %s", row.ID, part, m.Kind)
			}
			continue
		}
		want := fmt.Sprint(row.Kind, " ", row.Dialect)
		if len(f) == 4 {
			want = f[2] + " " + f[3]
		}
		m := res.ByPath(path)
		if m == nil {
			t.Errorf("%s: nothing at %s", row.ID, path)
		} else if got := fmt.Sprint(m.Kind, " ", m.Dialect); got != want {
			t.Errorf("%s: %s at %s, want %s", row.ID, got, path, want)
		}
	}
}

func rowOf(id string) *model.Row {
	rows := model.Catalogue()
	if i := slices.IndexFunc(rows, func(r model.Row) bool { return r.ID == id }); i >= 0 {
		return &rows[i]
	}
	return nil
}

// sectionsOf returns the first words of the lines of all fixtures' sections of a name.
func sectionsOf(t *testing.T, name string) map[string]int {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if f.Name != name {
				continue
			}
			for line := range strings.Lines(string(f.Data)) {
				id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				count[id]++
			}
		}
	}
	return count
}

// Every row of the catalogue is decoded in some fixture.
func TestEveryRowHasAFixture(t *testing.T) {
	count := sectionsOf(t, "rows")
	seen := make(map[string]bool)
	for _, r := range model.Catalogue() {
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if count[r.ID] == 0 {
			t.Errorf("no fixture has %s, %s", r.ID, r.What)
		}
	}
	if len(seen) != 145 {
		t.Errorf("%d rows", len(seen))
	}
}

// Every row by which names or paths are read is of the catalogue.
func TestTablesAreOfTheCatalogue(t *testing.T) {
	var ids []string
	for _, l := range layout.Layouts() {
		ids = append(ids, l.ID)
	}
	for _, p := range layout.Places() {
		ids = append(ids, p.ID)
	}
	for _, id := range ids {
		if rowOf(id) == nil {
			t.Errorf("%s is in a table and not in the catalogue", id)
		}
	}
}

// knownCases are the cases that people ran into in the field, of decoding and of data that must not break a terminal,
// and those of acting that a picture shows: each is in a fixture or in a test.
var knownCases = map[string]string{
	"D01": "foreign children in a lock directory", "D02": "order by sequence, not by name", "D04": "the counter wraps",
	"D06": "warn before the wrap", "D07": "gaps and mixed prefixes", "D08": "readers wait only for earlier writers",
	"D10": "an old downgrade is a double hold", "D11": "two libraries share a directory",
	"D12": "one session, two entries",
	"D14": "a persistent lock znode", "D15": "empty data or a bare address", "D16": "session ids as servers print them",
	"D17": "containers and times to live", "D18": "empty lock directories", "D19": "same names, several holders",
	"D21": "kazoo's semaphore", "D22": "two leaders seen by clients", "D24": "the announced leader is not the first",
	"D26": "owned by the previous session", "D27": "the session in the name is another's", "D29": "ready is no member",
	"D30": "the leaving phase", "D32": "an item held for long", "D33": "a foreign child in a queue",
	"D35": "formats of priorities", "D36": "counters", "D37": "votes and the verdict",
	"D39": "a dead site cannot be seen",
	"X01": "clipboard and title sequences", "X02": "cursor moves", "X04": "C1 controls",
	"X05": "not UTF-8", "X06": "NUL",
	"X07": "line ends and tabs", "X09": "wide and combining text", "X10": "markup and format strings",
	"X11": "a megabyte on one line", "X13": "controls in names", "X15": "empty is not missing",
	"A01": "a word that nobody listens for", "A02": "revoke is a request", "A07": "who is next", "A14": "odd children",
	"A17": "not permitted",
}

// casesInTests are the cases that fixtures cannot hold: the file and the test that has each.
var casesInTests = map[string][2]string{
	"D16": {"znode/ids_test.go", "TestSessionID"},
	"D17": {"znode/ids_test.go", "TestSpecialOwners"},
	"X11": {"catalogue_test.go", "TestMegabyteOnOneLine"},
}

func TestEveryCaseHasAFixture(t *testing.T) {
	count := sectionsOf(t, "cases")
	for id, what := range knownCases {
		at, inTest := casesInTests[id]
		if count[id] == 0 && !inTest {
			t.Errorf("no fixture has %s: %s", id, what)
		}
		if src, _ := os.ReadFile(at[0]); inTest && !strings.Contains(string(src), "\nfunc "+at[1]+"(") {
			t.Errorf("%s has no %s, which has %s", at[0], at[1], id)
		}
	}
	for id := range count {
		if knownCases[id] == "" {
			t.Errorf("no case %s", id)
		}
	}
}

// A megabyte without a newline is no name, and costs no more than its length.
func TestMegabyteOnOneLine(t *testing.T) {
	s := script.New(t)
	s.Apply("/l/lock-0000000001 owner=A data=\"" + strings.Repeat("x", 1<<20) + "\"\n/config/big data=\"" +
		strings.Repeat("y", 1<<20) + "\"")
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	m := r.ByPath("/l")
	if c := &m.Claims[0]; c.Owner() != script.SessionIDs["A"].String() || m.Finding(model.CodeTooLarge) == nil {
		t.Errorf("%q, %v", c.Owner(), m.Findings)
	}
	for m := range r.Models.All() {
		if text := m.Summary(r.Snapshot.TakenAt); len(text) > 200 {
			t.Errorf("%s: a summary of %d bytes", m.Path, len(text))
		}
	}
}
