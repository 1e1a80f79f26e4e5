//go:build unix

package actions

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

func TestATornLineIsEndedBeforeTheNext(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	a, err := OpenAudit(file)
	must(t, err)
	for _, text := range []string{"one", "two"} {
		must(t, a.Append(Record{Verb: VerbBreak, Text: text}))
	}
	b, err := os.ReadFile(file)
	must(t, err)
	torn := []byte(strings.TrimSuffix(string(b), "\n")) // whole, but for its end
	must(t, os.WriteFile(file, torn, 0o600))
	must(t, a.Append(Record{Verb: VerbBreak, Text: "three"}))
	must(t, os.WriteFile(file, append(append([]byte{}, torn...), "\n{\"verb\":\"bre"...), 0o600)) // and in its middle
	must(t, a.Append(Record{Verb: VerbBreak, Text: "four"}))
	records, damaged, err := ReadAudit(file)
	if err != nil || damaged != 1 || len(records) != 3 || records[1].Text != "two" || records[2].Text != "four" {
		t.Errorf("%+v, %d damaged, %v", records, damaged, err)
	}
}

func TestALogThatIsNoFileOfOursIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	pipe, link, folder, real := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "folder"), filepath.Join(dir, "real")
	must(t, syscall.Mkfifo(pipe, 0o600))
	must(t, os.Symlink(pipe, link))
	must(t, os.Mkdir(folder, 0o700))
	for _, path := range []string{pipe, link, folder} {
		if _, err := OpenAudit(path); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	must(t, os.WriteFile(real, nil, 0o600))
	must(t, os.Remove(link))
	must(t, os.Symlink(real, link))
	a, err := OpenAudit(link)
	must(t, err)
	must(t, a.Append(Record{Verb: VerbBreak, Text: "through a link"}))
	if records, _, _ := ReadAudit(real); len(records) != 1 {
		t.Error("a link to a file of ours is not followed")
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(pipe, link)) // after it was opened
	done := make(chan error, 1)
	go func() { done <- a.Append(Record{Verb: VerbBreak}) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "is not a regular file") {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a pipe without a reader is waited for")
	}
}

func TestWhatARevokeMayHaveOverwrittenIsKnown(t *testing.T) {
	rec := func(verb Verb, stage, old string) Record {
		return Record{Ensemble: "e", Path: "/l/x", Czxid: 7, Verb: verb, Stage: stage, OldData: []byte(old)}
	}
	for name, x := range map[string]struct {
		records []Record
		want    string
	}{
		"killed after the write":          {[]Record{rec(VerbRevoke, "intent", "old")}, "old"},
		"outcome not known":               {[]Record{rec(VerbRevoke, "intent", "old"), rec(VerbRevoke, "unknown", "old")}, "old"},
		"done":                            {[]Record{rec(VerbRevoke, "intent", "old"), rec(VerbRevoke, "done", "old")}, "old"},
		"nothing was done":                {[]Record{rec(VerbRevoke, "intent", "old"), rec(VerbRevoke, "nothing", "old")}, ""},
		"refused, and one before it":      {[]Record{rec(VerbRevoke, "intent", "old"), rec(VerbRevoke, "intent", "unlock"), rec(VerbRevoke, "refused", "unlock")}, "old"},
		"restored":                        {[]Record{rec(VerbRevoke, "done", "old"), rec(VerbRestore, "intent", "unlock"), rec(VerbRestore, "done", "unlock")}, ""},
		"restored, of which nothing came": {[]Record{rec(VerbRevoke, "done", "old"), rec(VerbRestore, "intent", "unlock"), rec(VerbRestore, "refused", "unlock")}, "old"},
	} {
		if got := Overwritten(x.records, "e", model.ClaimID{Path: "/l/x", Czxid: 7}); string(got) != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

// A log that is removed, replaced or cut short is noticed at the next record; one that grew by others' records is the same.
func TestALogThatIsAnotherFileIsNoticed(t *testing.T) {
	for what, c := range map[string]struct {
		change func(file string) error
		moved  bool
	}{
		"removed":   {os.Remove, true},
		"moved":     {func(f string) error { return os.Rename(f, f+".1") }, true},
		"cut short": {func(f string) error { return os.Truncate(f, 1) }, true},
		"replaced": {func(f string) error {
			if err := os.WriteFile(f+".new", make([]byte, 10_000), 0o600); err != nil {
				return err
			}
			return os.Rename(f+".new", f)
		}, true},
		"appended to": {func(f string) error {
			other, err := OpenAudit(f)
			if err != nil {
				return err
			}
			return other.Append(Record{Verb: VerbBreak, Text: "another's"})
		}, false},
	} {
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		a, err := OpenAudit(file)
		must(t, err)
		must(t, a.Append(Record{Verb: VerbBreak, Text: "one"}))
		if a.Moved() {
			t.Errorf("%s: moved before it was", what)
		}
		must(t, c.change(file))
		must(t, a.Append(Record{Verb: VerbBreak, Text: "two"}))
		if got := a.Moved(); got != c.moved || a.Moved() {
			t.Errorf("%s: moved %v, want %v, and told once", what, got, c.moved)
		}
	}
}
