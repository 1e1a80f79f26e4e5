package actions

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/recipes"
)

// Place is a place that was taken in a recipe, from the first attempt to its end. One goroutine, and another
// while it waits, do its work; they end with it. All methods may be called from any goroutine, and but for
// Leave none of them blocks.
type Place struct {
	j    *Joiner
	want Join
	part part

	ctx    context.Context // ends when the place is to be left
	leave  context.CancelFunc
	finish chan bool // one slot: end the work, with success or without
	answer chan bool // one slot: to let go, or not
	poke   chan struct{}

	changed chan struct{}
	gone    chan struct{}
	done    chan struct{}

	mu    sync.Mutex
	state JoinState
	s     *recipes.Session
}

func newPlace(j *Joiner, r Join, part part) *Place {
	p := &Place{j: j, want: r, part: part, finish: make(chan bool, 1), answer: make(chan bool, 1), poke: make(chan struct{}, 1),
		changed: make(chan struct{}, 1), gone: make(chan struct{}), done: make(chan struct{})}
	p.ctx, p.leave = context.WithCancel(context.Background())
	p.state = JoinState{Phase: JoinConnecting, Since: j.cfg.Now(), Text: "connecting", Dialect: r.Dialect}
	return p
}

// Want returns what was asked for, with the part that was chosen.
func (p *Place) Want() Join { return p.want }

// State returns how things stand.
func (p *Place) State() JoinState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Changed has a value when State may be another than before. The channel has one slot and is never closed:
// nobody has to read it.
func (p *Place) Changed() <-chan struct{} { return p.changed }

// Done is closed when the phase is final and nothing runs any more.
func (p *Place) Done() <-chan struct{} { return p.done }

// Lost is closed as soon as what was granted is no more although nobody here gave it up; State says why a moment later.
func (p *Place) Lost() <-chan struct{} { return p.gone }

// Left returns how long what is granted can be counted on if no server answers from now on: then it is lost. ok is false
// while nothing is granted.
func (p *Place) Left() (left time.Duration, ok bool) {
	p.mu.Lock()
	s, phase := p.s, p.state.Phase
	p.mu.Unlock()
	if s == nil || phase != JoinHolding && phase != JoinAsked {
		return 0, false
	}
	return s.Left(), true
}

// Finish ends the work that was granted, in the way that its kind has: an item is done with or, without ok, goes
// back; a site votes commit or, without ok, abort, and waits for the verdict; a member of a double barrier leaves
// when all do; everything else is given up. It counts once, and only while the phase is holding or asked.
func (p *Place) Finish(ok bool) {
	select {
	case p.finish <- ok:
	default:
	}
}

// Answer answers somebody who asks us to let go: consent gives up what is held, anything else keeps it. It counts
// only while the phase is asked.
func (p *Place) Answer(consent bool) {
	select {
	case p.answer <- consent:
	default:
	}
}

// Leave gives the place up, whatever the phase, and waits until that is done. When ctx ends first the session is
// ended, which takes two seconds at most; JoinState.Stays says what then stays behind. It may be called more than
// once.
func (p *Place) Leave(ctx context.Context) JoinState {
	p.leave()
	select {
	case <-p.done:
		return p.State()
	case <-ctx.Done():
	}
	p.mu.Lock()
	s := p.s
	p.mu.Unlock()
	if s != nil {
		s.Close()
	}
	<-p.done
	return p.State()
}

// update changes the state and tells whoever looks.
func (p *Place) update(f func(st *JoinState)) {
	p.mu.Lock()
	was := p.state.Phase
	f(&p.state)
	if p.state.Phase != was {
		p.state.Since = p.j.cfg.Now()
	}
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// turn goes on to another phase.
func (p *Place) turn(to JoinPhase, text string) {
	p.update(func(st *JoinState) { st.Phase, st.Text = to, text })
}

// run is the place's life.
func (p *Place) run() {
	defer close(p.done)
	defer p.leave()
	defer p.j.forget(p)
	p.live()
	st := p.State()
	p.note(st.Phase, st)
}

// note writes down a phase. What came of us has come already, so a log that takes it no more ends nothing; it is told.
func (p *Place) note(phase JoinPhase, st JoinState) {
	if err := p.j.note(string(phase), VerbJoin, p.want, st); err != nil {
		p.update(func(st *JoinState) { st.Text, st.Unlogged = st.Text+"; "+err.Error(), err })
	}
}

func (p *Place) live() {
	s, err := p.j.dial(p.ctx)
	if err != nil {
		p.fail(err)
		return
	}
	defer s.Close()
	p.mu.Lock()
	p.s = s
	p.mu.Unlock()
	p.update(func(st *JoinState) {
		st.Session, st.Timeout, st.Phase, st.Text = s.ID(), s.Timeout(), JoinWaiting, "waiting"
	})
	e := &entry{Place: p, s: s, want: p.want}
	h, err := p.enter(e)
	switch {
	case err != nil:
		p.fail(err)
	case h.grant == nil:
		p.update(func(st *JoinState) {
			st.Phase, st.Text, st.Data, st.Result, st.Stays = JoinDone, h.text, h.data, h.result, h.stays
		})
	default:
		p.hold(e, h)
	}
}

// enter finds out what stands at the path, and takes part in it. Meanwhile it looks where it stands.
func (p *Place) enter(e *entry) (held, error) {
	if err := e.settle(); err != nil {
		return held{}, err
	}
	ctx, stop := context.WithCancel(p.ctx)
	var wg sync.WaitGroup
	wg.Go(guard.Func(func() { e.follow(ctx) }))
	defer wg.Wait()
	defer stop()
	return p.part.enter(e)
}

// fail ends a place that was never granted.
func (p *Place) fail(err error) {
	left := p.ctx.Err() != nil
	stays := ""
	if errors.Is(err, recipes.ErrUnknown) {
		stays = "it is not known whether it was written; look at " + say.Printable(p.want.Path)
	}
	p.update(func(st *JoinState) {
		st.Phase, st.Text, st.Err = JoinFailed, err.Error(), err
		if left {
			st.Phase, st.Text = JoinLeft, "left before it was granted"
			stays = p.remainder(st, stays)
		}
		if stays != "" {
			st.Stays = stays
		}
	})
}

// remainder says what a place that was given up before it was granted leaves behind: nothing, unless the session
// was ended in the middle of the clean-up.
func (p *Place) remainder(st *JoinState, unknown string) string {
	if p.s == nil || p.s.Cause() == nil || errors.Is(p.s.Cause(), recipes.ErrExpired) {
		return unknown
	}
	return p.stays(st)
}

// stays says how long our znode can stand without us. Without a quorum no session ends, and a new leader gives each its
// whole timeout again.
func (p *Place) stays(st *JoinState) string {
	what := say.Printable(st.Node)
	if st.Node == "" { // no answer told its name, if it was made
		what = "a claim of ours on " + say.Printable(p.want.Path)
	}
	end := p.j.cfg.Now().Add(p.s.Timeout())
	return fmt.Sprintf("%s may stay until session %s ends, at about %s; if the ensemble loses its quorum meanwhile, %v after it serves again",
		what, st.Session, end.UTC().Format("15:04:05Z"), p.s.Timeout())
}

// hold keeps what was granted until it is given up, lost or finished.
func (p *Place) hold(e *entry, h held) {
	p.update(func(st *JoinState) {
		st.Phase, st.Text, st.Data, st.Node, st.Token = JoinHolding, h.text, h.data, h.grant.Path(), h.grant.Token()
		st.Position, st.Of, st.Behind, st.Stays = 0, 0, "", ""
	})
	p.noteGrant()
	revoked := h.grant.Revoked()
	for {
		select {
		case <-h.grant.Lost():
			close(p.gone)
			p.lost(e, h)
			return
		case <-revoked:
			revoked = nil
			drain(p.answer) // an answer to no question
			p.turn(JoinAsked, "somebody asks us to let go of "+say.Printable(p.want.Path))
		case yes := <-p.answer:
			if p.State().Phase != JoinAsked {
				continue
			}
			if yes {
				p.depart(e, h, false)
				return
			}
			p.update(func(st *JoinState) {
				st.Phase, st.Text, st.Refused = JoinHolding, h.text+"; asked to let go, not done", true
			})
		case ok := <-p.finish:
			p.depart(e, h, ok)
			return
		case <-p.ctx.Done():
			p.abandon(h)
			return
		}
	}
}

// noteGrant writes down that the place is held from now on.
func (p *Place) noteGrant() { p.note(JoinHolding, p.State()) }

func drain(c chan bool) {
	select {
	case <-c:
	default:
	}
}

// depart ends the work in its own way.
func (p *Place) depart(e *entry, h held, ok bool) {
	p.turn(JoinLeaving, "leaving")
	if h.finish == nil {
		p.abandon(h)
		return
	}
	result, err := h.finish(p.ctx, ok)
	switch {
	case err != nil && p.ctx.Err() != nil:
		p.abandon(h)
	case errors.Is(err, recipes.ErrLost):
		p.update(func(st *JoinState) { st.Phase, st.Text, st.Err = JoinLost, err.Error(), err })
	case err != nil:
		p.update(func(st *JoinState) { st.Phase, st.Text, st.Err, st.Stays = JoinLeft, err.Error(), err, p.stays(st) })
	default:
		p.update(func(st *JoinState) { st.Phase, st.Text, st.Result = JoinDone, result.text, result.verdict })
	}
}

// abandon gives up what is held. The clean-up goes on for as long as the session may live, or until the session
// is ended.
func (p *Place) abandon(h held) {
	p.turn(JoinLeaving, "leaving")
	err := h.grant.Release(context.Background())
	cause := p.s.Cause()
	p.update(func(st *JoinState) {
		st.Phase, st.Text, st.Stays = JoinLeft, "left", h.stays
		if err != nil || cause != nil && !errors.Is(cause, recipes.ErrExpired) {
			st.Err, st.Stays = errors.Join(err, cause), p.stays(st)
		}
	})
}

// lost tells why what was granted is gone.
func (p *Place) lost(e *entry, h held) {
	cause := p.s.Cause()
	if cause == nil {
		// The news that the znode has gone may come before the news that its session has: a live one answers.
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		_, _, _ = e.s.InLine(ctx, h.grant.Path(), p.State().Dialect)
		cancel()
		cause = p.s.Cause()
	}
	if cause == nil {
		cause = errors.New("its znode was deleted by somebody else")
	}
	text := "lost: " + cause.Error() + "; somebody else may hold " + say.Printable(p.want.Path) + " by now"
	p.update(func(st *JoinState) { st.Phase, st.Text, st.Err = JoinLost, text, cause })
}
