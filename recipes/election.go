package recipes

import (
	"context"
	"errors"
	"iter"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Election chooses a leader: the candidate whose place in line comes first.
//
// Protocol: the recipe documents' leader election, spelled in the dialect of its options. The fall of a leader
// wakes one candidate.
//
// Requests: those of Lock.
type Election struct {
	s    *Session
	path string
	opts Options
}

// Election returns the election at a path. It does no I/O.
func (s *Session) Election(path string, o Options) Election { return Election{s, path, o} }

// Campaign waits to become leader. When ctx ends first, the candidacy is given up and ctx's error returned.
func (e Election) Campaign(ctx context.Context) (*Claim, error) {
	return e.s.acquire(ctx, e.path, layout.Election, layout.Exclusive, e.opts, (*ticket).wait)
}

// Resign gives leadership up: it is the Release of a claim of this election and session. Another one is ErrNotHeld, and
// stays as it is.
func (e Election) Resign(ctx context.Context, leading *Claim) error {
	if !leading.of(e.s, e.path) {
		return &Error{"resign", e.path, ErrNotHeld}
	}
	return leading.Release(ctx)
}

// ackName is the znode in which a leader announces itself.
const ackName = "leader"

// Acknowledge announces that the leader has taken over: the head of the line need not know yet that it leads,
// so the recipe documents propose a znode of its own for that, an ephemeral one called leader in the
// election's directory. Its data is that of the options. It waits while the announcement of a former leader
// whose session still lives is there. Release the announcement before resigning. Clients of Curator and
// ZooKeeper's Java recipes count foreign children of an election, so it suits the dialects of ours, kazoo and
// go-zookeeper.
func (e Election) Acknowledge(ctx context.Context, leading *Claim) (*Claim, error) {
	if !leading.of(e.s, e.path) || !leading.live() {
		return nil, &Error{"acknowledge", e.path, ErrNotHeld}
	}
	bound, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(leading.watchOver(), cancel)()
	o := Options{Name: e.opts.Name, Data: e.opts.Data, ACL: e.opts.ACL}
	c, err := e.s.SingleLock(join(e.path, ackName), o).Acquire(bound)
	if err != nil && !leading.live() {
		return nil, &Error{"acknowledge", e.path, ErrLost}
	}
	return c, err
}

// Leader is who leads an election, as its line tells.
type Leader struct {
	Path         string // of its znode; empty: nobody stands for election
	Data         []byte
	Session      znode.SessionID
	Token        int64 // see Claim.Token
	Acknowledged bool  // it has announced itself (see Acknowledge), as far as known when the leader was read
}

// Leader reads who leads now.
func (e Election) Leader(ctx context.Context) (Leader, error) {
	l, w, err := e.observe(ctx)
	if err != nil {
		return Leader{}, e.s.fail("observe", e.path, err)
	}
	w.cancel()
	return l, nil
}

// Observe yields who leads, and again each time that this changes or the leader's znode does, until ctx ends
// or the caller stops. Leaders of short reigns may be skipped; the latest never is. An error is the last thing
// yielded. That nobody leads is yielded once, however often the directory changes meanwhile.
func (e Election) Observe(ctx context.Context) iter.Seq2[Leader, error] {
	return func(yield func(Leader, error) bool) {
		vacant := false
		for l, err := range observe(e.s, ctx, e.path, e.observe) {
			was := vacant
			vacant = err == nil && l.Path == ""
			if was && vacant {
				continue
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// observe reads the leader and watches its znode, or the directory when there is none.
func (e Election) observe(ctx context.Context) (Leader, *watch, error) {
	for {
		names, err := e.s.children(ctx, e.path)
		if err != nil {
			return Leader{}, nil, err
		}
		head, err := e.head(ctx, names)
		if err != nil {
			return Leader{}, nil, err
		}
		if head == "" {
			w, err := e.s.watchChildren(ctx, e.path)
			if err != nil {
				return Leader{}, nil, err
			}
			if head, err = e.head(ctx, w.Children); head == "" || err != nil {
				return Leader{}, w, err
			}
			w.cancel()
			continue
		}
		path := join(e.path, head)
		w, err := e.s.watch(ctx, zkc.WatchData, path)
		if errors.Is(err, zkc.ErrNoNode) {
			continue
		}
		if err != nil {
			return Leader{}, nil, err
		}
		l := Leader{Path: path, Data: w.Data, Session: znode.SessionID(w.Stat.EphemeralOwner), Token: w.Stat.Czxid}
		ack, there, err := e.s.link().Exists(ctx, join(e.path, ackName))
		if err != nil {
			w.cancel()
			return Leader{}, nil, err
		}
		l.Acknowledged = there && ack.EphemeralOwner == w.Stat.EphemeralOwner
		return l, w, nil
	}
}

// head is the name of the candidate who leads; empty when there is none.
func (e Election) head(ctx context.Context, names []string) (string, error) {
	for _, n := range names {
		if p := layout.ParseName(n); p.HasSeq && p.Word != "" {
			t := &ticket{s: e.s, dir: e.path, name: n, rule: order.Rule{Dialect: layout.Dialect(e.opts.Dialect.or(ZooKeeper))}}
			return t.head(ctx, names)
		}
	}
	return "", nil
}

// observe yields what read returns, each time that its watch fires.
func observe[T any](s *Session, ctx context.Context, path string, read func(context.Context) (T, *watch, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		bound, stop := s.within(ctx)
		defer stop()
		for {
			v, w, err := read(bound)
			if err != nil {
				if w != nil {
					w.cancel()
				}
				yield(v, s.fail("observe", path, err))
				return
			}
			if !yield(v, nil) {
				w.cancel()
				return
			}
			if err := await(bound, w); err != nil {
				yield(v, s.fail("observe", path, err))
				return
			}
		}
	}
}
