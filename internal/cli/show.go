package cli

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
	"github.com/zkscope/zkscope/internal/term"
)

// show prints one recipe in full.
func show(c *command) subcommand {
	return c.reads(reader{
		subcommand: subcommand{use: "show PATH [SERVERS]", short: "show one recipe: its claims in order, whom each waits for, and why", formats: tableOrJSON},
		path:       mustPath,
		aim: func(q *query, _ []string) error {
			q.ask(q.path)
			return nil
		},
		print: func(_ context.Context, r *reading) error { return r.show(r.query.path) },
	})
}

// show prints the recipe at a path, or the one that a claim's path belongs to, or the bare znode.
func (r *reading) show(path string) error {
	m := recipeOf(r.Result, path)
	node, why := r.Snapshot.Known(path)
	if m == nil && node == nil {
		return r.notThere(path, why)
	}
	unclear := ""
	if m == nil {
		unclear = r.Snapshot.Unclear(path)
	}
	switch {
	case r.flags.output == "json":
		if err := r.printJSON(story.NewReportOf(r.Result, path, m)); err != nil {
			return err
		}
	case m != nil:
		r.printModel(m)
	default:
		if unclear == "" {
			fmt.Fprintf(r.Out, "%s%s\n", term.Safe(path), noRecipe(r.Result, path))
		}
		printNode(r.Out, r.Result, node)
	}
	return r.unclear(node, path, unclear)
}

// notThere is the error of a path without a znode: why says why it was not read, and is empty where none exists.
func (c *command) notThere(path, why string) error {
	switch {
	case why == "":
		return fail(exitNotFound, "%s does not exist", term.Safe(path))
	case c.flags.from != "":
		return fail(exitError, "%s was not read: %s; whether it exists the file does not tell, zkscope show %s asks the servers", term.Safe(path), why, shellWord(path))
	}
	return fail(exitError, "%s was not read: %s; whether it exists is not known, zkscope doctor says what may be read", term.Safe(path), why)
}

// unclear is the error of a znode of which it is not known whether it is a recipe, for the reason given; nil without one.
func (c *command) unclear(n *znode.Node, path, why string) error {
	next := ""
	switch {
	case why == "":
		return nil
	case c.flags.from != "":
		next = "zkscope show " + shellWord(path) + " asks the servers"
	case n.Has(znode.NamesRead):
		next = fmt.Sprintf("--max-children %d reads all of them", n.NumChildren)
	case n.Has(znode.Unreadable):
		next = "give a credential with permission in $ZKSCOPE_AUTH"
	default:
		next = "--hint says what it is"
	}
	return fail(exitError, "whether %s is a recipe, or part of one, is not known: %s; %s", term.Safe(path), why, next)
}

// noRecipe says what stands at a path where no recipe does.
func noRecipe(res *model.Result, path string) string {
	switch k := res.EmptyParent(path); {
	case k == "":
	case !k.Leads():
		return ": nobody holds it; an empty lock directory"
	default:
		return ": nobody leads; an empty directory of an election"
	}
	if m, _, how := res.RecipeAt(path); how == model.Below {
		return " is not part of " + m.Kind.OneOf() + " above it, " + term.Safe(m.Path)
	}
	return " is not a recipe that zkscope knows"
}

// recipeOf is the recipe that the znode at a path is, or is a claim or a part of; nil: none.
func recipeOf(res *model.Result, path string) *model.Model {
	m, _, how := res.RecipeAt(path)
	if how == model.Below {
		return nil
	}
	return m
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
func (r *reading) printModel(m *model.Model) {
	now := r.Snapshot.TakenAt
	r.asOf()
	fmt.Fprintf(r.Out, "%s  %s, %s\n", term.Safe(m.Path), m.Kind.Words(), m.Dialect)
	fmt.Fprintf(r.Out, "%s\n", term.Safe(m.Summary(now)))
	for _, f := range slices.Concat(spanning(r.Result)[m], m.Findings) {
		fmt.Fprintf(r.Out, "%s %s\n", strings.ToUpper(f.Severity.String()), saying(f))
	}
	if len(m.Claims) > 0 {
		fmt.Fprintln(r.Out)
		printTable(r.Out, r.claimRows(m))
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

func (r *reading) claimRows(m *model.Model) [][]string {
	now := r.Snapshot.TakenAt
	rows := [][]string{{"ROLE", "OWNER", "SESSION", "FOR", "BEHIND", "CZXID", "NODE", "WHY"}}
	for i := range m.Claims {
		cl := &m.Claims[i]
		age, session, behind := "?", "persistent", ""
		if l := cl.Lasts(now); l != "" {
			age = r.spelled(l)
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
