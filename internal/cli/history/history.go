package history

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// History tells what became of every claim of a recipe.
func History(c *command.Line) command.Subcommand {
	var r spanFlags
	var top int
	return command.Subcommand{Use: "history [PATH] --from DIR|FILE", Short: "show what became of every claim of a recipe: when it came, held and went, and how", Args: command.Taking("[PATH]"),
		Long: "From the data directory of a member (or of several, DIR,DIR), which holds the transaction logs, or from a recording.\n" +
			"Of a claim it tells when it came and at which place in line, how long it waited and held, and how it went: released by\n" +
			"its own session, closed with the session by its client, expired, or broken by another session; a claim that no session\n" +
			"owns is released by the session that made it, and else deleted by the one that is named. What the logs cover is\n" +
			"told first: what is not covered cannot be found. With --top it ranks recipes by how long their claims waited.",
		Example: "  zkscope history /locks/orders --from /var/lib/zookeeper --since 03:00 --until 03:30\n" +
			"  zkscope history --top --from zk1/data,zk2/data -o csv\n" +
			"  zkscope history --top=30 --from night.jsonl.zst --since -1h",
		Formats: []string{"table", "json", "csv"},
		Flags: func(fs *pflag.FlagSet) {
			r.declare(fs)
			fs.IntVar(&top, "top", 0, "rank the recipes whose claims waited longest, this many, instead of one recipe")
			fs.Lookup("top").NoOptDefVal = "10"
		},
		Run: func(_ context.Context, in command.Invocation) error {
			if in.Given("top") && (top <= 0 || len(in.Args) > 0) {
				return world.Fail(world.ExitUsage, "--top ranks all recipes, as many as it says, and takes no path: --top or --top=30")
			}
			t, err := c.Target(in.Args, !in.Given("top"))
			if err != nil {
				return err
			}
			if c.Flags.From == "" {
				return world.Fail(world.ExitUsage, "servers cannot be asked for the past: give --from the data directory of one, or a recording")
			}
			if c.Flags.At != "" {
				return world.Fail(world.ExitUsage, "history covers a span, not a moment: give it --since and --until instead of --at")
			}
			if err := r.check(in); err != nil {
				return err
			}
			if top > 0 {
				return printTop(c, top, r.since, r.until)
			}
			return printHistory(c, t.Path, r.since, r.until)
		}}
}

// printHistory follows one recipe.
func printHistory(c *command.Line, path, since, until string) error {
	h, err := world.WhileReading(func() (*chronicle.Chronicle, error) {
		rec, err := look.InputOf(c).Open()
		if err != nil {
			return nil, err
		}
		from, to, err := span(rec, since, until)
		if err != nil {
			return nil, err
		}
		return chronicle.Of(rec.Reel(), path, from, to, c.Hints())
	})
	if err != nil {
		return err
	}
	if err := stood(h); err != nil {
		return err
	}
	switch c.Flags.Output {
	case "json":
		return c.PrintJSON(historyReportOf(h))
	case "csv":
		return historyCSV(c.Out, h)
	}
	historyTable(c.Out, h)
	return nil
}

// spanFlags say which part of a history is looked at.
type spanFlags struct{ since, until string }

func (r *spanFlags) declare(fs *pflag.FlagSet) {
	fs.StringVar(&r.since, "since", "", "leave out what was before this time (2006-01-02T15:04:05Z, 15:04:05 in UTC, or -5m before the end)")
	fs.StringVar(&r.until, "until", "", "leave out what came after this time")
}

// given reports whether a part is asked for.
func (r *spanFlags) given() bool { return r.since != "" || r.until != "" }

func (r *spanFlags) check(in command.Invocation) error {
	for name, text := range map[string]string{"since": r.since, "until": r.until} {
		if in.Given(name) && text == "" {
			return world.Fail(world.ExitUsage, "--%s is empty: is a variable unset?", name)
		}
	}
	return nil
}

// span reads from when until when is told; zero for what is open.
func span(rec *files.Recording, since, until string) (from, to time.Time, err error) {
	bound := func(flag, text string) (time.Time, error) {
		if text == "" {
			return time.Time{}, nil
		}
		return look.ParseMoment(flag, text, rec.TimeOf(0).UTC(), rec.TimeOf(rec.Len()-1).UTC())
	}
	if from, err = bound("--since", since); err != nil {
		return from, to, err
	}
	if to, err = bound("--until", until); err != nil {
		return from, to, err
	}
	if begin := rec.TimeOf(0); until != "" && to.Before(begin) {
		return from, to, world.Fail(world.ExitUsage, "--until %s is before the file begins, at %s", say.Printable(until), chronicle.Clock(begin))
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return from, to, world.Fail(world.ExitUsage, "--until %s is before --since %s", chronicle.Clock(to), chronicle.Clock(from))
	}
	return from, to, nil
}

// historyTable prints the claims, then what they add up to.
func historyTable(out io.Writer, h *chronicle.Chronicle) {
	fmt.Fprintf(out, "%s  %s, %s to %s\n\n", term.Safe(h.Path), h.Kind, chronicle.Clock(h.Begin), chronicle.Clock(h.End))
	rows := [][]string{{"CAME", "OWNER", "SESSION", "PLACE", "WAITED", "HELD AT", "FOR", "WENT", "HOW"}}
	for _, s := range h.Stays {
		rows = append(rows, []string{s.CameText(), term.Safe(s.Owner), chronicle.SessionText(s.Session), s.PlaceText(), s.WaitedText(h.End),
			s.Held.Text(), s.HeldText(h.End), s.Left.Text(), s.HowText()})
	}
	world.PrintTable(out, rows)
	fmt.Fprintln(out)
	rows = [][]string{{"OWNER", "CLAIMS", "HELD", "TIMES", "WAITED", "LOST"}}
	for _, o := range h.Owners() {
		rows = append(rows, []string{term.Safe(o.Name), fmt.Sprint(o.Claims), o.HeldText(), fmt.Sprint(o.Times), chronicle.Exactly(o.Waited), fmt.Sprint(o.Lost)})
	}
	world.PrintTable(out, rows)
	fmt.Fprintln(out)
	fmt.Fprintln(out, h.Holds().Text("held"))
	fmt.Fprintln(out, h.Waits().Text("waited"))
	if n := h.Doubts(); n > 0 {
		fmt.Fprintln(out, chronicle.DoubtsText(n))
	}
	historyFindings(out, h)
	for _, s := range h.LongestNobody(3) {
		fmt.Fprintf(out, "nobody held for %s, from %s\n", chronicle.Exactly(s.To.Sub(s.From)), chronicle.Clock(s.From))
	}
}

// foundShown is how many findings a table shows.
const foundShown = 20

// historyFindings prints what was found, in the order in which it began; what is of low severity is counted.
func historyFindings(out io.Writer, h *chronicle.Chronicle) {
	low, told, more := h.MoreFound, 0, 0
	for _, x := range h.Findings {
		if x.Severity < model.Medium {
			low++
			continue
		}
		if told == foundShown {
			more++
			continue
		}
		told++
		ended := "still there"
		if !x.Ended.At.IsZero() {
			ended = "until " + x.Ended.Text()
		}
		fmt.Fprintf(out, "%s from %s, %s: %s\n", strings.ToUpper(x.Severity.String()), x.Began.Text(), ended, look.Saying(model.Finding{Code: x.Code, Text: x.Text}))
	}
	if more > 0 {
		fmt.Fprintf(out, "%s: -o json tells them all\n", say.Plural(more, "more finding", "more findings"))
	}
	if low > 0 {
		fmt.Fprintf(out, "%s of low severity: zkscope report, and -o json, tell them\n", say.Plural(low, "finding", "findings"))
	}
	if text := h.TogetherText(); text != "" {
		fmt.Fprintln(out, text)
	}
}

// historyCSV prints a line a claim.
func historyCSV(out io.Writer, h *chronicle.Chronicle) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"node", "owner", "session", "position", "of", "came", "held", "left", "waited_ms", "held_ms", "how", "by", "left_zxid", "doubt", "made_by"})
	for _, r := range historyReportOf(h).Claims {
		_ = w.Write([]string{r.Node, r.Owner, world.OrEmpty(r.Session), fmt.Sprint(r.Position), fmt.Sprint(r.Of), world.OrEmpty(r.Came), world.OrEmpty(r.Held), world.OrEmpty(r.Left),
			fmt.Sprint(r.WaitedMs), fmt.Sprint(r.HeldMs), r.How, world.OrEmpty(r.By), world.OrEmpty(r.LeftZxid), fmt.Sprint(r.Doubt), world.OrEmpty(r.MadeBy)})
	}
	w.Flush()
	return w.Error() // the first there was
}

// stood is the error of a path at which no recipe stood, or where that is not known.
func stood(h *chronicle.Chronicle) error {
	begin, end := chronicle.Clock(h.Begin), chronicle.Clock(h.End)
	switch {
	case h.Kind != "":
		return nil
	case h.Unknown != "":
		return world.Fail(world.ExitError, "whether a recipe stood at %s between %s and %s is not known: %s", term.Safe(h.Path), begin, end, h.Unknown)
	}
	return world.Fail(world.ExitNotFound, "no recipe stood at %s between %s and %s", term.Safe(h.Path), begin, end)
}
