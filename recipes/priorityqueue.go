package recipes

import (
	"context"

	"github.com/zkscope/zkscope/inspect/layout"
)

// PriorityQueue hands items to consumers by priority, lower numbers first, and within one by arrival. What is
// said of Queue holds for it too; it lists anew for each take, as the recipe documents demand.
//
// Protocol: the recipe documents' priority queue (queue-YY and a number; priorities 0 to 99), Curator's
// DistributedPriorityQueue (any int32), kazoo's LockingQueue (0 to 999).
type PriorityQueue struct{ q *queue }

// PriorityQueue returns the priority queue at a path. It does no I/O.
func (s *Session) PriorityQueue(path string, o QueueOptions) PriorityQueue {
	return PriorityQueue{s.newQueue(layout.PriorityQueue, path, o)}
}

// Put adds an item. A priority that the dialect cannot write is an error.
func (q PriorityQueue) Put(ctx context.Context, priority int64, data []byte) error {
	return q.q.put(ctx, priority, data)
}

// Take is Queue.Take.
func (q PriorityQueue) Take(ctx context.Context) (*Item, error) { return q.q.take(ctx) }

// Peek is Queue.Peek.
func (q PriorityQueue) Peek(ctx context.Context) (*Item, error) { return q.q.peek(ctx) }
