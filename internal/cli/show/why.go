package show

import (
	"context"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// WhyReport is the JSON output of why, schema 1.
type WhyReport struct {
	Schema  int      `json:"schema"`
	AsOf    string   `json:"asOf"`
	Path    string   `json:"path"`
	Text    string   `json:"text"` // all of it, as it is printed, without commands
	Verdict string   `json:"verdict"`
	Unknown []string `json:"unknown"`
	Command *string  `json:"command"`
	Then    *string  `json:"then"` // when that did not help
}

// Why says what is stuck and what to do.
func Why(c *command.Line) command.Subcommand {
	return look.Reads(c, look.Reader{
		Known:      true,
		Subcommand: command.Subcommand{Use: "why PATH [SERVERS]", Short: "explain what is stuck here: the evidence, what is not known, and what to do next", Formats: command.TableOrJSON},
		Path:       look.MustPath,
		Aim: func(q *look.Query, _ []string) error {
			q.Patient = true
			q.Ask(q.Path)
			return nil
		},
		Print: func(_ context.Context, r *look.Reading) error { return printWhy(r, r.Query.Target) },
	})
}

func printWhy(r *look.Reading, t command.Target) error {
	res := r.Result
	m := look.RecipeOf(res, t.Path)
	if m == nil {
		n, why := res.Snapshot.Known(t.Path)
		if n == nil {
			return look.NotThere(r.Line, t.Path, why)
		}
		if err := look.Unclear(r.Line, n, t.Path, res.Snapshot.Unclear(t.Path)); err != nil {
			return err
		}
		if r.Flags.Output == "json" {
			return r.PrintJSON(WhyReport{Schema: 1, AsOf: story.NewReportOf(res, t.Path, nil).AsOf, Path: term.Safe(t.Path), Text: term.Safe(t.Path) + look.NoRecipe(res, t.Path), Unknown: []string{}})
		}
		fmt.Fprintf(r.Out, "%s%s: who waits there is not known\n", term.Safe(t.Path), look.NoRecipe(res, t.Path))
		return nil
	}
	st := story.Why(waits.Of(res, nil), m)
	command, then := commandLine(r, st.Next), commandLine(r, st.Then)
	if r.Flags.Output == "json" {
		unknown := make([]string, 0, len(st.Unknown))
		for _, u := range st.Unknown {
			unknown = append(unknown, term.Safe(u))
		}
		return r.PrintJSON(WhyReport{Schema: 1, AsOf: story.NewReportOf(res, t.Path, m).AsOf, Path: term.Safe(m.Path), Text: safeText(st.Text(nil)),
			Verdict: term.Safe(st.Verdict), Unknown: unknown, Command: world.TextOrNil(command), Then: world.TextOrNil(then)})
	}
	r.AsOf()
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
	if r.Flags.From != "" && command+then != "" {
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
func commandLine(r *look.Reading, n *story.NextStep) string {
	if n == nil || n.Verb == "wait" {
		return ""
	}
	line := "zkscope " + n.Verb + " " + world.ShellWord(n.Path)
	if n.Verb == "vote" {
		line += " " + world.ShellWord(n.Site) + " " + n.Vote
	}
	line += " " + r.Reached()
	if n.Czxid != 0 {
		line += fmt.Sprintf(" --czxid %d", n.Czxid)
	}
	if n.Session != 0 {
		line += " --session " + n.Session.String()
	}
	return line
}
