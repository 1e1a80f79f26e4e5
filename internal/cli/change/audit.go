package change

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Audit prints what was done to ensembles from this machine.
func Audit(c *command.Line) command.Subcommand {
	var since time.Duration
	var below string
	return command.Subcommand{Use: "audit", Short: "print what was done from here: who, when, to what, the data before, how it ended",
		Formats: []string{"table", "json", "jsonl"},
		Flags: func(fs *pflag.FlagSet) {
			fs.DurationVar(&since, "since", 0, "only what was done in this time up to now; 0: everything")
			fs.StringVar(&below, "path", "", "only what was done at or below this path")
		},
		Run: func(context.Context, command.Invocation) error {
			switch {
			case since < 0:
				return world.Fail(world.ExitUsage, "--since takes a time that is not negative: 1h is the last hour")
			case below != "" && !strings.HasPrefix(below, "/"):
				return world.Fail(world.ExitUsage, "--path %s: a path begins with a slash", say.Printable(below))
			}
			return printAudit(c, since, below)
		}}
}

func printAudit(c *command.Line, since time.Duration, below string) error {
	if file := c.Flags.AuditLog; file != "" {
		if _, err := os.Stat(file); err != nil {
			return world.Fail(world.ExitError, "--audit-log: %w", err)
		}
	}
	all, damaged, err := AuditRecords(c)
	if err != nil {
		return err
	}
	var out []actions.Record
	for _, r := range all {
		_, at := znode.Relative(below, r.Path)
		if (below == "" || at) && (since == 0 || !r.At.Before(c.Now().Add(-since))) {
			out = append(out, r)
		}
	}
	if damaged > 0 {
		fmt.Fprintf(c.Err, "zkscope: %s of %s %s damaged and left out\n", say.Plural(damaged, "line", "lines"), say.Printable(c.AuditPath()), say.Choose(damaged, "is", "are"))
	}
	switch c.Flags.Output {
	case "json":
		return c.PrintJSON(AuditReport{1, append([]actions.Record{}, out...)})
	case "jsonl":
		e := json.NewEncoder(c.Out)
		for _, r := range out {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	if len(out) == 0 {
		fmt.Fprintln(c.Out, nothingDone(since, below, damaged))
		return nil
	}
	return auditTable(c.Out, out)
}

// AuditRecords reads the audit log; see actions.ReadAudit.
func AuditRecords(c *command.Line) (records []actions.Record, damaged int, err error) {
	records, err = world.WhileReading(func() (records []actions.Record, err error) {
		records, damaged, err = actions.ReadAudit(c.AuditPath())
		return records, err
	})
	return records, damaged, err
}

// nothingDone says in which part of the log there is no record.
func nothingDone(since time.Duration, below string, damaged int) string {
	text := "nothing was done from here"
	if damaged > 0 {
		text = "nothing that can be read was done from here"
	}
	if below != "" {
		text += " at or below " + say.Printable(below)
	}
	if since > 0 {
		text += " in the last " + say.Age(since)
	}
	return text
}

func auditTable(out io.Writer, records []actions.Record) error {
	w := tabwriter.NewWriter(out, 2, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIME\tUSER\tENSEMBLE\tSTAGE\tWHAT")
	for _, r := range records {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.At.UTC().Format(time.RFC3339), say.Printable(r.User), say.Printable(r.Ensemble), r.Stage, r.What())
	}
	return w.Flush()
}

// AuditReport is the JSON of audit.
type AuditReport struct {
	Schema  int              `json:"schema"`
	Records []actions.Record `json:"records"`
}
