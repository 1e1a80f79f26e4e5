package recipes

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
)

// DelayQueue hands items to consumers when they are due, by the clock of the consumer. What is said of Queue
// holds for it too; it lists anew for each take.
//
// Protocol: Curator's DistributedDelayQueue; the recipe documents have none, and no other dialect is written.
type DelayQueue struct{ q *queue }

// DelayQueue returns the delay queue at a path. It does no I/O.
func (s *Session) DelayQueue(path string, o QueueOptions) DelayQueue {
	return DelayQueue{s.newQueue(layout.DelayQueue, path, o)}
}

// Put adds an item that is due at a time, to the millisecond.
func (q DelayQueue) Put(ctx context.Context, due time.Time, data []byte) error {
	return q.q.put(ctx, due.UnixMilli(), data)
}

// Take waits until an item is due, and marks it as ours; see Queue.Take.
func (q DelayQueue) Take(ctx context.Context) (*Item, error) { return q.q.take(ctx) }

// Peek returns the item that is due first and that nobody works on, due or not; nil when there is none.
func (q DelayQueue) Peek(ctx context.Context) (*Item, error) { return q.q.peek(ctx) }
