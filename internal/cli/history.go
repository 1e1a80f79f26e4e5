package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
)

// history tells what became of every claim of a recipe.
func history(c *command) subcommand {
	var since, until string
	return subcommand{use: "history PATH --from DIR|FILE", short: "tell what became of every claim of a recipe: when it came, held and went, and how", args: taking("PATH"),
		long: "From the data directory of a member (or of several, DIR,DIR), which holds the transaction logs, or from a recording.\n" +
			"Of a claim it tells when it came and at which place in line, how long it waited and held, and how it went: released by\n" +
			"its own session, closed with the session by its client, expired, or broken by another session; a claim that no session\n" +
			"owns is released by the session that made it, and else deleted by the one that is named. What the logs cover is\n" +
			"told first: what is not covered cannot be found.",
		formats: []string{"table", "json", "csv"},
		flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&since, "since", "", "leave out what was before this time (2006-01-02T15:04:05Z, 15:04:05 in UTC, or -5m before the end)")
			fs.StringVar(&until, "until", "", "leave out what came after this time")
		},
		run: func(_ context.Context, in invocation) error {
			t, err := c.target(in.args, true)
			if err != nil {
				return err
			}
			if c.flags.from == "" {
				return fail(exitUsage, "servers cannot be asked for the past: give --from the data directory of one, or a recording")
			}
			if c.flags.at != "" {
				return fail(exitUsage, "history tells of a span, not of a moment: give it --since and --until instead of --at")
			}
			for name, text := range map[string]string{"since": since, "until": until} {
				if in.set(name) && text == "" {
					return fail(exitUsage, "--%s is empty: is a variable unset?", name)
				}
			}
			return c.history(t.path, since, until)
		}}
}

// history follows one recipe.
func (c *command) history(path, since, until string) error {
	h, err := whileReading(func() (*chronicle.Chronicle, error) {
		rec, err := c.input().open()
		if err != nil {
			return nil, err
		}
		from, to, err := span(rec, since, until)
		if err != nil {
			return nil, err
		}
		return chronicle.Of(rec.Reel(), path, from, to, c.hints())
	})
	if err != nil {
		return err
	}
	if h.Kind == "" && h.Unknown != "" {
		return fail(exitError, "whether a recipe stood at %s between %s and %s is not known: %s", term.Safe(path), clockText(h.Begin), clockText(h.End), h.Unknown)
	}
	if h.Kind == "" {
		return fail(exitNotFound, "no recipe stood at %s between %s and %s", term.Safe(path), clockText(h.Begin), clockText(h.End))
	}
	switch c.flags.output {
	case "json":
		return c.printJSON(historyReportOf(h))
	case "csv":
		return historyCSV(c.Out, h)
	}
	historyTable(c.Out, h)
	return nil
}

// span reads from when until when is told; zero for what is open.
func span(rec *files.Recording, since, until string) (from, to time.Time, err error) {
	bound := func(flag, text string) (time.Time, error) {
		if text == "" {
			return time.Time{}, nil
		}
		return parseMoment(flag, text, rec.TimeOf(0).UTC(), rec.TimeOf(rec.Len()-1).UTC())
	}
	if from, err = bound("--since", since); err != nil {
		return from, to, err
	}
	if to, err = bound("--until", until); err != nil {
		return from, to, err
	}
	if begin := rec.TimeOf(0); until != "" && to.Before(begin) {
		return from, to, fail(exitUsage, "--until %s is before the file begins, at %s", say.Printable(until), clockText(begin))
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return from, to, fail(exitUsage, "--until %s is before --since %s", clockText(to), clockText(from))
	}
	return from, to, nil
}

// historyTable prints the claims, then what they add up to.
func historyTable(out io.Writer, h *chronicle.Chronicle) {
	fmt.Fprintf(out, "%s  %s, %s to %s\n\n", term.Safe(h.Path), h.Kind, clockText(h.Begin), clockText(h.End))
	rows := [][]string{{"CAME", "OWNER", "SESSION", "PLACE", "WAITED", "HELD AT", "FOR", "WENT", "HOW"}}
	for _, s := range h.Stays {
		rows = append(rows, []string{came(s), term.Safe(s.Owner), sessionText(s.Session), fmt.Sprintf("%d/%d", s.Position+1, s.Of), waitedText(s, h.End),
			momentText(s.Held), heldText(s, h.End), momentText(s.Left), howText(s)})
	}
	printTable(out, rows)
	fmt.Fprintln(out)
	rows = [][]string{{"OWNER", "CLAIMS", "HELD", "TIMES", "WAITED", "LOST"}}
	for _, o := range h.Owners() {
		rows = append(rows, []string{term.Safe(o.Name), fmt.Sprint(o.Claims), ownerHeld(o), fmt.Sprint(o.Times), exactly(o.Waited), fmt.Sprint(o.Lost)})
	}
	printTable(out, rows)
	fmt.Fprintln(out)
	fmt.Fprintln(out, spreadText("held", h.Holds()))
	fmt.Fprintln(out, spreadText("waited", h.Waits()))
	if n := h.Doubts(); n > 0 {
		fmt.Fprintf(out, "%s not counted: each read, or waited for a later writer as kazoo before 2.9 may, and nothing here tells which\n", say.Plural(n, "claim is", "claims are"))
	}
	for _, s := range h.LongestNobody(3) {
		fmt.Fprintf(out, "nobody held for %s, from %s\n", exactly(s.To.Sub(s.From)), clockText(s.From))
	}
}

func came(s *chronicle.Stay) string {
	if s.Start {
		return "before " + momentText(s.Came)
	}
	return momentText(s.Came)
}

func heldText(s *chronicle.Stay, end time.Time) string {
	switch {
	case s.Held.At.IsZero():
		return "-"
	case s.Doubt:
		return "<=" + exactly(s.HeldFor(end))
	case s.HeldFrom:
		return ">=" + exactly(s.HeldFor(end))
	}
	return betweenText(s.Held, s.Left, end)
}

// ownerHeld is for how long all claims of a name held, with the most that it can be where that is not known of each.
func ownerHeld(o *chronicle.Owner) string {
	if o.Maybe == 0 {
		return exactly(o.Held)
	}
	return exactly(o.Held) + " to " + exactly(o.Held+o.Maybe)
}

func waitedText(s *chronicle.Stay, end time.Time) string {
	switch {
	case s.Held.At.IsZero():
		return betweenText(s.Came, s.Left, end)
	case s.Doubt:
		return ">=" + exactly(s.Waited(end))
	}
	return betweenText(s.Came, s.Held, end)
}

// betweenText is how long it was from one moment to another, or until the end, with both bounds where they differ.
func betweenText(a, b chronicle.Moment, end time.Time) string {
	if b.At.IsZero() {
		b.At = end
	}
	least, most := chronicle.Between(a, b)
	if least == most {
		return exactly(most)
	}
	return exactly(least) + " to " + exactly(most)
}

// howText says how a claim went, and by whom.
func howText(s *chronicle.Stay) string {
	text := string(s.How)
	switch s.How {
	case chronicle.Here:
		text = "still there"
	case chronicle.Closed:
		text = "its client closed the session"
	case chronicle.Expired:
		text = "the server ended the session (it expired, or an administrator ended it)"
		if s := s.Left.Cause.Silent; !s.From.IsZero() {
			text += ", last heard between " + s.From.Format("15:04:05.000") + " and " + s.To.Format("15:04:05.000")
		}
	case chronicle.Broken:
		text = "broken by " + sessionText(s.Left.Cause.Session)
	case chronicle.Deleted:
		text = "deleted by " + sessionText(s.Left.Cause.Session) + "; who made it is not known"
		if s.MadeBy != 0 {
			text = "deleted by " + sessionText(s.Left.Cause.Session) + ", made by " + sessionText(s.MadeBy)
		}
	}
	if s.Doubt {
		text += "; read, or waited for a later writer: not known"
	}
	if !s.Asked.At.IsZero() {
		text += ", asked to let go at " + momentText(s.Asked)
	}
	return text
}

func sessionText(id znode.SessionID) string {
	if id == 0 {
		return "-"
	}
	return id.String()
}

func momentText(m chronicle.Moment) string {
	if m.At.IsZero() {
		return "-"
	}
	at := m.At.UTC().Format("15:04:05.000")
	if !m.From.IsZero() {
		at = "between " + m.From.UTC().Format("15:04:05.000") + " and " + at + " (not seen)"
	}
	return at
}

func clockText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// exactly is a duration to the millisecond, below a minute, and else as coarse as elsewhere.
func exactly(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	return say.Age(d)
}

func spreadText(what string, s chronicle.Spread) string {
	if s.N == 0 {
		return what + ": none from beginning to end"
	}
	return fmt.Sprintf("%s: %d times, half of them up to %s, 95%% up to %s, the longest %s", what, s.N, exactly(s.P50), exactly(s.P95), exactly(s.Max))
}

// historyCSV prints a line a claim.
func historyCSV(out io.Writer, h *chronicle.Chronicle) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"node", "owner", "session", "position", "of", "came", "held", "left", "waited_ms", "held_ms", "how", "by", "left_zxid", "doubt", "made_by"})
	for _, r := range historyReportOf(h).Claims {
		_ = w.Write([]string{r.Node, r.Owner, orEmpty(r.Session), fmt.Sprint(r.Position), fmt.Sprint(r.Of), orEmpty(r.Came), orEmpty(r.Held), orEmpty(r.Left),
			fmt.Sprint(r.WaitedMs), fmt.Sprint(r.HeldMs), r.How, orEmpty(r.By), orEmpty(r.LeftZxid), fmt.Sprint(r.Doubt), orEmpty(r.MadeBy)})
	}
	w.Flush()
	return w.Error() // the first there was
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
