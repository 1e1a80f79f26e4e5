package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
)

// frameGap is the least time between two pictures: under a storm of changes the screen moves ten times a
// second.
const frameGap = 100 * time.Millisecond

// awaitView waits for something newer than prev, and decodes it. At most one such command runs at a time,
// so a slow screen holds the decoding back instead of piling pictures up.
func awaitView(ctx context.Context, src Source, hints inspect.Hints, prev *inspect.Result, earliest time.Time) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, earliest) {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-src.Changed():
		}
		return takeView(src, hints, prev)
	}
}

func takeView(src Source, hints inspect.Hints, prev *inspect.Result) viewMsg {
	snap, link := src.Take()
	res := inspect.Decode(snap, prev, hints)
	return viewMsg{res, inspect.Diff(prev, res), link, src.Now()}
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

// tick waits a second and looks at the link.
func tick(ctx context.Context, src Source) tea.Cmd {
	return func() tea.Msg {
		if !sleepUntil(ctx, time.Now().Add(time.Second)) {
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
