package show

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// Show prints one recipe in full.
func Show(c *command.Line) command.Subcommand {
	return look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "show PATH [SERVERS]", Short: "show one recipe: its claims in order, whom each waits for, and why", Formats: command.TableOrJSON},
		Path:       look.MustPath,
		Aim: func(q *look.Query, _ []string) error {
			q.Ask(q.Path)
			return nil
		},
		Print: func(_ context.Context, r *look.Reading) error { return printPath(r, r.Query.Path) },
	})
}

// printPath prints the recipe at a path, or the one that a claim's path belongs to, or the bare znode.
func printPath(r *look.Reading, path string) error {
	m := look.RecipeOf(r.Result, path)
	node, why := r.Snapshot.Known(path)
	if m == nil && node == nil {
		return look.NotThere(r.Line, path, why)
	}
	doubt := ""
	if m == nil {
		doubt = r.Snapshot.Unclear(path)
	}
	switch {
	case r.Flags.Output == "json":
		if err := r.PrintJSON(story.NewReportOf(r.Result, path, m)); err != nil {
			return err
		}
	case m != nil:
		printModel(r, m)
	default:
		if doubt == "" {
			fmt.Fprintf(r.Out, "%s%s\n", term.Safe(path), look.NoRecipe(r.Result, path))
		}
		printNode(r.Out, r.Result, node)
	}
	return look.Unclear(r.Line, node, path, doubt)
}

// printNode prints a znode's stat in human terms.
func printNode(w io.Writer, res *model.Result, n *znode.Node) {
	if n.Has(znode.NoStat) {
		fmt.Fprintln(w, "  nothing but its name was read")
		return
	}
	kind := "persistent (or container, or with a time to live: clients cannot tell)"
	if n.Ephemeral() {
		kind = "ephemeral, of session " + n.Owner.String()
	}
	age := "unknown"
	if n.Ctime != 0 {
		age = say.Age(res.Snapshot.TakenAt.Sub(n.Ctime.Time()))
	}
	fmt.Fprintf(w, "  kind      %s\n  age       %s\n  version   %d\n  children  %d\n  data      %d bytes\n", kind, age, n.Version, n.NumChildren, n.DataLength)
}

// printModel prints the answer, the findings, and the line of claims.
func printModel(r *look.Reading, m *model.Model) {
	now := r.Snapshot.TakenAt
	r.AsOf()
	fmt.Fprintf(r.Out, "%s  %s, %s\n", term.Safe(m.Path), m.Kind.Words(), m.Dialect)
	fmt.Fprintf(r.Out, "%s\n", term.Safe(m.Summary(now)))
	for _, f := range slices.Concat(look.Spanning(r.Result)[m], m.Findings) {
		fmt.Fprintf(r.Out, "%s %s\n", strings.ToUpper(f.Severity.String()), look.Saying(f))
	}
	if len(m.Claims) > 0 {
		fmt.Fprintln(r.Out)
		world.PrintTable(r.Out, claimRows(r, m))
	}
	for _, line := range story.Follows(r.Result, m) {
		fmt.Fprintf(r.Out, "\n%s\n", term.Safe(line))
	}
	if len(m.Foreign) > 0 {
		fmt.Fprintf(r.Out, "\nforeign children: %s\n", term.Safe(strings.Join(m.Foreign, " ")))
	}
	for _, why := range m.Why {
		fmt.Fprintf(r.Out, "  because %s\n", term.Safe(why))
	}
}

// named is a claim's owner with its number, which tells two claims of one owner apart.
func named(cl *model.Claim) string {
	if cl.HasSeq {
		return fmt.Sprintf("%s (%d)", cl.Owner(), cl.Seq)
	}
	return cl.Owner()
}

func claimRows(r *look.Reading, m *model.Model) [][]string {
	now := r.Snapshot.TakenAt
	rows := [][]string{{"ROLE", "OWNER", "SESSION", "FOR", "BEHIND", "CZXID", "NODE", "WHY"}}
	for i := range m.Claims {
		cl := &m.Claims[i]
		age, session, behind := "?", "persistent", ""
		if l := cl.Lasts(now); l != "" {
			age = r.Spelled(l)
		}
		switch {
		case cl.Unread():
			session = "?"
		case cl.Session != 0:
			session = cl.Session.String()
		}
		czxid := "?"
		if cl.Czxid() != 0 {
			czxid = fmt.Sprint(cl.Czxid())
		}
		if ahead := cl.Ahead(); ahead != nil {
			behind = named(ahead)
			if n := len(cl.Blockers()); n > 1 {
				behind += fmt.Sprintf(" and %d more", n-1)
			}
		}
		role := string(cl.Role())
		if cl.Reason == model.UnlessOld { // it may wait for a writer behind it
			role += "?"
		}
		if cl.Mode() == layout.Read || cl.Mode() == layout.Write {
			role += " " + string(cl.Mode())
		}
		rows = append(rows, []string{role, term.Safe(cl.Owner()), session, age, term.Safe(behind), czxid, term.Safe(cl.Node()), term.Safe(cl.Why())})
	}
	return rows
}
