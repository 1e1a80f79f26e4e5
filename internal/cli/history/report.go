package history

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/past"
	"github.com/zkscope/zkscope/internal/report"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// ranked is how many recipes a report tells of where none is asked for, and among how many they are ranked.
const (
	ranked      = 10
	rankedAmong = 60
)

// Report writes a document about an incident.
func Report(c *command.Line) command.Subcommand {
	var r spanFlags
	var file string
	return command.Subcommand{Use: "report [PATH...] --from DIR|FILE", Short: "write a document about an incident: timelines, claims, who blocked whom, and what is covered", Args: cobra.ArbitraryArgs,
		Formats: []string{"html", "md"}, OwnFormats: true,
		Long: "From the data directory of a member (or of several, DIR,DIR), or from a recording: one page of HTML that needs nothing\n" +
			"else (-o html), or with -o md Markdown for a ticket. Without PATH it covers the recipes whose claims waited longest.\n" +
			"With --audit-log it tells also what operators did meanwhile, as zkscope wrote it down where they worked.",
		Example: "  zkscope report --from /var/lib/zookeeper --since 03:00 --until 03:30 --file incident.html\n" +
			"  zkscope report /locks/orders --from night.tar.zst --audit-log ~/.local/state/zkscope/audit.jsonl -o md",
		Flags: func(fs *pflag.FlagSet) {
			r.declare(fs)
			fs.StringVar(&file, "file", "", "the file to write, which must not exist yet; without it, standard output")
		},
		Run: func(_ context.Context, in command.Invocation) error {
			if !in.Given("output") {
				c.Flags.Output = "html"
			}
			if err := c.Flags.Format("html", "md"); err != nil {
				return err
			}
			if c.Flags.From == "" {
				return world.Fail(world.ExitUsage, "servers cannot be asked for the past: give --from the data directory of one, or a recording")
			}
			if c.Flags.At != "" {
				return world.Fail(world.ExitUsage, "a report covers a span, not a moment: give it --since and --until instead of --at")
			}
			if in.Given("file") && file == "" {
				return world.Fail(world.ExitUsage, "--file is empty: is a variable unset?")
			}
			if err := r.check(in); err != nil {
				return err
			}
			var paths []string
			for _, arg := range in.Args {
				t, err := c.Target([]string{arg}, true)
				if err != nil {
					return err
				}
				if !slices.Contains(paths, t.Path) {
					paths = append(paths, t.Path)
				}
			}
			var nothing error // that it is about
			d, err := world.WhileReading(func() (d *report.Document, err error) {
				d, nothing, err = documentOf(c, paths, r.since, r.until)
				return d, err
			})
			if err == nil {
				err = writeReport(c, d, file)
			}
			return cmp.Or(err, nothing)
		}}
}

// documentOf reads what a report tells; nothing is the error of paths at none of which a recipe stood, which it tells, too.
func documentOf(c *command.Line, paths []string, since, until string) (d *report.Document, nothing, err error) {
	in := look.InputOf(c)
	rec, err := in.Open()
	if err != nil {
		return nil, nil, err
	}
	from, to, err := span(rec, since, until)
	if err != nil {
		return nil, nil, err
	}
	src := report.Source{Name: in.From, Begin: rec.TimeOf(0).UTC(), End: rec.TimeOf(rec.Len() - 1).UTC()}
	all, err := told(c, &src, rec, paths, from, to)
	if err != nil {
		return nil, nil, err
	}
	if len(paths) > 0 && !slices.ContainsFunc(all, func(h *chronicle.Chronicle) bool { return stood(h) == nil }) {
		nothing = stood(all[0])
	}
	if len(all) > 0 {
		src.Begin, src.End = all[0].Begin.UTC(), all[0].End.UTC()
	}
	covers(c, &src, in.Cover, rec)
	if err := acts(c, &src, paths); err != nil {
		return nil, nil, err
	}
	return report.Of(src, all, c.Now()), nothing, nil
}

// acts adds what operators did meanwhile, where an audit log is given: to the recipes that are asked for, or to any.
func acts(c *command.Line, src *report.Source, paths []string) error {
	if c.Flags.AuditLog == "" {
		return nil
	}
	if _, err := os.Stat(c.Flags.AuditLog); err != nil {
		return world.Fail(world.ExitError, "--audit-log: %w; without it the report tells nothing of what was done", err)
	}
	records, damaged, err := actions.ReadAudit(c.Flags.AuditLog)
	if err != nil {
		return world.Fail(world.ExitError, "--audit-log: %w", err)
	}
	elsewhere := 0
	for _, r := range records {
		if r.At.Before(src.Begin) || r.At.After(src.End) {
			continue
		}
		if len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { _, in := znode.Relative(p, r.Path); return in || r.Recipe == p }) {
			elsewhere++
			continue
		}
		what := r.Stage + ": " + r.What()
		src.Audit = append(src.Audit, report.Act{At: r.At, User: r.User + "@" + r.Host, What: what})
	}
	src.AuditNote = fmt.Sprintf("From %s, by the clocks of the machines where it was done.", c.Flags.AuditLog)
	if elsewhere > 0 {
		src.AuditNote += fmt.Sprintf(" %s to other recipes.", say.Plural(elsewhere, "more act was", "more acts were"))
	}
	if damaged > 0 {
		src.AuditNote += fmt.Sprintf(" %s damaged and left out.", say.Plural(damaged, "line is", "lines are"))
	}
	return nil
}

// told follows the recipes that are asked for, or those whose claims waited longest.
func told(c *command.Line, src *report.Source, rec *files.Recording, paths []string, from, to time.Time) ([]*chronicle.Chronicle, error) {
	if len(paths) > 0 {
		all, err := chronicle.Several(rec.Reel(), paths, from, to, c.Hints())
		if err != nil {
			return nil, world.Failure{Code: world.ExitError, Err: err}
		}
		return all, nil
	}
	top, err := rank(c, rec.Reel(), from, to, ranked)
	if err != nil {
		return nil, err
	}
	src.Chosen = fmt.Sprintf("The recipes whose claims waited longest, elections last, %d of %d.", len(top.recipes), top.of)
	if top.of > rankedAmong {
		src.Chosen += fmt.Sprintf(" They were ranked among the %d most crowded: of the others nothing is told here.", rankedAmong)
	}
	return top.recipes, nil
}

// ranking is the recipes whose claims waited longest, and of how many.
type ranking struct {
	recipes []*chronicle.Chronicle
	of      int
}

// rank follows the most crowded recipes, and returns those whose claims waited longest.
func rank(c *command.Line, reel files.Reel, from, to time.Time, most int) (*ranking, error) {
	paths, of, err := chronicle.Crowd(reel, from, to, c.Hints(), rankedAmong)
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	all, err := chronicle.Several(reel, paths, from, to, c.Hints())
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	return &ranking{mostWaited(all, most), of}, nil
}

// mostWaited are those whose claims waited longest. Elections come after every other recipe in which somebody waited: a
// standby waits for as long as its leader is well, which is no trouble.
func mostWaited(all []*chronicle.Chronicle, most int) []*chronicle.Chronicle {
	all = slices.DeleteFunc(all, func(h *chronicle.Chronicle) bool { return !h.Kind.Waits() })
	rank := func(c *chronicle.Chronicle) int {
		switch {
		case report.Waited(c) == 0:
			return 2
		case c.Kind.Leads():
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *chronicle.Chronicle) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(report.Waited(b), report.Waited(a)), cmp.Compare(a.Path, b.Path))
	})
	return all[:min(len(all), most)]
}

// covers says what was read, and what that lacks.
func covers(c *command.Line, src *report.Source, cover *past.Cover, rec *files.Recording) {
	if cover == nil {
		src.Members = []report.Member{{Name: src.Name, Records: int64(rec.Len()), Begin: rec.TimeOf(0).UTC(), End: rec.TimeOf(rec.Len() - 1).UTC()}}
		src.Notes = rec.Warnings()
		if err := rec.Err(); err != nil {
			src.Notes = append(src.Notes, err.Error())
		}
		src.Notes = append(src.Notes, "A recording tells no zxids of changes and no epochs: how claims went is not in it.")
		return
	}
	for i := range cover.Members {
		src.Members = append(src.Members, member(cover.Members[i].Name, &cover.Members[i].Coverage))
	}
	if len(cover.Members) > 1 {
		src.Members = append(src.Members, member("all together", &cover.All))
	}
	for _, e := range cover.All.Epochs {
		src.Epochs = append(src.Epochs, report.Epoch{Number: e.Number, Zxid: fmt.Sprintf("0x%x", e.First.Zxid), At: e.First.Time()})
	}
	for _, h := range cover.All.Holes {
		src.Holes = append(src.Holes, chronicle.Span{From: h.After.Time(), To: h.Before.Time()})
	}
	src.Notes = cover.Notes()
}

func member(name string, c *txnlog.Coverage) report.Member {
	m := report.Member{Name: name, Records: c.Records, Epochs: len(c.Epochs), Holes: len(c.Holes)}
	if c.Records > 0 {
		m.First, m.Last = fmt.Sprintf("0x%x", c.First.Zxid), fmt.Sprintf("0x%x", c.Last.Zxid)
		m.Begin, m.End = c.First.Time(), c.Last.Time()
	}
	return m
}

// writeReport writes it to a new file, or to standard output.
func writeReport(c *command.Line, d *report.Document, file string) error {
	write := d.HTML
	if c.Flags.Output == "md" {
		write = d.Markdown
	}
	if file == "" || file == "-" {
		return write(c.Out)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return world.Fail(world.ExitError, "cannot write the report: %w; name a file that is not there yet", err)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return world.Fail(world.ExitError, "%s is not whole: %w", say.Printable(file), err)
	}
	fmt.Fprintf(c.Out, "wrote %s\n", say.Printable(file))
	return nil
}
