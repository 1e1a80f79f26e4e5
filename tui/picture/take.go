package picture

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/backend"
)

// Past is what a source showed before what it shows now, where it is a recording: what only history tells is known from
// there.
func Past(src backend.Source, h model.Hints) *waits.Waits {
	if p, ok := src.(backend.Player); ok {
		if before := p.Before(h); before != nil {
			return waits.Of(before, nil)
		}
	}
	return nil
}

// Next says that a newer picture was decoded.
type Next struct {
	Result *model.Result
	Waits  *waits.Waits
	States []waits.ServerState
	Events []story.Event
	Link   backend.Link
	Now    time.Time
	Hidden int          // recipes that are there and not shown
	Gen    int          // of the hints that it was read with
	Base   *waits.Waits // what it followed; nil: nothing that matters
	Jump   bool         // it does not follow from the one before: nothing in it is news
	Aside  bool         // nobody waits for the next one on its account
}

// Tick says that a second has passed.
type Tick struct {
	Link backend.Link
	Now  time.Time
}

// FrameGap is the least time between two pictures: under a storm of changes the screen moves ten times a
// second.
const FrameGap = 100 * time.Millisecond

// Await waits for something newer than prev, and decodes it. At most one such command runs at a time,
// so a slow screen holds the decoding back instead of piling pictures up.
func Await(ctx context.Context, src backend.Source, hints model.Hints, prev *waits.Waits, gen int, earliest time.Time) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, earliest) {
			return nil
		}
		due, stop := dueTimer(src, prev)
		defer stop()
		take := Take
		select {
		case <-ctx.Done():
			return nil
		case <-src.Changed():
		case <-due:
			take = takeLate
		}
		m := take(src, hints, prev)
		m.Gen, m.Base = gen, prev
		return m
	}
}

// judgeAgain is how long what is weighed by somebody's own limits may stand: a claim grows too old without any change.
const judgeAgain = 10 * time.Second

// dueTimer fires when the last result changes by itself; a source without changes of its own is a file, whose time
// stands still.
func dueTimer(src backend.Source, prev *waits.Waits) (<-chan time.Time, func()) {
	if prev == nil || src.Changed() == nil {
		return nil, func() {}
	}
	due := prev.Result.Due()
	if j, ok := src.(backend.Judge); ok && j.Judges() {
		if soon := src.Now().Add(judgeAgain); due.IsZero() || soon.Before(due) {
			due = soon
		}
	}
	if due.IsZero() || !prev.Result.Snapshot.LostSince.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(max(due.Sub(src.Now()), 0) + 50*time.Millisecond)
	return t.C, func() { t.Stop() }
}

// takeLate looks at the last picture as of now: none has come since.
func takeLate(src backend.Source, hints model.Hints, prev *waits.Waits) Next {
	snap, link := src.Take()
	return Decode(src, hints, prev, snap.UnchangedUntil(src.Now()), link)
}

// Take decodes the newest picture.
func Take(src backend.Source, hints model.Hints, prev *waits.Waits) Next {
	snap, link := src.Take()
	return Decode(src, hints, prev, snap, link)
}

// Decode decodes a picture that was taken; prev is what it follows.
func Decode(src backend.Source, hints model.Hints, prev *waits.Waits, snap *znode.Snapshot, link backend.Link) Next {
	var was *model.Result
	if prev != nil {
		was = prev.Result
	}
	res := inspect.Decode(snap, was, hints)
	ws := waits.Of(res, prev)
	shown, states := ws.WithDeadlocks(), []waits.ServerState(nil)
	if w, ok := src.(backend.Witness); ok {
		shown, states = shown.With(w.Extra()...), w.Servers()
		if ws.Suspects() || ws.Unsettled() {
			w.Refresh()
		}
	}
	all := shown.Models.Len()
	if j, ok := src.(backend.Judge); ok {
		shown = j.Judge(shown)
	}
	now := src.Now()
	if link.File { // it may have moved on
		now = snap.TakenAt
	}
	return Next{Hidden: all - shown.Models.Len(), Result: shown, Waits: ws, States: states, Events: story.Diff(was, res), Link: link, Now: now}
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

// TickEvery is how often the link is looked at.
const TickEvery = time.Second

// NextTick waits a second and looks at the link.
func NextTick(ctx context.Context, src backend.Source) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, time.Now().Add(TickEvery)) {
			return nil
		}
		_, link := src.Take()
		return Tick{link, src.Now()}
	}
}
