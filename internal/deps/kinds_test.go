package deps

import (
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kindFiles limits in how many production files the constant of a kind may occur, besides the tables of spellings: what
// is true of a kind is said once a layer, in its row, and a new kind touches as many files at most.
var kindFiles = map[string]int{
	"Barrier":       4,
	"Config":        4,
	"Counter":       4,
	"DelayQueue":    5,
	"DoubleBarrier": 5,
	"Election":      6,
	"Lease":         3,
	"Lock":          5,
	"Membership":    5,
	"PriorityQueue": 5,
	"Queue":         5,
	"Rendezvous":    4,
	"Semaphore":     5,
	"Service":       4,
	"SharedLock":    5,
	"TwoPhase":      5,
}

// spellings are the tables of names and places: whoever adds a dialect writes a row there, of whatever kind it is.
var spellings = []string{
	"inspect/layout/layouttable.go", "inspect/layout/placetable.go", "inspect/layout/rows.go", "inspect/layout/words.go",
	"inspect/model/catalogue.go", "inspect/model/cataloguesystems.go",
}

// TestOneRowAKind counts in how many files each kind is named; -v prints them.
func TestOneRowAKind(t *testing.T) {
	_, files := load(t)
	kinds := kindConstants(files)
	if len(kinds) < 16 {
		t.Fatalf("only %d kinds were found", len(kinds))
	}
	where := make(map[string][]string)
	for _, s := range files {
		path, err := filepath.Rel("../..", s.path)
		if err != nil {
			t.Fatal(err)
		}
		if s.test || slices.Contains(spellings, path) {
			continue
		}
		for kind := range kindsIn(s, kinds) {
			where[kind] = append(where[kind], path)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n, most := len(where[kind]), kindFiles[kind]
		t.Logf("%-14s %2d of %2d: %s", kind, n, most, strings.Join(where[kind], " "))
		if n > most {
			t.Errorf("%s is named in %d files, %d at most: say what is true of it in a row of its layer", kind, n, most)
		}
	}
}

// kindConstants are the constants of type Kind.
func kindConstants(files []source) map[string]bool {
	out := make(map[string]bool)
	for _, s := range files {
		if s.pkg != "inspect/layout" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && v.Type != nil && named(v.Type, "Kind") && len(v.Values) > 0 {
				for _, name := range v.Names {
					out[name.Name] = true
				}
			}
			return true
		})
	}
	return out
}

// kindsIn are the kinds that a file names.
func kindsIn(s source, kinds map[string]bool) map[string]bool {
	out := make(map[string]bool)
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if named(n.X, "layout") && kinds[n.Sel.Name] {
				out[n.Sel.Name] = true
			}
			return s.pkg == "inspect/layout"
		case *ast.KeyValueExpr:
			if s.pkg == "inspect/layout" { // the key may be a field
				ast.Inspect(n.Value, func(v ast.Node) bool {
					if id, ok := v.(*ast.Ident); ok && kinds[id.Name] {
						out[id.Name] = true
					}
					return true
				})
				if id, ok := n.Key.(*ast.Ident); !ok || id.Obj != nil || !kinds[id.Name] {
					return true
				}
				out[n.Key.(*ast.Ident).Name] = true
				return false
			}
		case *ast.Ident:
			if s.pkg == "inspect/layout" && kinds[n.Name] {
				out[n.Name] = true
			}
		}
		return true
	})
	return out
}

// TestADialectIsItsRows: one that is read and written by its rows alone is named where its names are, and in the catalogue.
func TestADialectIsItsRows(t *testing.T) {
	_, files := load(t)
	var where []string
	for _, s := range files {
		if s.test {
			continue
		}
		found := false
		ast.Inspect(s.file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "Serviced"
			return true
		})
		if path, err := filepath.Rel("../..", s.path); found && err == nil {
			where = append(where, path)
		}
	}
	slices.Sort(where)
	if got := strings.Join(where, " "); got != "inspect/layout/layouttable.go inspect/model/catalogue.go" {
		t.Errorf("it is named in %s", got)
	}
}
