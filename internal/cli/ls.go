package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
)

// lsCommand lists every recipe that is found.
func (c *command) lsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "ls [PATH] [SERVERS]", Short: "list the recipes: who holds each, since when, and how many wait", Args: between(0, 2, "[PATH] [SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table", "json"); err != nil {
				return err
			}
			t, err := c.target(args, hasPath(args))
			if err != nil {
				return err
			}
			if t.path != "" {
				c.flags.root = t.path
				c.ask(t.path)
			}
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			if c.flags.output == "json" {
				return c.printJSON(story.NewReport(res))
			}
			return c.table(res)
		}),
	}
}

func (c *command) printJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// asOf says how old a picture from a file is.
func (c *command) asOf(res *model.Result) {
	if c.flags.from == "" {
		return
	}
	s := res.Snapshot
	fmt.Fprintf(c.Out, "as of %s, from %s\n", s.TakenAt.Format(time.RFC3339), say.Printable(c.flags.from))
	if !s.LostSince.IsZero() {
		fmt.Fprintf(c.Out, "no connection since %s: what happened from then on was not seen\n", s.LostSince.UTC().Format(time.RFC3339))
	}
}

// table prints one line a recipe: the worst first among equals is the console's business, here it is by path.
func (c *command) table(res *model.Result) error {
	c.asOf(res)
	across := spanning(res)
	rows := [][]string{{"KIND", "PATH", "STATE", "SUMMARY", "FINDINGS"}}
	for m := range res.Models.All() {
		rows = append(rows, []string{string(m.Kind), term.Safe(m.Path), string(m.State),
			term.Safe(strings.TrimPrefix(m.Summary(res.Snapshot.TakenAt), string(m.State)+": ")), codes(m.Findings, across[m])})
	}
	if len(rows) == 1 {
		what := "below"
		if !res.Snapshot.Complete {
			what = "in what was read of"
		}
		fmt.Fprintf(c.Out, "no recipe found %s %s\n", what, term.Safe(res.Snapshot.Base))
	} else {
		printTable(c.Out, rows)
	}
	c.printDisagreements(res)
	for _, why := range res.Snapshot.Partial {
		fmt.Fprintln(c.Out, "incomplete: "+term.Safe(why))
	}
	return nil
}
