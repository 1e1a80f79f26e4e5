package show

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// Graph prints who waits for whom across all recipes.
func Graph(c *command.Line) command.Subcommand {
	most := 20
	return look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "graph [SERVERS]", Short: "show who waits for whom: deadlocks, root blockers, lost waiters, herds", Formats: []string{"table", "json", "dot"},
			Flags: func(fs *pflag.FlagSet) { fs.IntVar(&most, "lines", most, "waiters to print behind each root blocker") }},
		Check: func() error {
			if most < 1 {
				return world.Fail(world.ExitUsage, "--lines takes a number above zero")
			}
			return nil
		},
		Aim: func(q *look.Query, _ []string) error {
			q.Patient = true // a deadlock weighs what check says
			return nil
		},
		Print: func(_ context.Context, r *look.Reading) error {
			w := waits.Of(r.Result, nil)
			switch c.Flags.Output {
			case "json":
				return c.PrintJSON(story.NewGraphReport(w))
			case "dot":
				fmt.Fprint(c.Out, story.Dot(w))
				return nil
			}
			printGraph(r, w, most)
			return nil
		},
	})
}

// printGraph prints deadlocks first, then the trees of those who block others.
func printGraph(r *look.Reading, w *waits.Waits, most int) {
	r.Head()
	names := waits.Labels(w.Result)
	for i := range w.Cycles {
		printCycle(r, &w.Cycles[i], names)
	}
	for _, root := range w.Roots {
		printRoot(r.Out, w, root, names, most)
	}
	if len(w.Edges) == 0 {
		fmt.Fprintln(r.Out, "nobody waits")
	}
	for _, e := range w.Lost {
		wakes := "it will not wake by itself"
		if e.Waiter.MayWake() {
			wakes = "whether it wakes by itself is not known"
		}
		fmt.Fprintf(r.Out, "lost waiter: %s waits for %s on %s and does not watch it: %s\n",
			calledOne(names, e.Waiter, e.From), calledOne(names, e.Blocker, e.To), term.Safe(e.Model.Path), wakes)
	}
	for i, h := range w.Herds {
		if i == most {
			fmt.Fprintf(r.Out, "and %s\n", say.Plural(len(w.Herds)-most, "more herd", "more herds"))
			break
		}
		fmt.Fprintf(r.Out, "herd: %d sessions wake when %s changes\n", len(h.Watchers), term.Safe(h.Path))
	}
}

func printCycle(r *look.Reading, cy *waits.Cycle, names map[znode.SessionID]string) {
	out := r.Out
	fmt.Fprintf(out, "LOOKS LIKE A DEADLOCK (%s)%s", cy.Severity, say.ForSpan(cy.Lasts(r.Result.Snapshot.AsOf())))
	if crowd := cy.Crowd(strconv.Itoa); crowd != "" {
		fmt.Fprint(out, ", ", crowd)
	}
	fmt.Fprintf(out, ": %s%s\n", term.Safe(cy.Because), cy.Doubt())
	for _, e := range cy.Waits {
		fmt.Fprintf(out, "  %s waits for %s on %s  %s\n", calledOne(names, e.Waiter, e.From), calledOne(names, e.Blocker, e.To), term.Safe(e.Model.Path), e.Proof)
	}
	for i, b := range cy.Breaks {
		next := "nobody holds " + term.Safe(b.Path) + " yet"
		switch {
		case b.Sure:
			next = term.Safe(b.Path) + " goes to " + term.Safe(b.Next)
		case b.Next != "":
			next = "next on " + term.Safe(b.Path) + " is " + term.Safe(b.Next) + "; whether it wakes by itself is not known"
		}
		mark := say.Either(i == cy.Victim && cy.Severity > model.Low, "*", " ")
		fmt.Fprintf(out, "%s break the claim of %s: %s\n", mark, calledOne(names, b.Claim, b.Session), next)
	}
	if cy.Severity == model.Low {
		return
	}
	v := cy.Breaks[cy.Victim]
	fmt.Fprintf(out, "  suggested: %s, because %s\n  %s\n", calledOne(names, v.Claim, v.Session), cy.Reason,
		commandLine(r, &story.NextStep{Verb: "break", Path: v.Claim.Path(), Czxid: v.Claim.Czxid(), Session: v.Session}))
}

func printRoot(out io.Writer, w *waits.Waits, r waits.Root, names map[znode.SessionID]string, most int) {
	who := "a znode that no session owns, " + term.Safe(r.Claim.Path()) + ","
	if r.Session != 0 {
		who = calledOne(names, r.Claim, r.Session)
	}
	only := say.Either(r.Stands == r.Blocks, ", all of them standbys", "")
	fmt.Fprintf(out, "%s blocks %d%s%s\n", who, r.Blocks, only, r.Doubt())
	lines, more := w.Branches(r, most)
	for _, b := range lines {
		indent := strings.Repeat("  ", min(b.Depth, 12)+1)
		fmt.Fprintf(out, "%s%s waits on %s  %s%s\n", indent, calledOne(names, b.Wait.Waiter, b.Wait.From), term.Safe(b.Wait.Model.Path), b.Wait.Proof, b.Doubt())
	}
	if more > 0 {
		fmt.Fprintf(out, "  and %d more\n", more)
	}
}

// calledOne is a claim's own name with its session's id, for the claims of one session may be of several threads; else the
// session's label.
func calledOne(names map[znode.SessionID]string, c *model.Claim, id znode.SessionID) string {
	if c.OwnerSource() == model.FromData && id != 0 {
		return term.Safe(c.Owner()) + " (" + id.String() + ")"
	}
	return named1(names, id)
}

// named1 is a session's label with its id.
func named1(names map[znode.SessionID]string, id znode.SessionID) string {
	if id == 0 {
		return "(no session)"
	}
	if n := names[id]; n != "" {
		return term.Safe(n) + " (" + id.String() + ")"
	}
	return id.String()
}
