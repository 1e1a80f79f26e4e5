package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// whyReport is the JSON output of why, schema 1.
type whyReport struct {
	Schema  int      `json:"schema"`
	AsOf    string   `json:"asOf"`
	Path    string   `json:"path"`
	Text    string   `json:"text"`
	Unknown []string `json:"unknown"`
	Command *string  `json:"command"`
}

// whyCommand says in one paragraph what is stuck and what to do.
func (c *command) whyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "why PATH [SERVERS]", Short: "say in one paragraph what is stuck here, by which evidence, what is not known, and what to run next", Args: between(1, 2, "PATH [SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table", "json"); err != nil {
				return err
			}
			t, err := c.target(args, true)
			if err != nil {
				return err
			}
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			return c.why(res, t)
		}),
	}
}

func (c *command) why(res *inspect.Result, t target) error {
	m := recipeAt(res, t.path)
	if m == nil {
		if res.Snapshot.At(t.path) == nil {
			return fail(exitNotFound, "%s does not exist", term.Safe(t.path))
		}
		if c.flags.output == "json" {
			return c.printJSON(whyReport{Schema: 1, AsOf: inspect.NewReportOf(res, t.path, nil).AsOf, Path: term.Safe(t.path), Text: "no recipe that zkscope knows", Unknown: []string{}})
		}
		fmt.Fprintf(c.Out, "%s is no recipe that zkscope knows: nobody can be said to wait there\n", term.Safe(t.path))
		return nil
	}
	st := inspect.Why(inspect.Weigh(res, nil), m)
	command := ""
	if st.Next != nil {
		command = c.breakLine(st.Next, t)
	}
	if c.flags.output == "json" {
		unknown := make([]string, 0, len(st.Unknown))
		for _, u := range st.Unknown {
			unknown = append(unknown, term.Safe(u))
		}
		return c.printJSON(whyReport{Schema: 1, AsOf: inspect.NewReportOf(res, t.path, m).AsOf, Path: term.Safe(m.Path), Text: term.Safe(st.Text), Unknown: unknown, Command: textOrNil(command)})
	}
	c.asOf(res)
	fmt.Fprintln(c.Out, term.Safe(st.Text))
	if command != "" {
		fmt.Fprintln(c.Out, "  "+command)
	}
	return nil
}

// recipeAt finds the recipe at a path, or the one that a claim's path belongs to.
func recipeAt(res *inspect.Result, path string) *inspect.Model {
	if m := res.ByPath(path); m != nil {
		return m
	}
	for m := range res.Models.All() {
		if hasClaim(m, path) {
			return m
		}
	}
	return nil
}

// breakLine is the exact command that breaks a claim, pinned to what was seen.
func (c *command) breakLine(n *inspect.NextStep, t target) string {
	line := "zkscope break " + shellWord(n.Path)
	if c.flags.from == "" {
		line += " " + shellWord(t.name)
	}
	if n.Czxid != 0 {
		line += fmt.Sprintf(" --czxid %d", n.Czxid)
	}
	if n.Session != 0 {
		line += " --session " + n.Session.String()
	}
	return line
}
