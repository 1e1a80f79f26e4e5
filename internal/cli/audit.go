package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// audit prints what was done to ensembles from this machine.
func audit(c *command) subcommand {
	var since time.Duration
	var below string
	return subcommand{use: "audit", short: "print what was done from here: who, when, to what, the data before, how it ended", args: cobra.NoArgs,
		formats: []string{"table", "json", "jsonl"},
		flags: func(fs *pflag.FlagSet) {
			fs.DurationVar(&since, "since", 0, "only what was done in this time up to now; 0: everything")
			fs.StringVar(&below, "path", "", "only what was done at or below this path")
		},
		run: func(context.Context, invocation) error { return c.auditLog(since, below) }}
}

func (c *command) auditLog(since time.Duration, below string) error {
	all, damaged, err := c.auditRecords()
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
		fmt.Fprintf(c.Err, "zkscope: %s of %s %s damaged and left out\n", say.Plural(damaged, "line", "lines"), say.Printable(c.auditPath()), say.Choose(damaged, "is", "are"))
	}
	switch c.flags.output {
	case "json":
		return c.printJSON(auditReport{1, append([]actions.Record{}, out...)})
	case "jsonl":
		e := json.NewEncoder(c.Out)
		for _, r := range out {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	return auditTable(c.Out, out)
}

// auditRecords reads the audit log; see actions.ReadAudit.
func (c *command) auditRecords() (records []actions.Record, damaged int, err error) {
	records, err = whileReading(func() (records []actions.Record, err error) {
		records, damaged, err = actions.ReadAudit(c.auditPath())
		return records, err
	})
	return records, damaged, err
}

func auditTable(out io.Writer, records []actions.Record) error {
	if len(records) == 0 {
		fmt.Fprintln(out, "nothing was done from here")
		return nil
	}
	w := tabwriter.NewWriter(out, 2, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIME\tUSER\tENSEMBLE\tSTAGE\tWHAT")
	for _, r := range records {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.At.Local().Format("2006-01-02 15:04:05"), say.Printable(r.User), say.Printable(r.Ensemble), r.Stage, r.What())
	}
	return w.Flush()
}

// auditReport is the JSON of audit.
type auditReport struct {
	Schema  int              `json:"schema"`
	Records []actions.Record `json:"records"`
}
