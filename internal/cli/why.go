package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
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
	Then    *string  `json:"then"` // when that did not help
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
			c.seen.patient = true
			c.ask(t.path)
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			return c.why(res, t)
		}),
	}
}

func (c *command) why(res *model.Result, t target) error {
	m := recipeOf(res, t.path)
	if m == nil {
		n, why := res.Snapshot.Known(t.path)
		if n == nil {
			return c.notThere(t.path, why)
		}
		if err := c.unclear(n, t.path, res.Snapshot.Unclear(t.path)); err != nil {
			return err
		}
		if c.flags.output == "json" {
			return c.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, nil).AsOf, Path: term.Safe(t.path), Text: term.Safe(t.path) + noRecipe(res, t.path), Unknown: []string{}})
		}
		fmt.Fprintf(c.Out, "%s%s: nobody can be said to wait there\n", term.Safe(t.path), noRecipe(res, t.path))
		return nil
	}
	st := story.Why(waits.Weigh(res, nil), m)
	command, then := c.commandLine(st.Next, t), c.commandLine(st.Then, t)
	if c.flags.output == "json" {
		unknown := make([]string, 0, len(st.Unknown))
		for _, u := range st.Unknown {
			unknown = append(unknown, term.Safe(u))
		}
		return c.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, m).AsOf, Path: term.Safe(m.Path), Text: term.Safe(st.Text), Unknown: unknown, Command: textOrNil(command), Then: textOrNil(then)})
	}
	c.asOf(res)
	fmt.Fprintln(c.Out, term.Safe(st.Text))
	if c.flags.from != "" && command+then != "" {
		fmt.Fprintln(c.Out, "  This is of a file: what it tells may be over. On the live ensemble, where that is still so, could be run:")
	}
	if command != "" {
		fmt.Fprintln(c.Out, "  "+command)
	}
	if then != "" {
		fmt.Fprintln(c.Out, "  "+otherwise(st.Next)+": "+then)
	}
	return nil
}

// otherwise says when the second command is one to run.
func otherwise(first *story.NextStep) string {
	switch first.Verb {
	case "wait":
		return "if it must be sooner"
	case "vote":
		return "if it is not to commit"
	}
	return "if it does not let go"
}

// someServers stands for the servers in a command that a file led to: pasted as it is, it reaches none.
const someServers = "'SERVERS'"

// commandLine is the exact command of a step, pinned to what was seen; empty where there is none to run.
func (c *command) commandLine(n *story.NextStep, t target) string {
	if n == nil || n.Verb == "wait" {
		return ""
	}
	line := "zkscope " + n.Verb + " " + shellWord(n.Path)
	servers := someServers
	if c.flags.from == "" {
		servers = shellWord(t.name)
	}
	if n.Verb == "vote" {
		return line + " " + shellWord(n.Site) + " 'commit|abort' --servers " + servers // quoted: pasted as it is, it votes nothing
	}
	line += " " + servers
	if n.Czxid != 0 {
		line += fmt.Sprintf(" --czxid %d", n.Czxid)
	}
	if n.Session != 0 {
		line += " --session " + n.Session.String()
	}
	return line
}
