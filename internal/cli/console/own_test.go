package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/keys"
)

// An own command gets what is selected as arguments that no shell reads, none of our credentials, and two lines in the audit log.
func TestOwnCommandsRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(command.AuthVar, "digest:u:hush")
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	c := &command.Line{World: world.World{Now: func() time.Time { return now }, Getenv: func(string) string { return "" }}}
	c.Flags.AuditLog = filepath.Join(dir, "audit.jsonl")
	on := tui.OwnTarget{Recipe: "/l", Path: "/l/$(touch " + dir + "/oops);x", Session: "0x7"}
	run := func(args ...string) (string, error) {
		return runOwn(t.Context(), c, config.Command{Key: "Z", Name: "try", Run: args}, on, "zk1")
	}
	out, err := run("sh", "-c", `printf '%s|' "$@"; env; exit 3`, "x", "$PATH", "$SESSION", "$RECIPE")
	if !strings.HasPrefix(out, on.Path+"|0x7|/l|") || strings.Contains(out, "hush") || err == nil || err.Error() != "exit status 3" {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "oops")); err == nil {
		t.Error("a name was run")
	}
	if _, err := run("echo", "$ADDR"); err == nil || !strings.Contains(err.Error(), "$ADDR is not known of /l/") {
		t.Error(err)
	}
	if out, err := run("sh", "-c", "yes | head -c 3000000"); err != nil || len(out) > ownOutput+100 || !strings.HasSuffix(out, "and more, which is not shown\n") {
		t.Errorf("%v, %d bytes", err, len(out))
	}
	records, _, err := change.AuditRecords(c)
	if err != nil || len(records) != 4 || records[0].Stage != "run" || records[0].Path != on.Path || !strings.Contains(records[0].Text, "try: sh -c") ||
		records[1].Stage != "ran" || records[1].Text != "try: exit status 3" || records[3].Text != "try ended well" {
		t.Errorf("%v: %+v", err, records)
	}
	c.Flags.AuditLog = filepath.Join(dir, "none", "\x00")
	if _, err := run("touch", filepath.Join(dir, "ran")); err == nil || !strings.Contains(err.Error(), "cannot be written down") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("what cannot be written down was run")
	}
}

// What would give a shell the name of a znode to read, or a key two things to do, is refused with its place.
func TestOwnCommandsThatAreRefused(t *testing.T) {
	m := keys.Default()
	for says, o := range map[string]config.Command{
		"it has no key":                    {Name: "x", Run: []string{"true"}},
		"b does something already":         {Key: "b", Name: "x", Run: []string{"true"}},
		"3 does something already: a view": {Key: "3", Name: "x", Run: []string{"true"}},
		"it has no name":                   {Key: "Z", Run: []string{"true"}},
		"run takes a program":              {Key: "Z", Name: "x"},
		"$PATH has to be an argument":      {Key: "Z", Name: "x", Run: []string{"sh", "-c", "get $PATH"}},
		"$PATH after -c would be read by":  {Key: "Z", Name: "x", Run: []string{"sh", "-c", "$PATH"}},
		"":                                 {Key: "Z", Name: "x", Run: []string{"sh", "-c", `get "$1"`, "x", "$PATH"}},
	} {
		if _, wrong := BadOwn(o, &m); !strings.HasPrefix(wrong, says) || (says == "") != (wrong == "") {
			t.Errorf("%+v: %q, want %q", o, wrong, says)
		}
	}
}
