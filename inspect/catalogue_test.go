package inspect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// checkRows checks a section that says which rows of the catalogue a fixture has where:
//
//	ID PATH [KIND DIALECT]
//
// The recipe at the path must have the kind and the dialect that the row says, or those that are given: a row may
// spell more than one thing. A path that begins with ! is a part, which must be no recipe of its own.
func checkRows(t *testing.T, res *Result, section string) {
	t.Helper()
	for line := range strings.Lines(section) {
		f := fields(t, strings.TrimSpace(line))
		row := rowOf(f[0])
		if row == nil || len(f) < 2 {
			t.Errorf("no row: %q", line)
			continue
		}
		path := unquoted(t, f[1])
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

func rowOf(id string) *Row {
	rows := Catalogue()
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == id }); i >= 0 {
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
	for _, r := range Catalogue() {
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if count[r.ID] == 0 {
			t.Errorf("no fixture has %s, %s", r.ID, r.What)
		}
	}
	if len(seen) != 133 {
		t.Errorf("%d rows", len(seen))
	}
}

// Every row by which names or paths are read is of the catalogue.
func TestTablesAreOfTheCatalogue(t *testing.T) {
	var ids []string
	for _, l := range Layouts() {
		ids = append(ids, l.ID)
	}
	for _, p := range Places() {
		ids = append(ids, p.ID)
	}
	for _, id := range ids {
		if rowOf(id) == nil {
			t.Errorf("%s is in a table and not in the catalogue", id)
		}
	}
}
