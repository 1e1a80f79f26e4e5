package monitor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// checkAll prints what is wrong anywhere, the worst first.
func checkAll(c *command.Line, ignore []string, page string) error {
	pages := new(world.Pages)
	all := look.AskAll(c, "json", pages)
	if page != "" {
		if err := pages.Write(page); err != nil {
			return err
		}
	}
	r := look.Reports(all)
	reached := func(a look.Answer) bool { return a.Out != "" }
	if c.Flags.Output == "json" {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
		return look.EndAll(c, all, reached)
	}
	rows := [][]string{}
	for _, e := range r.Ensembles {
		if e.Report == nil {
			continue
		}
		for _, f := range look.EveryFinding(e.Report) {
			if !slices.Contains(ignore, f.Code) {
				rows = append(rows, []string{term.Safe(e.Ensemble), strings.ToUpper(f.Severity), f.Code, term.Safe(strings.Join(f.Paths[:min(len(f.Paths), 2)], " ")),
					term.Safe(strings.TrimPrefix(f.Text, f.Code+": "))})
			}
		}
	}
	rank := func(row []string) int { return -int(look.Severities[strings.ToLower(row[1])]) }
	sorted.By(rows, func(a, b []string) int { return rank(a) - rank(b) })
	if len(rows) == 0 {
		fmt.Fprintf(c.Out, "no finding in %s read\n", say.Plural(len(all)-look.Unread(r), "ensemble that was", "ensembles that were"))
	} else {
		world.PrintTable(c.Out, slices.Concat([][]string{{"ENSEMBLE", "SEVERITY", "CODE", "PATH", "WHAT"}}, rows))
	}
	return look.EndAll(c, all, reached)
}
