package show

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Explain says what a finding means.
func Explain(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "explain [CODE]", Short: "explain a finding: what it means, how it is known, and what to do",
		Long:    "Say what the code of a finding means, as check prints it: what is wrong and whom it hurts, what it is told from,\nand what to do about it. Without a code, list all of them.",
		Example: "  zkscope explain lost-waiter\n  zkscope explain deadlock -o json",
		Formats: command.TableOrJSON,
		Run: func(_ context.Context, in command.Invocation) error {
			codes := model.Codes()
			slices.Sort(codes)
			if len(in.Args) == 1 {
				if !slices.Contains(codes, in.Args[0]) {
					return world.Fail(world.ExitUsage, "%s is not the code of a finding: zkscope explain lists them%s", say.Printable(in.Args[0]), world.Meant(in.Args[0], codes))
				}
				codes = in.Args
			}
			return printMeanings(c, codes, len(in.Args) == 1)
		}}
}

// printMeanings prints meanings: one in full, many in a line each.
func printMeanings(c *command.Line, codes []string, full bool) error {
	var all []story.Meaning
	for _, code := range codes {
		m, _ := story.Explain(code)
		all = append(all, m)
	}
	if c.Flags.Output == "json" {
		return c.PrintJSON(ExplainReport{1, all})
	}
	for _, m := range all {
		var err error
		if full {
			_, err = fmt.Fprintln(c.Out, ansi.Wordwrap(fmt.Sprintf("%s\n\n%s\n\nHow it is known: %s\n\nWhat to do: %s", m.Code, m.Means, m.Known, m.Do), 100, ""))
		} else {
			first, _, _ := strings.Cut(m.Means, ". ")
			_, err = fmt.Fprintf(c.Out, "%-22s %s\n", m.Code, strings.TrimSuffix(first, "."))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ExplainReport is the JSON of explain.
type ExplainReport struct {
	Schema   int             `json:"schema"`
	Findings []story.Meaning `json:"findings"`
}
