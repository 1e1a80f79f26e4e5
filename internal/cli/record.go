package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/mirror"
)

// recordCommand writes what happens below a path to a file, until it is ended.
func (c *command) recordCommand() *cobra.Command {
	var file string
	var last time.Duration
	cmd := &cobra.Command{Use: "record [SERVERS] --file FILE", Short: "write what happens to a file that replay opens, until interrupted", Args: between(0, 1, "[SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if file == "" {
				return fail(exitUsage, "record takes --file FILE: it must not exist yet")
			}
			t, err := c.target(args, false)
			if err != nil {
				return err
			}
			if last > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, last)
				defer cancel()
			}
			if c.flags.from != "" {
				return c.recordPast(ctx, file)
			}
			return c.record(ctx, t, file)
		})}
	cmd.Flags().StringVar(&file, "file", "", "the file to write, which must not exist yet (- for standard output); packed where it ends in .zst or .gz")
	cmd.Flags().DurationVar(&last, "for", 0, "end after this time; 0: only when interrupted")
	return cmd
}

func (c *command) record(ctx context.Context, t target, file string) error {
	cfg, err := c.config(t)
	if err != nil {
		return err
	}
	if err := c.probe(ctx, cfg, false); err != nil {
		return err
	}
	m, err := mirror.Start(ctx, cfg, c.mirrorOptions(c.flags.root))
	if err != nil {
		return connectError(err)
	}
	defer m.Close()
	f, err := c.recordTo(file)
	if err != nil {
		return fail(exitError, "cannot record: %w; name a file that is not there yet", err)
	}
	defer f.Close()
	var rec *files.Recorder
	var lost time.Time
	for {
		select {
		case <-ctx.Done():
			c.recorded(file, rec)
			return f.Close()
		case <-m.Changed():
		}
		snap := m.Snapshot()
		lost = c.tellOutage(lost, snap.LostSince)
		if rec == nil && !snap.Complete && len(snap.Partial) == 0 {
			continue // the first reading is under way
		}
		if rec == nil {
			rec, err = files.NewRecorder(f, snap)
		} else {
			err = rec.Add(snap)
		}
		if err != nil {
			return fail(exitError, "the recording ends here: %w", err)
		}
	}
}

// recordTo opens what a recording is written to.
func (c *command) recordTo(file string) (io.WriteCloser, error) {
	if file == "-" {
		return unclosed{c.Out}, nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return pack(file, f)
}

// recordPast writes a history, of members' directories or of another recording, as a recording.
func (c *command) recordPast(ctx context.Context, file string) error {
	from, err := c.openFrom()
	if err != nil {
		return err
	}
	f, err := c.recordTo(file)
	if err != nil {
		return fail(exitError, "cannot record: %w; name a file that is not there yet", err)
	}
	defer f.Close()
	tape := from.Reel().Tape()
	if t, ok := tape.(io.Closer); ok {
		defer t.Close()
	}
	rec, err := files.NewRecorder(f, tape.Snapshot())
	for err == nil && ctx.Err() == nil {
		if err = tape.Next(); err == nil {
			err = rec.Add(tape.Snapshot())
		}
	}
	if !errors.Is(err, io.EOF) && err != nil {
		return fail(exitError, "the recording ends here: %w", err)
	}
	c.recorded(file, rec)
	return f.Close()
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// recorded says what was recorded, and what to do with it.
func (c *command) recorded(file string, rec *files.Recorder) {
	if file == "-" {
		fmt.Fprintf(c.Err, "zkscope: recorded %s\n", states(rec))
		return
	}
	fmt.Fprintf(c.Out, "recorded %s to %s; zkscope replay %s steps through them\n", states(rec), say.Printable(file), shellWord(file))
}

// tellOutage says when the connection is lost and when it is back: what happens in between is not recorded.
func (c *command) tellOutage(was, is time.Time) time.Time {
	switch now := c.Now(); {
	case was.IsZero() && !is.IsZero():
		fmt.Fprintf(c.Err, "zkscope: %s the connection is lost: what happens now is not recorded\n", now.Format("15:04:05"))
	case !was.IsZero() && is.IsZero():
		fmt.Fprintf(c.Err, "zkscope: %s connected again, after %s\n", now.Format("15:04:05"), say.Age(now.Sub(was)))
	}
	return is
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

// replayCommand opens a recording in the console.
func (c *command) replayCommand() *cobra.Command {
	return &cobra.Command{Use: "replay FILE", Short: "open a recording or a snapshot in the console and step through it", Args: between(1, 1, "FILE, a recording or a snapshot"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.needTerminal(); err != nil {
				return err
			}
			c.flags.from = args[0]
			return c.consoleFile(ctx, true)
		})}
}
