package recipes

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Queue hands items to consumers in the order in which they were put. While several take at once, which a consumer
// notices when another is faster, it takes one of the first eight that are free: so many later items at most may be taken
// before an item by each of them.
//
// An item in work is marked by an ephemeral znode of its name, and stays in the queue until its consumer says
// Done. When the consumer dies, the mark goes with its session and the item is taken again: every item is
// handed out at least once, and by the consumers of this package to one at a time. Consumers that know no marks
// (Curator's without a lock path, ZooKeeper's DistributedQueue) take marked items too: do not mix them. A Put
// whose reply is lost reports ErrUnknown, because names of items hold no id: the item may be there or not.
//
// Protocol: the recipe documents' queue (queue- and a number, persistent), with marks beside it; in
// Curator's dialect DistributedQueue, with marks in its lock path; in Kazoo's LockingQueue. The
// queue's directory is persistent, that of the marks is not. A put wakes every consumer that waits, as the documents have it.
//
// Requests: one to put; to take two lists, unless an earlier list is not used up, one multi and one batch read, and
// another batch read while others take too; a watch over the mark; one multi when done. An empty queue costs four lists until it waits.
type Queue struct{ q *queue }

// QueueOptions say how items are written.
type QueueOptions struct {
	Dialect Dialect // Optional; default ZooKeeper, where the documents have the queue, else Curator
	Name    string  // Optional; who we are, written to the marks of the items that we take

	// Marks is the directory of marks. Optional; default: the queue's path and -locks. It must be the lock path
	// that Curator's consumers of the queue were given. Kazoo's is always the queue's child taken.
	Marks string

	// ACL is optional: who may do what with the items, marks and directories that are made. Consumers delete items, so
	// they must be allowed to in the directory. Default: the session's.
	ACL ACL
}

// Queue returns the queue at a path. It does no I/O. It remembers a list, and its copies the same.
func (s *Session) Queue(path string, o QueueOptions) Queue {
	return Queue{s.newQueue(layout.Queue, path, o)}
}

// Put appends an item.
func (q Queue) Put(ctx context.Context, data []byte) error { return q.q.put(ctx, 0, data) }

// Take waits for an item that nobody works on, and marks it as ours. The caller ends with Done or Return.
func (q Queue) Take(ctx context.Context) (*Item, error) { return q.q.take(ctx) }

// Peek returns the first item that nobody works on, without taking it; nil when there is none.
func (q Queue) Peek(ctx context.Context) (*Item, error) { return q.q.peek(ctx) }

// queue is what the three kinds of queues share.
type queue struct {
	s            *Session
	kind         layout.Kind
	path         string
	items, marks string
	sp           itemSpelling
	name         string
	acl          []wire.ACL
	err          error // the dialect cannot be written

	mu     sync.Mutex
	list   []entry // of an earlier list, not tried yet; only Queue uses it up
	listed time.Time
	crowd  crowd
}

// listFor is how long a list is used: items that were returned since are behind their places for so long.
const listFor = 250 * time.Millisecond

// refuse tells why nothing can be done with the queue: it is a zero value, or its dialect cannot be written.
func (q *queue) refuse(op string) error {
	switch {
	case q == nil:
		return &Error{op, "", meaning{ErrLost, errNoSession}}
	case q.err != nil:
		return &Error{op, q.path, q.err}
	}
	return nil
}

// forget drops the list that was not used up.
func (q *queue) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = nil
}

func (s *Session) newQueue(k layout.Kind, path string, o QueueOptions) *queue {
	q := &queue{s: s, kind: k, path: path, items: path, marks: o.Marks, name: o.Name, acl: s.acl(o.ACL)}
	if q.marks == "" {
		q.marks = path + "-locks"
	}
	q.sp, q.err = spellingOf(k, o.Dialect)
	if st := q.sp.store; st.Items != "" {
		q.items, q.marks = join(path, st.Items), join(path, st.Marks)
	}
	return q
}

func (q *queue) put(ctx context.Context, key int64, data []byte) error {
	if err := q.refuse("put"); err != nil {
		return err
	}
	prefix, err := q.sp.prefix(key)
	if err != nil {
		return &Error{"put", q.path, err}
	}
	if q.sp.store.Framed {
		data = pack(data)
	}
	for {
		_, err := q.s.link().Create(ctx, join(q.items, prefix), data, wire.FlagSequence, q.acl)
		if !errors.Is(err, zkc.ErrNoNode) {
			return q.s.fail("put", q.path, err)
		}
		if _, err := q.s.makeDir(ctx, q.items, true, q.acl); err != nil {
			return q.s.fail("put", q.path, err)
		}
	}
}

func (q *queue) take(ctx context.Context) (*Item, error) {
	if err := q.refuse("take"); err != nil {
		return nil, err
	}
	bound, stop := q.s.within(ctx)
	defer stop()
	for {
		e, found, err := q.next(bound)
		if err == nil && !found {
			err = q.awaitItem(bound)
			found = false
		}
		var item *Item
		if err == nil && found {
			item, err = q.claim(bound, e)
		}
		if err != nil {
			return nil, q.s.fail("take", q.path, err)
		}
		if item != nil {
			return item, nil
		}
		if found {
			q.met()
		}
	}
}

func (q *queue) peek(ctx context.Context) (*Item, error) {
	if err := q.refuse("peek"); err != nil {
		return nil, err
	}
	for {
		free, err := q.free(ctx)
		if err != nil || len(free) == 0 {
			return nil, q.s.fail("peek", q.path, err)
		}
		data, _, err := q.s.link().Get(ctx, join(q.items, free[0].name))
		if errors.Is(err, zkc.ErrNoNode) {
			continue
		}
		if err != nil {
			return nil, q.s.fail("peek", q.path, err)
		}
		return q.item(free[0], data), nil
	}
}

// next returns the first item to try: from the list of an earlier time where order of arrival is all that
// counts, else from a fresh one.
func (q *queue) next(ctx context.Context) (e entry, found bool, err error) {
	if q.kind.ByPriority() || q.kind.FallDue() {
		free, err := q.free(ctx)
		if err != nil || len(free) == 0 || !free[0].ripe(time.Now()) {
			return entry{}, false, err
		}
		return free[0], true, nil
	}
	if err := q.sift(ctx); err != nil {
		return entry{}, false, err
	}
	if e, ok := q.pop(); ok {
		return e, true, nil
	}
	listed := time.Now()
	free, err := q.free(ctx)
	if err != nil {
		return entry{}, false, err
	}
	q.mu.Lock()
	q.list, q.listed = free, listed
	q.mu.Unlock()
	e, found = q.pop()
	return e, found, nil
}

// free lists the items that nobody works on, in the order of service.
func (q *queue) free(ctx context.Context) ([]entry, error) {
	items, err := q.s.children(ctx, q.items)
	if err != nil {
		return nil, err
	}
	marks, err := q.s.children(ctx, q.marks)
	return q.unmarked(items, marks), err
}

func (q *queue) unmarked(items, marks []string) []entry {
	taken := make(map[string]bool, len(marks))
	for _, n := range marks {
		taken[n] = true
	}
	var out []entry
	for _, n := range items {
		if e, ok := q.sp.entry(n); ok && !taken[n] {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, q.sp.compare)
	return out
}

// awaitItem returns when there may be an item to take: one came, a mark went, or one is due.
func (q *queue) awaitItem(ctx context.Context) error {
	items, err := q.s.watchChildren(ctx, q.items)
	if err != nil {
		return err
	}
	defer items.cancel()
	marks, err := q.s.watchChildren(ctx, q.marks)
	if err != nil {
		return err
	}
	defer marks.cancel()
	free := q.unmarked(items.Children, marks.Children)
	due := make(<-chan time.Time)
	if len(free) > 0 {
		wait := free[0].due(time.Now())
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-items.C:
	case <-marks.C:
	case <-due:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// claim marks an item and reads it; nil when somebody else was faster.
func (q *queue) claim(ctx context.Context, e entry) (*Item, error) {
	t := &ticket{s: q.s, dir: q.marks, prefix: e.name, data: []byte(q.name), fixed: true, shared: true, acl: q.acl}
	if q.sp.store.Items != "" && q.name == "" {
		t.data = []byte(hexID()) // kazoo's consumers have ids
	}
	item, err := q.claimWith(ctx, t, e)
	if item == nil || err != nil {
		_ = t.leave(ctx)
		return nil, err
	}
	return item, nil
}

func (q *queue) claimWith(ctx context.Context, t *ticket, e entry) (*Item, error) {
	ours, err := q.mark(ctx, t, e.name)
	if err != nil || !ours {
		return nil, err
	}
	got, err := q.s.link().values(ctx, []string{join(q.items, e.name), t.path()})
	switch {
	case err != nil:
		return nil, err
	case got[1].Code != wire.OK || got[1].Stat.EphemeralOwner != int64(q.s.ID()):
		t.name, t.unsure, t.made = "", false, nil
		return nil, nil // the mark is gone
	case got[0].Code != wire.OK:
		t.stat = got[1].Stat
		return nil, got[0].Err()
	}
	t.stat = got[1].Stat
	item := q.item(e, got[0].Data)
	item.mark, err = t.grant("", nil)
	return item, err
}

// mark makes the mark of an item that is there, in one step. ours is false when it is marked or gone.
func (q *queue) mark(ctx context.Context, t *ticket, name string) (ours bool, err error) {
	mark := join(q.marks, name)
	for {
		done, err := q.s.link().Multi(ctx, zkc.CheckOf(join(q.items, name), zkc.AnyVersion), createOf(mark, t.data, wire.FlagEphemeral, q.acl))
		switch {
		case err == nil:
			t.name = name
			q.s.own(t)
			return true, nil
		case errors.Is(err, zkc.ErrUnknownOutcome):
			t.unsure = true
			if found, err := t.find(ctx); found || err != nil {
				return found, err
			}
		case errors.Is(err, zkc.ErrNodeExists):
			return false, nil
		case errors.Is(err, zkc.ErrNoNode) && done[0].Code == wire.ErrNoNode:
			return false, nil
		case errors.Is(err, zkc.ErrNoNode):
			made, err := q.s.makeDir(ctx, q.marks, q.sp.row.Kept, q.acl)
			if t.made = append(t.made, made...); err != nil {
				return false, err
			}
		default:
			return false, err
		}
	}
}

func (q *queue) item(e entry, data []byte) *Item {
	i := &Item{Name: e.name, Data: data, q: q}
	switch {
	case q.kind.ByPriority():
		i.Priority = e.key
	case q.kind.FallDue():
		i.Due = time.UnixMilli(e.key)
	}
	if all, ok := unpack(data); ok && q.sp.store.Framed {
		i.Data, i.More = all[0], all[1:]
	}
	return i
}
