package recipes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// ticket is an ephemeral znode of ours in a recipe's directory: a place in a line, a lease, a member. By
// default the server appends a number to its name.
type ticket struct {
	s      *Session
	dir    string
	prefix string // what the name begins with
	data   []byte
	rule   order.Rule

	fixed  bool // the name is prefix and no number is appended
	shared bool // others may use the same name: it holds no id that is ours alone
	keep   bool // the directory is to stay when it is empty
	acl    []wire.ACL

	inLine bool // whose turn it is is told by who stands beside it
	simple bool // it is the turn of the first alone, and nobody comes in before others: as a downgraded lock does

	waiting func(Wait) // nil: nobody wants to know

	mine *watch // of our own znode, while it waits; nil: none

	name   string // of the child, once it exists
	stat   wire.Stat
	listed []string // the names in the directory a moment after it was made; nil: not known
	alone  bool     // nobody else was in the directory a moment after it was made
	unsure bool     // a create whose reply was lost may have made it
	made   []string // the containers that were made for it
	round  round    // DoubleBarrier

	swept func(ctx context.Context) error // what else is to go when the child is withdrawn; nil: nothing
}

func newTicket(s *Session, dir string, row *layout.Layout, o Options) *ticket {
	return &ticket{s: s, dir: dir, prefix: row.NameOf(newID()), fixed: !row.Numbered(), data: o.data(row.Revoke),
		rule: order.Rule{Dialect: layout.Dialect(o.Dialect)}, keep: row.Kept, acl: s.acl(o.ACL), waiting: o.Progress.Waiting}
}

func (t *ticket) path() string { return join(t.dir, t.name) }

// recipe is the path that errors name: what the caller gave.
func (t *ticket) recipe() string {
	if t.fixed && t.shared {
		return join(t.dir, t.prefix)
	}
	return t.dir
}

// take makes the znode. When the reply to a create is lost, it looks for the znode by the id in its name before it
// tries again, so that there is never a second one (the recipe documents' note on recoverable errors).
func (t *ticket) take(ctx context.Context) error {
	flags := wire.FlagEphemeralSequence
	if t.fixed {
		flags = wire.FlagEphemeral
	}
	for {
		made, err := t.s.link().enter(ctx, join(t.dir, t.prefix), t.data, flags, t.acl, t.inLine && !t.s.maybeAlone(t.dir))
		switch {
		case err == nil:
			_, t.name = znode.Split(made.Path)
			t.stat, t.listed = made.Stat, made.Names
			t.alone = t.inLine && t.s.isAlone(t)
			t.s.own(t)
			return t.learn(ctx)
		case errors.Is(err, zkc.ErrNoNode):
			made, err := t.s.makeDir(ctx, t.dir, t.keep, t.acl)
			if t.made = append(t.made, made...); err != nil {
				return err
			}
		case errors.Is(err, zkc.ErrUnknownOutcome):
			t.unsure = true
			if found, err := t.find(ctx); found || err != nil {
				return err
			}
		default:
			return err
		}
	}
}

// find looks for a znode that a lost create may have left.
func (t *ticket) find(ctx context.Context) (bool, error) {
	if err := t.s.link().Sync(ctx, t.dir); err != nil && !errors.Is(err, zkc.ErrNoNode) {
		return false, err
	}
	if t.fixed {
		return t.findFixed(ctx)
	}
	names, err := t.s.children(ctx, t.dir)
	for _, n := range names {
		if strings.HasPrefix(n, t.prefix) {
			t.name = n
			t.s.own(t)
			return true, t.learn(ctx)
		}
	}
	return false, err
}

func (t *ticket) findFixed(ctx context.Context) (bool, error) {
	path := join(t.dir, t.prefix)
	stat, there, err := t.s.link().Exists(ctx, path)
	if err != nil || !there || stat.EphemeralOwner != int64(t.s.ID()) {
		return false, err
	}
	t.name, t.stat = t.prefix, stat
	if !t.s.own(t) {
		t.name, t.stat = "", wire.Stat{} // another of this session's
		return false, nil
	}
	return true, nil
}

// learn reads the stat where the create did not tell it: an old server, or a lost reply.
func (t *ticket) learn(ctx context.Context) error {
	if t.stat.Czxid != 0 {
		return nil
	}
	stat, there, err := t.s.link().Exists(ctx, t.path())
	if err == nil && !there {
		return ErrLost
	}
	t.stat = stat
	return err
}

// look finds out where the ticket stands.
func (t *ticket) look(ctx context.Context) (turn order.Turn, v lineup, err error) {
	if t.alone && t.listed == nil {
		return order.Turn{Found: true, Holds: true}, lineup{of: 1}, nil
	}
	var names []string
	if names, t.listed = t.listed, nil; !slices.Contains(names, t.name) {
		names = nil
	}
	if names == nil {
		if names, err = t.s.children(ctx, t.dir); err != nil {
			return turn, v, err
		}
	}
	t.alone = len(names) == 1 && names[0] == t.name
	v = lineupOf(names, t.name)
	children, err := t.contenders(ctx, names, v.mixed)
	if err != nil {
		return turn, v, err
	}
	if turn = decide(t.rule, children, t.name, v.wrapped); !turn.Found {
		err = ErrLost // somebody deleted our znode
	}
	return turn, v, err
}

// try is wait for those who do not: ErrBusy when it is not the ticket's turn.
func (t *ticket) try(ctx context.Context) error {
	turn, _, err := t.look(ctx)
	if err == nil && !turn.Holds {
		err = ErrBusy
	}
	return err
}

// await returns when the watch fires, or when our own znode may have changed; with an error when that is gone, or ctx
// has ended. Then the watch is given back.
func (t *ticket) await(ctx context.Context, w *watch) (ev wire.Event, err error) {
	if t.mine == nil {
		if t.mine, err = t.attend(ctx); err != nil {
			w.cancel()
			return ev, err
		}
	}
	select {
	case ev = <-w.C:
	case <-t.mine.C:
		w.cancel()
		t.mine, err = t.attend(ctx)
	case <-ctx.Done():
		w.cancel()
		err = ctx.Err()
	}
	return ev, err
}

// attend watches our own znode. ErrLost: it is gone.
func (t *ticket) attend(ctx context.Context) (*watch, error) {
	w, err := t.s.watchNode(ctx, t.path())
	return t.vetted(ctx, w, err)
}

// vetted is a watch over our own znode that was asked for, once it is sure that the znode is there and ours; ErrLost: it is not.
func (t *ticket) vetted(ctx context.Context, w *watch, err error) (*watch, error) {
	if errors.Is(err, zkc.ErrNoAuth) {
		w, err = t.s.watchNode(ctx, t.path())
	}
	if errors.Is(err, zkc.ErrNoNode) {
		return nil, ErrLost
	}
	if err != nil {
		return nil, err
	}
	stat, ours := w.Stat, true
	if w.Mute {
		stat, ours, err = t.s.link().Exists(ctx, t.path())
	}
	if err == nil && (!ours || t.stat.Czxid != 0 && stat.Czxid != t.stat.Czxid) {
		err = ErrLost
	}
	if err != nil {
		w.cancel()
		return nil, err
	}
	w.recheck(t.s.Timeout() / ownRechecks)
	return w, nil
}

// ownRechecks is how often in a session timeout it is looked whether the watch over an own znode is still good: as long as it
// is not, and nobody knows, a claim that was deleted is held beside the next one's.
const ownRechecks = 2

// place is where the ticket stands.
func (t *ticket) place(turn order.Turn, v lineup) Wait {
	return Wait{Position: turn.Position, Of: v.of, Behind: join(t.dir, turn.Watch)}
}

// contenders turns names into what inspect decides by. Names are enough for a line of one spelling; where
// several stand together, or the counter has turned negative, only the order of arrival is common ground, and
// that is in the stats.
func (t *ticket) contenders(ctx context.Context, names []string, mixed bool) ([]order.Contender, error) {
	out := make([]order.Contender, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	if !t.simple { // who else is of our session matters to those who may go before their turn
		t.s.markOurs(t.dir, out)
	}
	if !mixed {
		return out, nil
	}
	stats, err := t.s.stats(ctx, t.dir, names)
	stand := out[:0]
	for _, c := range out {
		if stat, there := stats[c.Name]; there {
			c.Czxid, c.Session = znode.Zxid(stat.Czxid), znode.SessionID(stat.EphemeralOwner)
			stand = append(stand, c)
		}
	}
	return stand, err
}

// lineup is what names alone tell of a line, in one pass.
type lineup struct {
	mixed   bool   // claims of other spellings than our own, or numbers that have turned negative or are given out again and again
	wrapped bool   // numbers below zero
	of      int    // claims
	next    string // the one with the largest number below ours
	second  string // the one with the largest number below that
}

// lineupOf looks at the names in a line from where a ticket's name stands.
func lineupOf(names []string, mine string) (v lineup) {
	own := layout.ParseName(mine)
	spelling := own.Spelling()
	v.mixed = own.Seq < 0
	var next, second int32 = -1, -1
	for _, n := range names {
		p, _ := spelling.Parse(n)
		if !p.HasSeq || p.Word == "" {
			continue
		}
		v.of++
		v.wrapped = v.wrapped || p.Seq < 0
		// The last number is the one that is given out again and again.
		v.mixed = v.mixed || p.Guard != own.Guard || p.Seq < 0 || p.Seq == math.MaxInt32 && n != mine
		switch {
		case p.Seq >= own.Seq:
		case p.Seq > next:
			v.next, v.second, next, second = n, v.next, p.Seq, next
		case p.Seq > second:
			v.second, second = n, p.Seq
		}
	}
	return v
}

// leave removes the znode, over a context that outlives the caller's, and keeps trying until it is gone or
// the session is: then the server removes it.
func (t *ticket) leave(ctx context.Context) error {
	if t.name == "" && !t.unsure && len(t.made) == 0 {
		return nil
	}
	ctx, stop := t.s.alive(ctx)
	defer stop()
	err := t.drop(ctx)
	if t.mine != nil {
		t.mine.cancel() // it has fired unless the znode stays
	}
	if err == nil && t.swept != nil && t.name != "" {
		err = t.swept(ctx)
	}
	switch {
	case t.s.lifetime().Err() != nil:
		return nil
	case err != nil:
		return fmt.Errorf("%w; the znode stays until session %s ends", err, t.s.ID())
	}
	return nil
}

func (t *ticket) drop(ctx context.Context) error {
	if t.name == "" {
		found, err := false, error(nil)
		if t.unsure {
			found, err = t.find(ctx)
		}
		if !found {
			t.s.prune(ctx, t.made)
			return err
		}
	}
	defer t.s.disown(t)
	for {
		if t.shared {
			stat, there, err := t.s.link().Exists(ctx, t.path())
			known := t.stat.Czxid != 0
			if err != nil || !there || known && stat.Czxid != t.stat.Czxid || stat.EphemeralOwner != int64(t.s.ID()) {
				return err // gone, or another's by now
			}
		}
		zxid, err := t.s.link().withdraw(ctx, t.path())
		switch {
		case err == nil:
			t.s.leftAlone(t, zxid)
			return nil
		case errors.Is(err, zkc.ErrNoNode):
			return nil
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			continue
		}
		return err
	}
}

// head returns the name of the first in the line that a ticket's name stands in; empty when nobody does.
func (t *ticket) head(ctx context.Context, names []string) (string, error) {
	v := lineupOf(names, t.name)
	children, err := t.contenders(ctx, names, v.mixed)
	if err != nil || len(children) == 0 {
		return "", err
	}
	// The smallest number is the first, but for lines whose numbers have turned negative.
	slices.SortFunc(children, func(a, b order.Contender) int {
		p, q := layout.ParseName(a.Name), layout.ParseName(b.Name)
		return cmp.Compare(p.Seq, q.Seq)
	})
	for _, c := range children {
		if turn := decide(t.rule, children, c.Name, v.wrapped); turn.Found && turn.Position == 0 {
			return c.Name, nil
		}
	}
	return "", nil
}
