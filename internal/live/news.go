package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/zkc"
)

// news puts what becomes of the console's connection into its log, and into events. Its methods may be called from any
// goroutine, take those of one connection, in order.
type news struct {
	now func() time.Time
	log *slog.Logger

	mu     sync.Mutex
	teller zkc.Narrator
	events []story.Event // never changed, only appended to
	count  int
}

// newsMost is how many events are kept.
const newsMost = 300

// take is told of every state. It runs on the connection's goroutine.
func (n *news) take(s zkc.State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, h := range n.teller.Tell(s) {
		level := slog.LevelInfo
		if h.Grave {
			level = slog.LevelWarn
		}
		n.log.Log(context.Background(), level, h.Text)
		switch h.What {
		case "connected", "cannot-connect", story.EventDisconnected:
			continue // nothing has happened yet, or the snapshot tells that it is old
		}
		n.events = append(n.events, story.Event{At: n.now(), Path: "/", What: h.What, Text: h.Text})
		n.count++
	}
	if extra := len(n.events) - newsMost; extra > 0 {
		n.events = append([]story.Event(nil), n.events[extra:]...)
	}
}

// told returns the last events, and how many there were in all.
func (n *news) told() ([]story.Event, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.events[:len(n.events):len(n.events)], n.count
}
