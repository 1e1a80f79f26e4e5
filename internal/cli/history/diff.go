package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/compare"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Exit codes of diff are those of diff(1).
const (
	exitDiffers   = 1
	exitUncertain = 2 // they could not be compared, or not whole
)

// Diff compares two pictures.
func Diff(c *command.Line) command.Subcommand {
	return command.Subcommand{Use: "diff A B", Short: "compare two moments, files, directories or ensembles: holders, leaders, claims, settings", Formats: command.TableOrJSON,
		Long: "A and B are each a snapshot, a recording, the data directory of a server (or of several, DIR,DIR), or servers. FILE@TIME is\n" +
			"how a recording or a directory stood then, as 03:12:00 (UTC), in full, or as -5m before the end; @TIME alone is of the file\n" +
			"that A names. Of two members' directories it also tells at which transaction they diverge. It exits 0 where nothing differs,\n" +
			"1 where something does, and 2 where that could not be found out, or 6 where servers could not be reached.",
		Example: "  zkscope diff night.jsonl@03:10:00 @03:12:00\n" +
			"  zkscope diff before.jsonl zk1:2181,zk2:2181\n" +
			"  zkscope diff zk1/data zk2/data -o json",
		Run: func(ctx context.Context, in command.Invocation) error {
			err := compareSides(ctx, c, in.Args[0], in.Args[1])
			var f world.Failure
			if errors.As(err, &f) && f.Code == world.ExitError && f.Err != nil {
				return world.Failure{Code: exitUncertain, Err: f.Err}
			}
			return err
		}}
}

// side is one of the two that are compared.
type side struct {
	name string // as the user gave it
	from string // a file or directories; empty: servers
	at   string
	res  *model.Result
}

// sideOf takes an argument apart. A file may have an @ in its name.
func sideOf(arg, before string) (side, error) {
	s := side{name: arg}
	if arg == "" {
		return s, world.Fail(world.ExitUsage, "an argument is empty: is a variable unset?")
	}
	if there(arg) {
		s.from = arg
		return s, nil
	}
	file, at, timed := cutLast(arg, "@")
	switch {
	case !timed:
		return s, nil
	case at == "":
		return s, world.Fail(world.ExitUsage, "%s: write the time behind the @, as 03:12:00", say.Printable(arg))
	case file == "" && before == "":
		return s, world.Fail(world.ExitUsage, "%s: the first names a file, as night.jsonl%s", say.Printable(arg), say.Printable(arg))
	case file == "":
		file = before
	case !there(file):
		return s, world.Fail(world.ExitUsage, "%s: %s is not there; servers show what is now, and take no time", say.Printable(arg), say.Printable(file))
	}
	s.name, s.from, s.at = file+"@"+at, file, at
	return s, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// there reports whether an argument names a file, or directories.
func there(arg string) bool {
	first, _, _ := strings.Cut(arg, ",")
	for _, name := range []string{arg, first} {
		if _, err := os.Stat(name); err == nil {
			return true
		}
	}
	return false
}

func compareSides(ctx context.Context, c *command.Line, first, second string) error {
	if c.Flags.From != "" || c.Flags.At != "" || c.Flags.Servers != "" {
		return world.Fail(world.ExitUsage, "diff takes what it compares as arguments, with a time as FILE@TIME: --from, --at and --servers do not go with it")
	}
	a, err := sideOf(first, "")
	if err != nil {
		return err
	}
	b, err := sideOf(second, a.from)
	if err != nil {
		return err
	}
	for _, s := range []*side{&a, &b} {
		if s.res, err = readSide(ctx, c, *s); err != nil {
			return err
		}
	}
	d := compare.Results(a.res, b.res)
	members, err := compareMembers(c, a, b)
	if err != nil {
		return world.Failure{Code: world.ExitError, Err: err}
	}
	if c.Flags.Output == "json" {
		if err := c.PrintJSON(diffReportOf(a, b, d, members)); err != nil {
			return err
		}
	} else {
		printDiff(c, a, b, d, members)
	}
	switch {
	case !d.Same() || members.differ():
		return world.Failure{Code: exitDiffers}
	case len(d.Unknown) > 0:
		return world.Fail(exitUncertain, "no difference is seen, and whether there is none is not known: %s", say.Printable(d.Unknown[0]))
	}
	return nil
}

// readSide reads one of the two.
func readSide(ctx context.Context, c *command.Line, s side) (*model.Result, error) {
	if s.from == "" {
		t, err := c.Target([]string{s.name}, false)
		if err != nil {
			return nil, err
		}
		conn, err := c.Connection(t)
		if err != nil {
			return nil, err
		}
		seen, err := look.Once(ctx, c, conn, look.Query{Target: t, Root: c.Flags.Root}, nil)
		if err != nil && !strings.Contains(s.name, ":") {
			return nil, world.Failure{Code: world.Code(err), Err: fmt.Errorf("%w; there is no file of the name %s either", err, say.Printable(s.name))}
		}
		if err != nil {
			return nil, err
		}
		return seen.Result, nil
	}
	return world.WhileReading(func() (*model.Result, error) {
		in := look.InputOf(c)
		in.From, in.At = s.from, s.at
		return in.Decoded(c.Hints())
	})
}

// memberDiff is how the logs of two members compare.
type memberDiff struct {
	*txnlog.Comparison
	a, b string
}

// differ reports whether they part, or one is behind.
func (m *memberDiff) differ() bool { return m != nil && (m.A != nil || m.B != nil) }

// compareMembers compares the logs of two members' directories; nil where the two are something else, or one of them at two times.
func compareMembers(c *command.Line, a, b side) (*memberDiff, error) {
	for _, s := range []side{a, b} {
		in := look.InputOf(c)
		if in.From = s.from; s.from == "" || s.at != "" || !in.Dirs() {
			return nil, nil
		}
	}
	return world.WhileReading(func() (*memberDiff, error) {
		var both [2]*txnlog.Member
		for i, s := range []side{a, b} {
			in := look.InputOf(c)
			in.From = s.from
			list, err := in.Members()
			if err != nil || len(list) != 1 {
				return nil, err
			}
			both[i] = list[0]
		}
		cmp, err := txnlog.Compare(both[0], both[1])
		if err != nil {
			return nil, err
		}
		return &memberDiff{cmp, a.name, b.name}, nil
	})
}

// lines tells how two members compare.
func (m *memberDiff) lines() (out []string) {
	if m.Same == 0 {
		return []string{"their logs have no transaction in common"}
	}
	out = append(out, fmt.Sprintf("both have %s, 0x%x to 0x%x", say.Plural(int(m.Same), "transaction", "transactions"), m.First.Zxid, m.Last.Zxid))
	for _, x := range []struct {
		n    int64
		name string
	}{{m.MissingA, m.a}, {m.MissingB, m.b}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%s missing in the logs of %s, which has a hole there or took them in with a snapshot", say.Plural(int(x.n), "transaction is", "transactions are"), x.name))
		}
	}
	switch {
	case m.A == nil && m.B == nil:
	case m.Behind && m.A != nil:
		out = append(out, fmt.Sprintf("%s goes on from %s, with %d more; %s ends before", m.a, foundText(m.A), m.OnlyA-1, m.b))
	case m.Behind:
		out = append(out, fmt.Sprintf("%s goes on from %s, with %d more; %s ends before", m.b, foundText(m.B), m.OnlyB-1, m.a))
	case m.A != nil && m.B != nil:
		out = append(out, fmt.Sprintf("they diverge at 0x%x: %s has %s, %s has %s under the same number: they are not of one ensemble, or one was set up again",
			m.A.Zxid, m.a, foundText(m.A), m.b, foundText(m.B)))
	case m.A != nil:
		out = append(out, divergence(m.A, m.a, m.b))
	default:
		out = append(out, divergence(m.B, m.b, m.a))
	}
	return out
}

func divergence(f *txnlog.Found, has, lacks string) string {
	return fmt.Sprintf("they diverge at 0x%x: %s has %s, and %s went on under another leader without it: the ensemble may never have committed it", f.Zxid, has, foundText(f), lacks)
}

func foundText(f *txnlog.Found) string {
	return fmt.Sprintf("0x%x of session 0x%x at %s (%s:%d)", f.Zxid, uint64(f.Session), f.Time().Format("2006-01-02T15:04:05.000Z"), f.File, f.Offset)
}

// asOfText says of when a side is.
func (s side) asOfText() string {
	kind := "servers"
	if s.from != "" {
		kind = "file"
		if st, err := os.Stat(s.from); err != nil || st.IsDir() {
			kind = "directory"
		}
	}
	return fmt.Sprintf("%s, %s, as of %s", s.name, kind, s.res.Snapshot.TakenAt.UTC().Format(time.RFC3339Nano))
}
