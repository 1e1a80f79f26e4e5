package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
)

// ls lists every recipe that is found.
func ls(c *command) subcommand {
	return c.reads(reader{
		subcommand: subcommand{use: "ls [PATH] [SERVERS]", short: "list the recipes: who holds each, since when, and how many wait", formats: tableOrJSON},
		path:       mayPath,
		aim: func(q *query, _ []string) error {
			if q.path != "" {
				q.root, q.asked = q.path, []string{q.path}
			}
			return nil
		},
		print: func(_ context.Context, r *reading) error {
			if c.flags.output == "json" {
				return c.printJSON(story.NewReport(r.Result))
			}
			r.table()
			return nil
		},
	})
}

func (c *command) printJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// asOf says how old what a file shows is.
func (r *reading) asOf() {
	if r.flags.from == "" {
		return
	}
	s := r.Snapshot
	fmt.Fprintf(r.Out, "as of %s, from %s\n", s.TakenAt.Format(time.RFC3339), say.Printable(r.flags.from))
	if !s.LostSince.IsZero() {
		fmt.Fprintf(r.Out, "no connection since %s: what happened from then on was not seen\n", s.LostSince.UTC().Format(time.RFC3339))
	}
}

// table prints one line a recipe: the worst first among equals is the console's business, here it is by path.
func (r *reading) table() {
	r.asOf()
	across := spanning(r.Result)
	rows := [][]string{{"KIND", "PATH", "STATE", "SUMMARY", "FINDINGS"}}
	for m := range r.Models.All() {
		rows = append(rows, []string{string(m.Kind), term.Safe(m.Path), string(m.State),
			term.Safe(strings.TrimPrefix(m.Summary(r.Snapshot.TakenAt), string(m.State)+": ")), codes(m.Findings, across[m])})
	}
	if len(rows) == 1 {
		what := "below"
		if !r.Snapshot.Complete {
			what = "in what was read of"
		}
		fmt.Fprintf(r.Out, "no recipe found %s %s\n", what, term.Safe(r.Snapshot.Base))
	} else {
		printTable(r.Out, rows)
	}
	printDisagreements(r.Out, r.Result)
	for _, why := range r.Snapshot.Partial {
		fmt.Fprintln(r.Out, "incomplete: "+term.Safe(why))
	}
}
