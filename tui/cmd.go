package tui

import (
	"context"
	"os"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// frameGap is the least time between two pictures: under a storm of changes the screen moves ten times a
// second.
const frameGap = 100 * time.Millisecond

// awaitView waits for something newer than prev, and decodes it. At most one such command runs at a time,
// so a slow screen holds the decoding back instead of piling pictures up.
func awaitView(ctx context.Context, src Source, hints model.Hints, prev *waits.Waits, gen int, earliest time.Time) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, earliest) {
			return nil
		}
		due, stop := dueTimer(src, prev)
		defer stop()
		take := takeView
		select {
		case <-ctx.Done():
			return nil
		case <-src.Changed():
		case <-due:
			take = takeLate
		}
		m := take(src, hints, prev)
		m.gen, m.base = gen, prev
		return m
	}
}

// dueTimer fires when the last result changes by itself; a source without changes of its own is a file, whose time
// stands still.
func dueTimer(src Source, prev *waits.Waits) (<-chan time.Time, func()) {
	if prev == nil || src.Changed() == nil {
		return nil, func() {}
	}
	due := prev.Result.Due()
	if due.IsZero() || !prev.Result.Snapshot.LostSince.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(max(due.Sub(src.Now()), 0) + 50*time.Millisecond)
	return t.C, func() { t.Stop() }
}

// takeLate looks at the last picture as of now: none has come since.
func takeLate(src Source, hints model.Hints, prev *waits.Waits) viewMsg {
	snap, link := src.Take()
	if now := src.Now(); snap.TakenAt.Before(now) {
		c := *snap
		c.TakenAt, snap = now, &c
	}
	return viewOf(src, hints, prev, snap, link)
}

// takeView decodes the newest picture.
func takeView(src Source, hints model.Hints, prev *waits.Waits) viewMsg {
	snap, link := src.Take()
	return viewOf(src, hints, prev, snap, link)
}

func viewOf(src Source, hints model.Hints, prev *waits.Waits, snap *znode.Snapshot, link Link) viewMsg {
	var was *model.Result
	if prev != nil {
		was = prev.Result
	}
	res := inspect.Decode(snap, was, hints)
	ws := waits.Weigh(res, prev)
	shown, states := ws.Weighed(), []waits.ServerState(nil)
	if w, ok := src.(Witness); ok {
		shown, states = shown.With(w.Extra()...), w.Servers()
		if suspects(ws) || ws.Unsettled() {
			w.Refresh()
		}
	}
	return viewMsg{res: shown, waits: ws, states: states, events: story.Diff(was, res), link: link, now: src.Now()}
}

// suspects reports whether there may be a deadlock that nothing proves yet: the sooner the members are asked the better.
func suspects(w *waits.Waits) bool {
	for i := range w.Cycles {
		if w.Cycles[i].Proof == model.Likely && w.Cycles[i].Severity > model.Low {
			return true
		}
	}
	return false
}

// sleepUntil returns false when ctx ended first.
func sleepUntil(ctx context.Context, at time.Time) bool {
	wait := time.Until(at)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// tickEvery is how often the link is looked at.
const tickEvery = time.Second

// tick waits a second and looks at the link.
func tick(ctx context.Context, src Source) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, time.Now().Add(tickEvery)) {
			return nil
		}
		_, link := src.Take()
		return clockMsg{link, src.Now()}
	}
}

// apply carries out a plan.
func apply(ctx context.Context, op Operator, p actions.Plan) tea.Cmd {
	return func() tea.Msg { return resultMsg{op.Apply(ctx, p)} }
}

// save writes the shown picture to a file that is not there yet; to one named by the time where none is given.
func (a *App) save(file string) tea.Cmd {
	if file == "" {
		file = "zkscope-" + a.asOf().UTC().Format("20060102-150405") + ".jsonl"
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.opts.SaveDir, file)
	}
	if abs, err := filepath.Abs(file); err == nil { // so that what is said of it leads there from anywhere
		file = abs
	}
	snap := a.res.Snapshot
	return func() tea.Msg { return savedMsg{file, writeNew(file, snap)} }
}

func writeNew(file string, snap *znode.Snapshot) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = files.WriteSnapshot(f, snap)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(file) // half a picture is worse than none
	}
	return err
}

func (a *App) onSaved(m savedMsg) {
	if m.err != nil {
		a.say("not written: "+term.Safe(m.err.Error()), paint.Alert)
		return
	}
	a.say("wrote "+term.Safe(m.file)+"; zkscope --from FILE opens it", paint.Good)
}
