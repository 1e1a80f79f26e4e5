package live

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/mirror"
)

// watchOn follows the tree for a while after a look at it, and returns the last of what was decoded; nil where it could
// not be followed. Two looks alone do not show what came and went in between.
func (c Config) watchOn(ctx context.Context, res *model.Result, hints model.Hints, wait time.Duration) *model.Result {
	m, err := mirror.Start(ctx, c.Conn, c.Tree)
	if err != nil {
		return nil
	}
	defer m.Close()
	var over <-chan time.Time // from the first whole snapshot on
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-over:
			return res
		case <-m.Changed():
		}
		snap := *m.Snapshot()
		if !snap.LostSince.IsZero() || !snap.Gap.To.IsZero() {
			return nil
		}
		if !snap.Complete && len(snap.Partial) == 0 {
			continue
		}
		if over == nil {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			over = timer.C
		}
		was := res.Snapshot // what the servers told stands until they are asked again
		snap.Servers, snap.Sessions, snap.Watches, snap.AskedAt = was.Servers, was.Sessions, was.Watches, was.AskedAt
		snap.SessionsPartial, snap.WatchesPartial, snap.Ephemerals = was.SessionsPartial, was.WatchesPartial, was.Ephemerals
		res = inspect.Decode(&snap, res, hints)
	}
}
