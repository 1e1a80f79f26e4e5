package actions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/recipes"
)

// held wraps a claim.
func (e *entry) held(c *recipes.Claim, err error, what string) (held, error) {
	if err != nil {
		return held{}, err
	}
	return held{grant: c, text: what + " " + say.Printable(e.want.Path)}, nil
}

func enterLock(e *entry) (held, error) {
	if e.want.Single {
		c, err := e.s.SingleLock(e.want.Path, e.options()).Acquire(e.ctx)
		return e.held(c, err, "holds")
	}
	c, err := e.s.Lock(e.want.Path, e.options()).Acquire(e.ctx)
	return e.held(c, err, "holds")
}

func enterShared(e *entry) (held, error) {
	lock := e.s.SharedLock(e.want.Path, e.options())
	if e.want.Part == PartRead {
		c, err := lock.Read(e.ctx)
		return e.held(c, err, "reads")
	}
	c, err := lock.Write(e.ctx)
	return e.held(c, err, "writes")
}

func enterSemaphore(e *entry) (held, error) {
	c, err := e.s.Semaphore(e.want.Path, e.want.Limit, e.options()).Acquire(e.ctx)
	return e.held(c, err, "holds a lease of")
}

func enterElection(e *entry) (held, error) {
	if e.want.Single {
		c, err := e.s.SingleLock(e.want.Path, e.options()).Acquire(e.ctx)
		return e.held(c, err, "leads")
	}
	c, err := e.s.Election(e.want.Path, e.options()).Campaign(e.ctx)
	return e.held(c, err, "leads")
}

func enterBarrier(e *entry) (held, error) {
	e.look()
	err := e.s.Barrier(e.want.Path, e.options()).Wait(e.ctx)
	return held{text: say.Printable(e.want.Path) + " is open"}, err
}

// closedBarrier is a barrier that we put in place: nobody loses it, and only who made it opens it.
type closedBarrier struct {
	recipes.Barrier
	path string
	made bool
}

func (b closedBarrier) Path() string             { return b.path }
func (b closedBarrier) Token() int64             { return 0 }
func (b closedBarrier) Lost() <-chan struct{}    { return nil }
func (b closedBarrier) Revoked() <-chan struct{} { return nil }
func (b closedBarrier) Release(ctx context.Context) error {
	if !b.made {
		return nil
	}
	return b.Open(ctx)
}

func setBarrier(e *entry) (held, error) {
	b := closedBarrier{Barrier: e.s.Barrier(e.want.Path, e.options()), path: e.want.Path}
	var err error
	if b.made, err = b.TryClose(e.ctx); err != nil {
		return held{}, err
	}
	h := held{grant: b, text: "closed " + say.Printable(e.want.Path)}
	if !b.made {
		h.text += ", which was closed already"
		h.stays = say.Printable(e.want.Path) + " stays closed: it was closed before"
	}
	return h, nil
}

func enterDouble(e *entry) (held, error) {
	b := e.s.DoubleBarrier(e.want.Path, e.want.Count, e.options())
	e.words = func(m *model.Model) string {
		return fmt.Sprintf("%d of %d have come", len(m.Claims), e.want.Count)
	}
	c, err := b.Enter(e.ctx)
	h, err := e.held(c, err, "inside")
	h.finish = func(ctx context.Context, _ bool) (outcome, error) {
		e.turn(JoinLeaving, "waiting until all have left")
		return outcome{text: "all have left"}, b.Leave(ctx, c)
	}
	return h, err
}

func enterGroup(e *entry) (held, error) {
	c, err := e.s.Membership(e.want.Path, e.options()).Join(e.ctx)
	return e.held(c, err, "member of")
}

func enterService(e *entry) (held, error) {
	base, name := znode.Split(e.want.Path)
	i := recipes.Instance{ID: e.want.Name}
	if host, port, err := net.SplitHostPort(string(e.want.Data)); err == nil {
		i.Address = host
		i.Port, _ = strconv.Atoi(port)
	}
	c, err := e.s.Service(base, name).Register(e.ctx, i)
	return e.held(c, err, "registered in")
}

func awaitValue(e *entry) (held, error) {
	e.look()
	first, was := true, recipes.Value{}
	for v, err := range e.s.Configuration(e.want.Path).Watch(e.ctx) {
		if err != nil {
			return held{}, err
		}
		if !first && v.Exists && (!was.Exists || v.Version != was.Version) {
			return held{data: v.Data, text: fmt.Sprintf("version %d of %s", v.Version, say.Printable(e.want.Path))}, nil
		}
		first, was = false, v
	}
	return held{}, e.ctx.Err()
}

// setConfig writes over what it has read and written down, or makes what was not there; never over anything else.
func setConfig(e *entry) (held, error) {
	c := e.s.Configuration(e.want.Path)
	old, err := c.Get(e.ctx)
	if err != nil {
		return held{}, fmt.Errorf("not set, because the value that is there could not be read: %w", err)
	}
	if err := e.overwrites(old); err != nil {
		return held{}, err
	}
	if old.Exists {
		err = c.Set(e.ctx, e.want.Data, old.Version)
	} else {
		err = c.Create(e.ctx, e.want.Data)
	}
	return held{text: "set " + say.Printable(e.want.Path), stays: "the value stays"}, err
}

// overwrites writes down what is about to be written over.
func (e *entry) overwrites(old recipes.Value) error {
	r := record("intent", e.j.cfg.Name, e.s.ID().String(), Plan{Verb: VerbSet, Recipe: e.want.Path, Kind: e.want.Kind, Name: e.want.Name,
		Target: Target{Path: e.want.Path, Version: old.Version}, OldData: old.Data, NewData: e.want.Data, Reason: e.want.Reason}, e.j.cfg.Now())
	if err := e.j.cfg.Audit.Append(r); err != nil {
		return fmt.Errorf("not set: %w", err)
	}
	return nil
}

func awaitRendezvous(e *entry) (held, error) {
	e.look()
	data, err := e.s.Rendezvous(e.want.Path).Wait(e.ctx)
	return held{data: data, text: say.Printable(e.want.Path) + " is filled"}, err
}

func fillRendezvous(e *entry) (held, error) {
	c := e.s.Configuration(e.want.Path) // the same znode, written at the version that was read
	old, err := c.Get(e.ctx)
	switch {
	case err != nil:
		return held{}, fmt.Errorf("not filled, because what is there could not be read: %w", err)
	case !old.Exists:
		return held{}, fmt.Errorf("%s does not exist: nobody has arranged it: %w", say.Printable(e.want.Path), recipes.ErrNotFound)
	case len(old.Data) > 0:
		return held{}, refused("not filled: %s is filled already, with %s; nothing was changed", say.Printable(e.want.Path), quote(old.Data))
	}
	if err := e.overwrites(old); err != nil {
		return held{}, err
	}
	return held{text: "filled " + say.Printable(e.want.Path)}, c.Set(e.ctx, e.want.Data, old.Version)
}

func arrange(e *entry) (held, error) {
	c, err := e.s.Rendezvous(e.want.Path).Arrange(e.ctx)
	return e.held(c, err, "arranged")
}

func readCounter(e *entry) (held, error) {
	v, err := e.s.Counter(e.want.Path, e.options()).Value(e.ctx)
	return number(e, v), err
}

func addCounter(e *entry) (held, error) {
	delta := int64(1)
	if e.want.Data != nil {
		delta, _ = strconv.ParseInt(string(e.want.Data), 10, 64)
	}
	v, err := e.s.Counter(e.want.Path, e.options()).Add(e.ctx, delta)
	return number(e, v), err
}

func number(e *entry, v int64) held {
	return held{data: strconv.AppendInt(nil, v, 10), text: fmt.Sprintf("%s is %d", say.Printable(e.want.Path), v)}
}

// lines of work: queues.

// work is an item that was taken.
type work struct{ *recipes.Item }

func (w work) Revoked() <-chan struct{}          { return nil }
func (w work) Release(ctx context.Context) error { return w.Return(ctx) }

// queue is what the three kinds share.
type queue interface {
	Take(context.Context) (*recipes.Item, error)
}

func (e *entry) queueOptions() recipes.QueueOptions {
	return recipes.QueueOptions{Dialect: e.dialect(), Name: e.want.Name}
}

func first(e *entry) queue      { return e.s.Queue(e.want.Path, e.queueOptions()) }
func mostUrgent(e *entry) queue { return e.s.PriorityQueue(e.want.Path, e.queueOptions()) }
func firstDue(e *entry) queue   { return e.s.DelayQueue(e.want.Path, e.queueOptions()) }

// consume takes one item from a queue.
func consume(from func(*entry) queue) func(*entry) (held, error) {
	return func(e *entry) (held, error) {
		q := from(e)
		e.look()
		item, err := q.Take(e.ctx)
		if err != nil {
			return held{}, err
		}
		return held{grant: work{item}, data: item.Data, text: "works on " + say.Printable(item.Path()),
			finish: func(ctx context.Context, ok bool) (outcome, error) {
				if ok {
					return outcome{text: "done with " + say.Printable(item.Path())}, item.Done(ctx)
				}
				return outcome{text: "put back " + say.Printable(item.Path())}, item.Return(ctx)
			}}, nil
	}
}

func putLast(e *entry) error {
	return e.s.Queue(e.want.Path, e.queueOptions()).Put(e.ctx, e.want.Data)
}

func putUrgent(e *entry) error {
	return e.s.PriorityQueue(e.want.Path, e.queueOptions()).Put(e.ctx, e.want.Priority, e.want.Data)
}

func putDue(e *entry) error {
	return e.s.DelayQueue(e.want.Path, e.queueOptions()).Put(e.ctx, time.Now().Add(e.want.Delay), e.want.Data)
}

// produce puts one item into a queue.
func produce(put func(*entry) error) func(*entry) (held, error) {
	return func(e *entry) (held, error) {
		err := put(e)
		return held{text: "put an item into " + say.Printable(e.want.Path), stays: "the item stays until a consumer takes it"}, err
	}
}

// transaction is the recipe as its options say.
func (e *entry) transaction() recipes.TwoPhase {
	return e.s.TwoPhase(e.want.Path, recipes.TwoPhaseOptions{Coordinated: e.want.Decision, OwnNodes: e.want.Own})
}

func (e *entry) sites() []string {
	if len(e.want.Sites) > 0 {
		return e.want.Sites
	}
	var out []string
	for i := range e.want.Count {
		out = append(out, "s_"+strconv.Itoa(i+1))
	}
	return out
}

// coordinate begins the transaction, unless it has begun, and decides.
func coordinate(e *entry) (held, error) {
	tx := e.transaction()
	about := e.want.Data
	if about == nil {
		about = []byte{}
	}
	if err := tx.Begin(e.ctx, about, e.sites()); err != nil && !errors.Is(err, recipes.ErrExists) {
		return held{}, err
	}
	e.update(func(st *JoinState) { st.Stays = say.Printable(e.want.Path) + " stays: its sites may still vote" })
	e.look()
	v, err := tx.Decide(e.ctx, e.sites())
	return verdict(e, v), err
}

func verdict(e *entry, v recipes.Verdict) held {
	return held{result: string(v), text: "the verdict of " + say.Printable(e.want.Path) + " is " + string(v),
		stays: say.Printable(e.want.Path) + " stays: its sites may still read it"}
}
