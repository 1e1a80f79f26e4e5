package recipes

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Verdict is what a transaction comes to.
type Verdict string

const (
	Undecided Verdict = ""       // votes are missing
	Commit    Verdict = "commit" // every site voted commit
	Abort     Verdict = "abort"  // one site voted abort, which decides at once, or failed
)

// TwoPhaseOptions choose between the recipe documents' protocol and its two remedies.
type TwoPhaseOptions struct {
	// Coordinated lets only the coordinator watch the votes: it writes the verdict to a znode beside the
	// transaction (its path and -decision), which is all that sites watch. That makes 2n messages of n², and
	// an extra step.
	Coordinated bool

	// OwnNodes lets each site make its own znode, ephemeral, so that a site that fails before the verdict is
	// noticed and aborts the transaction. It implies Coordinated: votes that vanish with their sites must not be
	// what latecomers decide by.
	OwnNodes bool

	// ACL is optional: who may do what with the znodes that are made. Sites write their votes, so they must be allowed to.
	// Default: the session's.
	ACL ACL
}

// TwoPhase lets sites agree whether to commit a transaction or to abort it.
//
// Protocol: the recipe documents' two-phase commit. Only the exact words commit and abort count. Nobody's
// verdict ever differs from another's; a coordinator that dies before its verdict leaves coordinated sites
// waiting, until somebody decides in its place.
//
// Requests, for n sites: one multi to begin; one write per vote; n reads with watches and one per vote for each
// who watches the votes, one or two for each who watches the decision.
type TwoPhase struct {
	s    *Session
	path string
	opts TwoPhaseOptions
}

// TwoPhase returns the transaction at a path. It does no I/O. All its clients must use the same options.
func (s *Session) TwoPhase(path string, o TwoPhaseOptions) TwoPhase {
	o.Coordinated = o.Coordinated || o.OwnNodes
	return TwoPhase{s, path, o}
}

func (t TwoPhase) acl() []wire.ACL { return t.s.acl(t.opts.ACL) }

func (t TwoPhase) decision() string { return t.path + "-decision" }

// Begin is the coordinator's first step: it makes the transaction with what it is about and, unless sites make
// their own, one znode per site, all at once. Sites are named as their znodes, by custom s_ and something.
// ErrExists: there is such a transaction already.
func (t TwoPhase) Begin(ctx context.Context, about []byte, sites []string) error {
	changes := []zkc.Change{createOf(t.path, about, wire.FlagPersistent, t.acl())}
	for _, site := range sites {
		if !t.opts.OwnNodes {
			changes = append(changes, createOf(join(t.path, site), []byte{}, wire.FlagPersistent, t.acl()))
		}
	}
	for unsure := false; ; {
		_, err := t.s.link().Multi(ctx, changes...)
		switch {
		case err == nil, unsure && errors.Is(err, zkc.ErrNodeExists):
			return nil
		case errors.Is(err, zkc.ErrNoNode):
			if _, err := t.s.makeParents(ctx, t.path, true, t.acl()); err != nil {
				return t.s.fail("begin", t.path, err)
			}
			continue
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			unsure = true
			continue
		}
		return t.s.fail("begin", t.path, err)
	}
}

// About reads what the transaction is about.
func (t TwoPhase) About(ctx context.Context) ([]byte, error) {
	data, _, err := t.s.link().Get(ctx, t.path)
	return data, t.s.fail("read", t.path, err)
}

// Join makes a site's own znode, where the options say that sites do. Hold the claim until the verdict.
func (t TwoPhase) Join(ctx context.Context, site string) (*Claim, error) {
	if !t.opts.OwnNodes {
		return nil, &Error{"join", t.path, errors.New("the coordinator makes the sites' znodes of this transaction")}
	}
	o := Options{Data: []byte{}, ACL: t.opts.ACL}
	return t.s.obtain(ctx, "join", t.s.fixedTicket(join(t.path, site), o), o, "", nil)
}

// Vote writes a site's vote. It can be given once; giving the same again is no error, another is ErrChanged.
func (t TwoPhase) Vote(ctx context.Context, site string, v Verdict) error {
	_, err := t.VoteOn(ctx, site, 0, v)
	return err
}

// VoteOn is Vote for the site's znode of this czxid: one that was made anew at the same path is another transaction's,
// and ErrChanged. 0 stands for whichever is there. already reports that the site had voted so before.
func (t TwoPhase) VoteOn(ctx context.Context, site string, czxid int64, v Verdict) (already bool, err error) {
	path := join(t.path, site)
	if v != Commit && v != Abort {
		return false, &Error{"vote", path, errors.New("a vote is commit or abort")}
	}
	if czxid != 0 {
		if err := t.s.link().Sync(ctx, path); err != nil {
			return false, t.s.fail("vote", path, err)
		}
	}
	for sent := false; ; sent = true {
		data, stat, err := t.s.link().Get(ctx, path)
		switch {
		case err != nil:
			return false, t.s.fail("vote", path, err)
		case czxid != 0 && stat.Czxid != czxid:
			return false, &Error{"vote", path, meaning{ErrChanged, errors.New("it is another znode now, created since")}}
		case string(data) == string(v):
			return !sent, nil
		case len(data) > 0:
			return false, &Error{"vote", path, meaning{ErrChanged, errors.New("it has voted " + say.Printable(string(data)))}}
		}
		_, err = t.s.link().Set(ctx, path, []byte(v), stat.Version)
		if err == nil || ctx.Err() != nil || !errors.Is(err, zkc.ErrUnknownOutcome) && !errors.Is(err, zkc.ErrBadVersion) {
			return false, t.s.fail("vote", path, err)
		}
	}
}

// Decide is the coordinator's second step: it waits for the votes of the sites, returns the verdict, and writes
// it down where the options say so. A verdict that was written before stands.
func (t TwoPhase) Decide(ctx context.Context, sites []string) (Verdict, error) {
	bound, stop := t.s.within(ctx)
	defer stop()
	v, err := t.count(bound, sites)
	if err == nil && t.opts.Coordinated {
		v, err = t.declare(bound, v)
	}
	return v, t.s.fail("decide", t.path, err)
}

// Abort decides against the transaction without waiting for votes, where verdicts are written down. It returns
// the verdict that stands: commit when that had been decided before.
func (t TwoPhase) Abort(ctx context.Context) (Verdict, error) {
	if !t.opts.Coordinated {
		return Undecided, &Error{"abort", t.path, errors.New("only a site's vote can abort this transaction")}
	}
	v, err := t.declare(ctx, Abort)
	return v, t.s.fail("abort", t.path, err)
}

// declare writes the verdict unless there is one, and returns the one that there is.
func (t TwoPhase) declare(ctx context.Context, v Verdict) (Verdict, error) {
	made, err := t.s.ensure(ctx, t.decision(), []byte(v), t.acl())
	if made || err != nil {
		return v, err
	}
	data, _, err := t.s.link().Get(ctx, t.decision())
	return Verdict(data), err
}

// Await is a site's wait for the verdict: of all votes, or of the coordinator.
func (t TwoPhase) Await(ctx context.Context) (Verdict, error) {
	bound, stop := t.s.within(ctx)
	defer stop()
	if !t.opts.Coordinated {
		sites, _, err := t.s.link().Children(bound, t.path)
		if err != nil {
			return Undecided, t.s.fail("await", t.path, err)
		}
		v, err := t.count(bound, sites)
		return v, t.s.fail("await", t.path, err)
	}
	for {
		w, err := t.s.watchValue(bound, t.decision())
		if err != nil {
			return Undecided, t.s.fail("await", t.path, err)
		}
		if w.Exists {
			w.cancel()
			return Verdict(w.Data), nil
		}
		if err := await(bound, w); err != nil {
			return Undecided, t.s.fail("await", t.path, err)
		}
	}
}

// End removes the transaction, its votes and its verdict: the coordinator's last step, once every site has
// the verdict.
func (t TwoPhase) End(ctx context.Context) error {
	names, err := t.s.children(ctx, t.path)
	for _, n := range names {
		if err == nil {
			err = t.s.remove(ctx, join(t.path, n))
		}
	}
	for _, p := range []string{t.path, t.decision()} {
		if err == nil {
			err = t.s.remove(ctx, p)
		}
	}
	return t.s.fail("end", t.path, err)
}

// count watches the votes until they decide. Each site's znode is read again only when it changed. Where sites
// have znodes of their own, one that has voted commit is watched on: it may still fail before the verdict.
func (t TwoPhase) count(ctx context.Context, sites []string) (Verdict, error) {
	b := ballot{votes: make([]Verdict, len(sites)), seen: make([]bool, len(sites)), watches: make([]*watch, len(sites))}
	defer b.close()
	for i := range sites {
		if v, err := t.read(ctx, &b, sites, i); v != Undecided || err != nil {
			return v, err
		}
	}
	for {
		i, err := first(ctx, b.watches)
		if err != nil {
			return Undecided, err
		}
		if v, err := t.read(ctx, &b, sites, i); v != Undecided || err != nil {
			return v, err
		}
	}
}

// ballot is what is known of the votes, by index of the site.
type ballot struct {
	votes   []Verdict
	seen    []bool   // the site's znode was there
	watches []*watch // nil where nothing is waited for
}

func (b *ballot) close() {
	for _, w := range b.watches {
		if w != nil {
			w.cancel()
		}
	}
}

// read reads a site's vote and returns the verdict as far as the votes decide it.
func (t TwoPhase) read(ctx context.Context, b *ballot, sites []string, i int) (Verdict, error) {
	w, err := t.s.watchValue(ctx, join(t.path, sites[i]))
	if err != nil {
		return Undecided, err
	}
	b.watches[i] = w
	switch {
	case string(w.Data) == string(Abort), t.opts.OwnNodes && b.seen[i] && !w.Exists:
		return Abort, nil
	case !w.Exists && !t.opts.OwnNodes:
		return Undecided, zkc.ErrNoNode // the transaction has ended
	case string(w.Data) == string(Commit):
		b.votes[i] = Commit
		if !t.opts.OwnNodes {
			w.cancel()
			b.watches[i] = nil
		}
	}
	b.seen[i] = w.Exists
	if slices.Contains(b.votes, Undecided) {
		return Undecided, nil
	}
	return Commit, nil
}

// first returns the index of the first watch that fires.
func first(ctx context.Context, watches []*watch) (int, error) {
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
	at := []int{-1}
	for i, w := range watches {
		if w != nil {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(w.C)})
			at = append(at, i)
		}
	}
	chosen, _, _ := reflect.Select(cases)
	if chosen == 0 {
		return 0, ctx.Err()
	}
	return at[chosen], nil
}
