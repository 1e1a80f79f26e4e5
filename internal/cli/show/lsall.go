package show

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// lsAll prints the recipes of all ensembles.
func lsAll(c *command.Line, bare bool) error {
	reached := func(a look.Answer) bool { return a.Code == world.ExitOK }
	switch c.Flags.Output {
	case "json":
		all := look.AskAll(c, "json", nil)
		if err := c.PrintJSON(look.Reports(all)); err != nil {
			return err
		}
		return look.EndAll(c, all, reached)
	case "name":
		all := look.AskAll(c, "name", nil)
		for _, a := range all {
			for line := range strings.Lines(a.Out) {
				fmt.Fprint(c.Out, term.Safe(a.Name)+":"+line)
			}
		}
		return look.EndAll(c, all, reached)
	}
	all := look.AskAll(c, "csv", nil)
	var rows [][]string
	for _, a := range all {
		if lines, err := csv.NewReader(strings.NewReader(a.Out)).ReadAll(); err == nil {
			for i, l := range lines {
				switch titles := i == 0 && !bare; {
				case titles && len(rows) > 0:
				case titles:
					rows = append(rows, slices.Concat([]string{"ensemble"}, l))
				default:
					rows = append(rows, slices.Concat([]string{a.Name}, l))
				}
			}
		}
	}
	if err := printRows(c, rows, bare); err != nil {
		return err
	}
	return look.EndAll(c, all, reached)
}

// printRows prints rows as the flags want them.
func printRows(c *command.Line, rows [][]string, bare bool) error {
	if c.Flags.Output == "csv" {
		w := csv.NewWriter(c.Out)
		_ = w.WriteAll(rows) // an error stays, and is told below
		return w.Error()
	}
	for i := range rows {
		for k := range rows[i] {
			if rows[i][k] = term.Safe(rows[i][k]); i == 0 && !bare {
				rows[i][k] = strings.ToUpper(rows[i][k])
			}
		}
	}
	if len(rows) > 0 {
		world.PrintTable(c.Out, rows)
	}
	return nil
}
