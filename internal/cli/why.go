package cli

import (
	"context"
	"fmt"

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

// why says in one paragraph what is stuck and what to do.
func why(c *command) subcommand {
	return c.reads(reader{
		subcommand: subcommand{use: "why PATH [SERVERS]", short: "say in one paragraph what is stuck here, by which evidence, what is not known, and what to run next", formats: tableOrJSON},
		path:       mustPath,
		aim: func(q *query, _ []string) error {
			q.patient = true
			q.ask(q.path)
			return nil
		},
		print: func(_ context.Context, r *reading) error { return r.why(r.query.target) },
	})
}

func (r *reading) why(t target) error {
	res := r.Result
	m := recipeOf(res, t.path)
	if m == nil {
		n, why := res.Snapshot.Known(t.path)
		if n == nil {
			return r.notThere(t.path, why)
		}
		if err := r.unclear(n, t.path, res.Snapshot.Unclear(t.path)); err != nil {
			return err
		}
		if r.flags.output == "json" {
			return r.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, nil).AsOf, Path: term.Safe(t.path), Text: term.Safe(t.path) + noRecipe(res, t.path), Unknown: []string{}})
		}
		fmt.Fprintf(r.Out, "%s%s: nobody can be said to wait there\n", term.Safe(t.path), noRecipe(res, t.path))
		return nil
	}
	st := story.Why(waits.Weigh(res, nil), m)
	command, then := r.commandLine(st.Next, t), r.commandLine(st.Then, t)
	if r.flags.output == "json" {
		unknown := make([]string, 0, len(st.Unknown))
		for _, u := range st.Unknown {
			unknown = append(unknown, term.Safe(u))
		}
		return r.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, m).AsOf, Path: term.Safe(m.Path), Text: term.Safe(st.Text), Unknown: unknown, Command: textOrNil(command), Then: textOrNil(then)})
	}
	r.asOf()
	fmt.Fprintln(r.Out, term.Safe(st.Text))
	if r.flags.from != "" && command+then != "" {
		fmt.Fprintln(r.Out, "  This is of a file: what it tells may be over. On the live ensemble, where that is still so, could be run:")
	}
	if command != "" {
		fmt.Fprintln(r.Out, "  "+command)
	}
	if then != "" {
		fmt.Fprintln(r.Out, "  "+otherwise(st.Next)+": "+then)
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
func (r *reading) commandLine(n *story.NextStep, t target) string {
	if n == nil || n.Verb == "wait" {
		return ""
	}
	line := "zkscope " + n.Verb + " " + shellWord(n.Path)
	servers := someServers
	if r.flags.from == "" {
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
