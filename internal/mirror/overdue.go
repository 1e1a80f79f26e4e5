package mirror

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// patience is how long an answer may take until what is shown counts as old: as long as the connection may be silent. Pings
// may be answered all the while.
func (w *owner) patience() time.Duration { return w.state.Timeout * 2 / 3 }

// overdue marks the snapshot as old while a read waits for its answer for too long, as of when that was asked for.
func (w *owner) overdue(now time.Time) {
	late := w.state.Phase == zkc.Connected && w.loaded && len(w.flights) > 0 && now.Sub(w.flights[0].sent) >= w.patience()
	switch {
	case late && w.lost.IsZero():
		w.lost, w.late = w.flights[0].sent, true
		w.publishNow(now)
	case w.late && !late && w.state.Phase == zkc.Connected && w.load == nil:
		w.gap = znode.Gap{From: w.lost}
		w.lost, w.late = time.Time{}, false
		w.publishNow(now)
	}
}

// landed takes a batch off those that are on their way.
func (w *owner) landed(b *batch) {
	w.flights = slices.DeleteFunc(w.flights, func(f *batch) bool { return f == b })
}
