package inspect_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"golang.org/x/tools/txtar"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// TestFixtures runs every file of testdata: a tree, the models wanted of it, then changes, the events
// wanted of them, and the models wanted after them.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runFixture(t, file) })
	}
}

func runFixture(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := script.New(t)
	var prev, res *model.Result
	for i := range ar.Files {
		f := &ar.Files[i]
		var got string
		switch f.Name {
		case "tree", "then":
			s.Apply(string(f.Data))
			prev, res = res, inspect.Decode(s.Snapshot(), res, s.Hints)
			continue
		case "want":
			got = script.ResultText(res)
			sameAsAnew(t, s, res)
		case "events":
			got = script.EventsText(story.Diff(prev, res))
		case "rows":
			checkRows(t, res, string(f.Data))
			continue
		case "cases":
			continue // counted in catalogue_test.go
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
		if *update {
			f.Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s of section %d:\n%s\nwant:\n%s", f.Name, i, got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sameAsAnew checks that decoding a picture with the memory of the run differs from decoding it alone
// only in what the memory is for.
func sameAsAnew(t *testing.T, s *script.Tree, res *model.Result) {
	t.Helper()
	for m := range inspect.Decode(s.Snapshot(), nil, s.Hints).Models.All() {
		was := res.ByPath(m.Path)
		if was == nil {
			t.Errorf("%s is only found without an earlier result", m.Path)
			continue
		}
		if a, b := script.OrderText(m), script.OrderText(was); a != b && len(was.Detail().Lost)+
			len(was.Detail().Nays) == 0 {
			t.Errorf("%s decoded alone:\n%s\nwith an earlier result:\n%s", m.Path, a, b)
		}
	}
}
