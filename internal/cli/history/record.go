package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/mirror"
)

// recordGap is how long changes are gathered before they are written: what is recorded is to tell the times of a server's own
// log, but for that and the way.
const recordGap = 25 * time.Millisecond

// Record writes what happens below a path to a file, until it is ended.
func Record(c *command.Line) command.Subcommand {
	var file string
	var last time.Duration
	var r spanFlags
	var hide redacting
	return command.Subcommand{Use: "record [SERVERS] --file FILE", GoesOn: true, Short: "write what happens to a file that replay opens, until interrupted", Args: command.Taking("[SERVERS]"),
		Long: "From servers it records what happens from now on. With --from it makes a recording of a history, of the data directories\n" +
			"of members or of another recording, or of the part of it that --since and --until say.\n\n" + redactHelp + "\n" +
			"A name is known from when its participant is seen: what was written before keeps it, unless data is taken out too.",
		Example: "  zkscope record zk1:2181 --file night.jsonl.zst --for 8h\n" +
			"  zkscope record --from /var/lib/zookeeper --since 03:00 --until 03:30 --file night.jsonl.zst",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&file, "file", "", "the file to write, which must not exist yet (- for standard output); packed where it ends in .zst or .gz")
			r.declare(fs)
			hide.declare(fs)
			fs.DurationVar(&last, "for", 0, "end after this time; 0: only when interrupted")
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			if file == "" {
				return world.Fail(world.ExitUsage, "record takes --file FILE: it must not exist yet")
			}
			if err := hide.check(); err != nil {
				return err
			}
			t, err := c.Target(in.Args, false)
			if err != nil {
				return err
			}
			if err := r.check(in); err != nil {
				return err
			}
			if r.given() && c.Flags.From == "" {
				return world.Fail(world.ExitUsage, "servers are recorded from now on: --since and --until go with --from, and --for says how long")
			}
			if last > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, last)
				defer cancel()
			}
			if c.Flags.From != "" {
				redacted := hide.with(c.Hints())
				return recordPast(ctx, c, file, r, func(s *znode.Snapshot) *znode.Snapshot { return redacted(look.Rooted(s, c.Flags.Root)) })
			}
			return recordLive(ctx, c, t, file, hide.with(c.Hints()))
		}}
}

func recordLive(ctx context.Context, c *command.Line, t command.Target, file string, redacted func(*znode.Snapshot) *znode.Snapshot) error {
	conn, err := c.Connection(t)
	if err != nil {
		return err
	}
	if err := look.Probe(ctx, c, conn, false); err != nil {
		return err
	}
	from := look.LiveConfig(c, conn, look.Query{Root: c.Flags.Root})
	from.Tree.Gap = recordGap
	m, err := mirror.Start(ctx, from.Conn, from.Tree)
	if err != nil {
		return look.ConnectError(err)
	}
	defer m.Close()
	f, err := recordTo(file, c.Out)
	if err != nil {
		return world.Fail(world.ExitError, "cannot record: %w; name a file that is not there yet", err)
	}
	defer f.Close()
	var rec *files.Recorder
	outage := look.Outage{Meanwhile: "what happens now is not recorded", Clocked: true}
	for {
		select {
		case <-ctx.Done():
			sayRecorded(c, file, rec)
			return f.Close()
		case <-m.Changed():
		}
		snap, st := m.Snapshot(), m.Status()
		if outage.Tell(c.Err, c.Now(), !snap.LostSince.IsZero(), causeOf(st)); st.Err != nil {
			sayRecorded(c, file, rec)
			return look.ConnectError(st.Err)
		}
		if rec == nil && !snap.Complete && len(snap.Partial) == 0 {
			continue // the first reading is under way
		}
		if rec == nil {
			rec, err = files.NewRecorder(f, redacted(snap))
		} else {
			err = rec.Add(redacted(snap))
		}
		if err != nil {
			return world.Fail(world.ExitError, "the recording ends here: %w", err)
		}
	}
}

// recordTo opens what a recording is written to.
func recordTo(file string, stdout io.Writer) (io.WriteCloser, error) {
	if file == "-" {
		return unclosed{stdout}, nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return look.Pack(file, f)
}

// recordPast writes a history, of members' directories or of another recording, as a recording.
func recordPast(ctx context.Context, c *command.Line, file string, r spanFlags, redacted func(*znode.Snapshot) *znode.Snapshot) error {
	from, err := world.WhileReading(look.InputOf(c).Open)
	if err != nil {
		return err
	}
	since, until, err := span(from, r.since, r.until)
	if err != nil {
		return err
	}
	f, err := recordTo(file, c.Out)
	if err != nil {
		return world.Fail(world.ExitError, "cannot record: %w; name a file that is not there yet", err)
	}
	defer f.Close()
	tape := from.Reel().Tape()
	if t, ok := tape.(io.Closer); ok {
		defer t.Close()
	}
	for ahead := tape.Ahead(); err == nil && !ahead.IsZero() && !ahead.After(since); ahead = tape.Ahead() {
		err = tape.Next() // what only leads to the beginning
	}
	if err != nil {
		return world.Fail(world.ExitError, "nothing is recorded: %w", err)
	}
	rec, err := files.NewRecorder(f, redacted(tape.Snapshot()))
	for err == nil && ctx.Err() == nil {
		if ahead := tape.Ahead(); !until.IsZero() && ahead.After(until) {
			break
		}
		if err = tape.Next(); err == nil {
			err = rec.Add(redacted(tape.Snapshot()))
		}
	}
	if !errors.Is(err, io.EOF) && err != nil {
		return world.Fail(world.ExitError, "the recording ends here: %w", err)
	}
	sayRecorded(c, file, rec)
	return f.Close()
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// sayRecorded says what was recorded, and what to do with it.
func sayRecorded(c *command.Line, file string, rec *files.Recorder) {
	if file == "-" {
		fmt.Fprintf(c.Err, "zkscope: recorded %s\n", states(rec))
		return
	}
	fmt.Fprintf(c.Out, "recorded %s to %s; zkscope replay %s opens it\n", states(rec), say.Printable(file), world.ShellWord(file))
}

// causeOf is what the last attempt to connect came to.
func causeOf(st mirror.Status) string {
	if st.State.Err == nil {
		return ""
	}
	return st.State.Err.Error()
}

// states counts what replay steps through.
func states(rec *files.Recorder) string {
	switch {
	case rec == nil:
		return "nothing"
	case rec.States() == 1:
		return "1 state"
	}
	return fmt.Sprintf("%d states", rec.States())
}
