package monitor

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/program"
)

// hooks run a command for each event, one after another. A nil one runs nothing.
type hooks struct {
	line    string // for the shell
	env     []string
	err     io.Writer
	queue   chan EventReport
	done    chan struct{}
	cancel  context.CancelFunc
	dropped int
}

const (
	hooksWaiting = 1000             // events that may wait for the command
	hooksLinger  = 10 * time.Second // for how long those that wait are run after the watch has ended
)

// hooksOf begins to run a command; nil where there is none.
func hooksOf(c *command.Line, line string) *hooks {
	if line == "" {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &hooks{line: line, env: c.WithoutSecrets(os.Environ()), err: c.Err, queue: make(chan EventReport, hooksWaiting), done: make(chan struct{}), cancel: cancel}
	guard.Go(func() {
		defer close(h.done)
		for e := range h.queue {
			if ctx.Err() == nil {
				h.run(ctx, e)
			}
		}
	})
	return h
}

// add has the command run for an event. Where too many wait already, it is left out, and that is told at the end.
func (h *hooks) add(e EventReport) {
	if h == nil {
		return
	}
	select {
	case h.queue <- e:
	default:
		h.dropped++
	}
}

// end runs what waits, for a while, or ends at once what runs.
func (h *hooks) end(linger bool) {
	if h == nil {
		return
	}
	close(h.queue)
	if linger {
		late := time.AfterFunc(hooksLinger, h.cancel)
		defer late.Stop()
	} else {
		h.cancel()
	}
	<-h.done
	h.cancel()
	if h.dropped > 0 {
		fmt.Fprintf(h.err, "zkscope: --exec was not run for %s: the command was too slow\n", say.Plural(h.dropped, "event", "events"))
	}
}

// run runs the command once.
func (h *hooks) run(ctx context.Context, e EventReport) {
	shell, flag := "/bin/sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	p := program.Program{Args: []string{shell, flag, h.line}, Env: append(h.env, e.environment()...), Out: h.err, Err: h.err}
	if err := p.Run(ctx); err != nil {
		fmt.Fprintf(h.err, "zkscope: --exec failed for %s of %s: %s\n", e.What, e.Path, say.Printable(err.Error()))
	}
}

// environment is the event for a command.
func (e *EventReport) environment() []string {
	seconds := func(s *float64) string {
		if s == nil {
			return ""
		}
		return strconv.FormatFloat(*s, 'f', 3, 64)
	}
	return []string{"ZKSCOPE_AT=" + e.At, "ZKSCOPE_PATH=" + e.Path, "ZKSCOPE_KIND=" + string(e.Kind), "ZKSCOPE_WHAT=" + e.What, "ZKSCOPE_CLAIM=" + world.OrEmpty(e.Claim),
		"ZKSCOPE_OWNER=" + world.OrEmpty(e.Owner), "ZKSCOPE_SESSION=" + world.OrEmpty(e.Session), "ZKSCOPE_HELD=" + seconds(e.Held), "ZKSCOPE_WAITED=" + seconds(e.Waited),
		"ZKSCOPE_SEEN=" + strconv.FormatBool(e.Seen), "ZKSCOPE_TEXT=" + e.Text}
}
