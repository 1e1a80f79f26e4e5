package live

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/backend"
)

// Update is what is known of an ensemble at one time, and what happened since the update before.
type Update struct {
	Waits    *waits.Waits
	Result   *model.Result   // with every finding
	Findings []model.Finding // all of them, those of servers first
	Servers  []waits.ServerState
	Events   []story.Event
	Link     backend.Link
	Hidden   int // how many recipes Config.Judge left out of Result
}

// Follow hands on every update of an ensemble, gap apart at least, until ctx ends, each returns an error or the connection is
// given up for good, as where our password was changed: the error is returned then. Nothing is handed on before everything was read once. It runs each on the caller's goroutine.
func (s *Source) Follow(ctx context.Context, hints model.Hints, gap time.Duration, each func(Update) error) error {
	var prev *waits.Waits
	for {
		late, err := s.await(ctx, prev, gap)
		if err != nil {
			return nil
		}
		m := s.update(hints, prev, late)
		if m.Link.Err != nil {
			return m.Link.Err
		}
		if prev = m.Waits; !m.Result.Snapshot.Complete && m.Result.Snapshot.LostSince.IsZero() {
			continue
		}
		if err := each(m); err != nil {
			return err
		}
	}
}

// await waits for the next change; late says that nothing came but time.
func (s *Source) await(ctx context.Context, prev *waits.Waits, gap time.Duration) (late bool, err error) {
	pause := time.NewTimer(gap)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-pause.C:
	}
	var due <-chan time.Time
	if prev != nil && !prev.Result.Due().IsZero() && prev.Result.Snapshot.LostSince.IsZero() {
		t := time.NewTimer(max(prev.Result.Due().Sub(s.now()), 0) + 50*time.Millisecond)
		defer t.Stop()
		due = t.C
	}
	beat := time.NewTimer(time.Second) // a lost connection shows in the link alone
	defer beat.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-s.changed:
		return false, nil
	case <-due:
	case <-beat.C:
	}
	return true, nil
}

// update looks now.
func (s *Source) update(hints model.Hints, prev *waits.Waits, late bool) Update {
	snap, link := s.Take()
	if late && snap.LostSince.IsZero() {
		snap = snap.UnchangedUntil(s.now())
	}
	var was *model.Result
	if prev != nil {
		was = prev.Result
	}
	res := inspect.Decode(snap, was, hints)
	w := waits.Of(res, prev)
	m := Update{Waits: w, Servers: s.Servers(), Events: story.Diff(was, res), Link: link}
	whole := w.WithDeadlocks().With(s.Extra()...)
	m.Result = s.Judge(whole)
	m.Hidden = whole.Models.Len() - m.Result.Models.Len()
	m.Findings = append(m.Findings, m.Result.Findings...)
	for r := range m.Result.Models.All() {
		m.Findings = append(m.Findings, r.Findings...)
	}
	if w.Suspects() || w.Unsettled() {
		s.Refresh()
	}
	return m
}
