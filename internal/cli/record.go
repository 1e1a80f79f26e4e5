package cli

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/tui"
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
			return c.record(ctx, t, file)
		})}
	cmd.Flags().StringVar(&file, "file", "", "the file to write; it must not exist yet")
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
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fail(exitError, "cannot record: %w; name a file that is not there yet", err)
	}
	defer f.Close()
	var rec *inspect.Recorder
	var lost time.Time
	for {
		select {
		case <-ctx.Done():
			fmt.Fprintf(c.Out, "recorded %s to %s; zkscope replay %s steps through them\n", states(rec), inspect.Printable(file), inspect.Printable(file))
			return f.Close()
		case <-m.Changed():
		}
		snap := m.Snapshot()
		lost = c.tellOutage(lost, snap.LostSince)
		if rec == nil && !snap.Complete && len(snap.Partial) == 0 {
			continue // the first reading is under way
		}
		if rec == nil {
			rec, err = inspect.NewRecorder(f, snap)
		} else {
			err = rec.Add(snap)
		}
		if err != nil {
			return fail(exitError, "the recording ends here: %w", err)
		}
	}
}

// tellOutage says when the connection is lost and when it is back: what happens in between is not recorded.
func (c *command) tellOutage(was, is time.Time) time.Time {
	switch now := c.Now(); {
	case was.IsZero() && !is.IsZero():
		fmt.Fprintf(c.Err, "zkscope: %s the connection is lost: what happens now is not recorded\n", now.Format("15:04:05"))
	case !was.IsZero() && is.IsZero():
		fmt.Fprintf(c.Err, "zkscope: %s connected again, after %s\n", now.Format("15:04:05"), inspect.Age(now.Sub(was)))
	}
	return is
}

// states counts what replay steps through.
func states(rec *inspect.Recorder) string {
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

// player plays a recording to the console.
type player struct {
	mu   sync.Mutex
	rec  *inspect.Recording
	at   int
	name string
}

func (p *player) Changed() <-chan struct{} { return nil }

func (p *player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rec.TimeOf(p.at)
}

func (p *player) Take() (*inspect.Snapshot, tui.Link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rec.At(p.at), tui.Link{Ensemble: p.name, File: true, ReadOnly: true}
}

// Before is what the moment before the one that is shown was decoded to; nil at the first.
func (p *player) Before(h inspect.Hints) *inspect.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == 0 {
		return nil
	}
	return p.rec.Decoded(p.rec.Moment(p.at, -1), h)
}

// Move goes on by so many moments, or back.
func (p *player) Move(by int) (gone int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	step := 1
	if by < 0 {
		step = -1
	}
	for ; gone != by; gone += step {
		to := p.rec.Moment(p.at, step)
		if to == p.at {
			break
		}
		p.at = to
	}
	return gone
}

// Where is the state that is shown, and how many there are.
func (p *player) Where() (at, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at, p.rec.Len()
}
