package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
)

// checkCommand fails when there are findings that are severe enough.
func (c *command) checkCommand() *cobra.Command {
	failOn := "high"
	var ignore []string
	cmd := &cobra.Command{
		Use: "check [PATH] [SERVERS]", Short: "list what is wrong; exit 3 when anything is as severe as --fail-on", Args: between(0, 2, "[PATH] [SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table", "json"); err != nil {
				return err
			}
			least, ok := severities[failOn]
			if !ok {
				return fail(exitUsage, "--fail-on %s: it is one of low, medium, high", term.Safe(failOn))
			}
			if err := knownCodes(ignore); err != nil {
				return err
			}
			t, err := c.target(args, hasPath(args))
			if err != nil {
				return err
			}
			if t.path != "" {
				c.ask(t.path)
			}
			c.seen.patient = true
			res, err := c.read(ctx, t) // all of it: who waits here may hold elsewhere
			if err != nil {
				return err
			}
			if t.path != "" {
				res = res.Below(t.path)
			}
			return c.check(res, least, ignore)
		}),
	}
	cmd.Flags().StringVar(&failOn, "fail-on", failOn, "least severity that is a failure: low, medium or high")
	cmd.Flags().StringSliceVar(&ignore, "ignore", nil, "codes of findings that do not count")
	return cmd
}

// knownCodes refuses a code that no finding has: a mistyped one would hide nothing, and nobody would notice.
func knownCodes(list []string) error {
	for _, code := range list {
		if !slices.Contains(model.Codes(), code) {
			return fail(exitUsage, "--ignore %s: no finding has that code%s", term.Safe(code), meant(code, model.Codes()))
		}
	}
	return nil
}

var severities = map[string]model.Severity{"low": model.Low, "medium": model.Medium, "high": model.High}

// located is a finding with the recipe that it belongs to; nil for one that spans recipes.
type located struct {
	m *model.Model
	f model.Finding
}

// findingsOf lists all findings, the worst first.
func findingsOf(res *model.Result) (out []located) {
	for _, f := range res.Findings {
		out = append(out, located{nil, f})
	}
	for m := range res.Models.All() {
		for _, f := range m.Findings {
			out = append(out, located{m, f})
		}
	}
	slices.SortStableFunc(out, func(a, b located) int { return int(b.f.Severity) - int(a.f.Severity) })
	return out
}

func (c *command) check(res *model.Result, least model.Severity, ignore []string) error {
	bad, all := 0, findingsOf(res)
	for _, l := range all {
		if l.f.Severity >= least && !slices.Contains(ignore, l.f.Code) {
			bad++
		}
	}
	if c.flags.output == "json" {
		if err := c.printJSON(story.NewReport(res)); err != nil {
			return err
		}
	} else {
		c.printFindings(res, all, ignore)
	}
	if bad > 0 {
		return fail(exitFindings, "%d of %d findings are of severity %s or above", bad, len(all), least)
	}
	return nil
}

func (c *command) printFindings(res *model.Result, all []located, ignore []string) {
	c.asOf(res)
	c.printSources(res)
	if text := c.incomplete(res); text != "" {
		defer fmt.Fprintln(c.Out, term.Safe(text))
	}
	rows := [][]string{{"SEVERITY", "CODE", "PATH", "WHAT"}}
	for _, l := range all {
		if slices.Contains(ignore, l.f.Code) {
			continue
		}
		path := strings.Join(l.f.Paths[:min(len(l.f.Paths), 3)], " ")
		if l.f.Code == model.CodeServerUnreachable || l.f.Code == model.CodeClockSkew {
			path = "ensemble"
		}
		if l.m != nil {
			path = l.m.Path
		}
		rows = append(rows, []string{strings.ToUpper(l.f.Severity.String()), l.f.Code, term.Safe(path), term.Safe(strings.TrimPrefix(l.f.Text, l.f.Code+": "))})
	}
	if len(rows) == 1 {
		fmt.Fprintf(c.Out, "no finding in %d recipes\n", res.Models.Len())
		return
	}
	printTable(c.Out, rows)
}
