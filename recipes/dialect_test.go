package recipes

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

// TestTheDocumentedDialects holds the table of recipes in the package's documentation against what can be written.
func TestTheDocumentedDialects(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	four := map[string]Dialect{"zk": ZooKeeper, "curator": Curator, "kazoo": Kazoo, "go": GoZooKeeper}
	_, table, _ := strings.Cut(string(text), "// # Recipes\n")
	table, _, _ = strings.Cut(table, "\n// # ")
	rows := 0
	for _, k := range layout.Kinds() {
		if k.Opaque() || k.Serves() || k.Votes() || k.Ends() {
			continue // every dialect spells it alike, or one alone has it
		}
		for line := range strings.Lines(table) {
			name, rest, ok := strings.Cut(strings.TrimPrefix(line, "//\t"), " ")
			if !ok || strings.ToLower(name) != string(k) {
				continue
			}
			rows++
			said := strings.Fields(strings.TrimSpace(rest)[:min(16, len(strings.TrimSpace(rest)))])
			for word, d := range four {
				is := slices.Contains(said, word) || slices.Contains(said, "four")
				if can := slices.Contains(Dialects(k), d); is != can {
					t.Errorf("%s can be written in %s: %v, documented %v", name, d, can, is)
				}
			}
		}
	}
	if rows < 9 {
		t.Errorf("only %d rows were found", rows)
	}
}

func TestOnlyWhatCanBeWrittenIsADialect(t *testing.T) {
	for _, d := range []layout.Dialect{layout.ZooKeeper, layout.Curator, layout.Kazoo, layout.GoZooKeeper, layout.Serviced} {
		if got, err := DialectOf(d); err != nil || got != Dialect(d) {
			t.Errorf("%s: %q, %v", d, got, err)
		}
	}
	for _, d := range []layout.Dialect{layout.Solr, layout.Generic, "", "sluice"} {
		if got, err := DialectOf(d); err == nil || got != "" {
			t.Errorf("%s: %q", d, got)
		}
	}
	if _, err := DialectOf(layout.Solr); err == nil ||
		!strings.HasPrefix(err.Error(), "nothing can be written in the dialect solr, only in curator, go-zookeeper, kazoo, ") {
		t.Error(err)
	}
}

// TestADialectThatAKindDoesNotHave: the error says which it has.
func TestADialectThatAKindDoesNotHave(t *testing.T) {
	bubble(t, func(s *stage) {
		_, err := s.session().Semaphore("/s", 1, Options{Dialect: ZooKeeper}).Acquire(t.Context())
		var e *Error
		if !errors.As(err, &e) || e.Error() != "acquire /s: a semaphore cannot be written in the dialect zookeeper, only in curator or kazoo" {
			t.Error(err)
		}
		if err := s.session().DelayQueue("/q", QueueOptions{Dialect: Kazoo}).Put(t.Context(), time.Now(), nil); err == nil ||
			!strings.HasSuffix(err.Error(), "a delay queue cannot be written in the dialect kazoo, only in curator") {
			t.Error(err)
		}
	})
}
