package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// whyReport is the JSON output of why, schema 1.
type whyReport struct {
	Schema  int      `json:"schema"`
	AsOf    string   `json:"asOf"`
	Path    string   `json:"path"`
	Text    string   `json:"text"` // all of it, as it is printed, without commands
	Verdict string   `json:"verdict"`
	Unknown []string `json:"unknown"`
	Command *string  `json:"command"`
	Then    *string  `json:"then"` // when that did not help
}

// why says what is stuck and what to do.
func why(c *Line) subcommand {
	return reads(c, reader{
		known:      true,
		subcommand: subcommand{use: "why PATH [SERVERS]", short: "explain what is stuck here: the evidence, what is not known, and what to do next", formats: tableOrJSON},
		path:       mustPath,
		aim: func(q *query, _ []string) error {
			q.patient = true
			q.ask(q.path)
			return nil
		},
		print: func(_ context.Context, r *reading) error { return printWhy(r, r.query.target) },
	})
}

func printWhy(r *reading, t target) error {
	res := r.Result
	m := recipeOf(res, t.path)
	if m == nil {
		n, why := res.Snapshot.Known(t.path)
		if n == nil {
			return notThere(r.Line, t.path, why)
		}
		if err := unclear(r.Line, n, t.path, res.Snapshot.Unclear(t.path)); err != nil {
			return err
		}
		if r.flags.output == "json" {
			return r.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, nil).AsOf, Path: term.Safe(t.path), Text: term.Safe(t.path) + noRecipe(res, t.path), Unknown: []string{}})
		}
		fmt.Fprintf(r.Out, "%s%s: who waits there is not known\n", term.Safe(t.path), noRecipe(res, t.path))
		return nil
	}
	st := story.Why(waits.Of(res, nil), m)
	command, then := commandLine(r, st.Next), commandLine(r, st.Then)
	if r.flags.output == "json" {
		unknown := make([]string, 0, len(st.Unknown))
		for _, u := range st.Unknown {
			unknown = append(unknown, term.Safe(u))
		}
		return r.printJSON(whyReport{Schema: 1, AsOf: story.NewReportOf(res, t.path, m).AsOf, Path: term.Safe(m.Path), Text: safeText(st.Text(nil)),
			Verdict: term.Safe(st.Verdict), Unknown: unknown, Command: world.TextOrNil(command), Then: world.TextOrNil(then)})
	}
	r.asOf()
	const width = 100
	for _, l := range st.Lines(func(n *story.NextStep) string { return commandLine(r, n) }) {
		lines := []string{term.Safe(l.Text)}
		if l.Text != "" && r.OutTTY && !isCommand(l) { // a pipe gets each fact on one line
			lines = term.Wrap(lines[0], width-len(l.Begins), 0, "")
		}
		for i, text := range lines {
			if i > 0 {
				l.Begins = strings.Repeat(" ", len(l.Begins))
			}
			fmt.Fprintln(r.Out, strings.TrimRight(l.Begins+text, " "))
		}
	}
	if r.flags.from != "" && command+then != "" {
		fmt.Fprintln(r.Out, "\nThis comes from a file and may no longer hold. Run a command only where it still does.")
	}
	return nil
}

// isCommand reports whether a line is one to be copied, and so is never broken.
func isCommand(l story.Line) bool { return l.Begins != "" && strings.TrimSpace(l.Begins) == "" }

// safeText is term.Safe of each line.
func safeText(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = term.Safe(lines[i])
	}
	return strings.Join(lines, "\n")
}

// commandLine is the exact command of a step, pinned to what was seen; empty where there is none to run.
func commandLine(r *reading, n *story.NextStep) string {
	if n == nil || n.Verb == "wait" {
		return ""
	}
	line := "zkscope " + n.Verb + " " + world.ShellWord(n.Path)
	if n.Verb == "vote" {
		line += " " + world.ShellWord(n.Site) + " " + n.Vote
	}
	line += " " + r.reached()
	if n.Czxid != 0 {
		line += fmt.Sprintf(" --czxid %d", n.Czxid)
	}
	if n.Session != 0 {
		line += " --session " + n.Session.String()
	}
	return line
}
