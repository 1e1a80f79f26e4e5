package console

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/tui/backend"
)

// player plays a recording to the console. What is asked for while a frame is drawn never waits for what is read.
type player struct {
	name  string
	terms limits.Terms
	mu    sync.Mutex // of rec
	rec   *files.Recording

	at      atomic.Int64
	now     atomic.Pointer[time.Time]
	known   atomic.Int64 // states counted so far
	counted atomic.Bool  // these are all
}

// newPlayer begins at a state; going back from there is cheap.
func newPlayer(rec *files.Recording, at int, name string, terms limits.Terms) *player {
	rec.Keep()
	p := &player{name: name, terms: terms, rec: rec}
	p.goTo(at)
	return p
}

// countAtOnce bounds for how long counting keeps others from reading.
const countAtOnce = 20_000

// count counts the states, until all are or the context ends.
func (p *player) count(ctx context.Context) {
	for all := false; !all && ctx.Err() == nil; {
		p.mu.Lock()
		all = p.rec.Count(countAtOnce)
		p.noteKnown()
		p.mu.Unlock()
	}
}

func (p *player) noteKnown() {
	n, all := p.rec.Known()
	p.known.Store(int64(n))
	p.counted.Store(all)
}

// goTo goes to a state that there is.
func (p *player) goTo(at int) {
	now := p.rec.TimeOf(at)
	p.at.Store(int64(at))
	p.now.Store(&now)
	p.noteKnown()
}

// Judge returns a picture as the configuration has it shown.
func (p *player) Judge(r *model.Result) *model.Result { return p.terms.Apply(r) }

// Judges reports whether the configuration changes anything.
func (p *player) Judges() bool { return !p.terms.Empty() }

func (p *player) Changed() <-chan struct{} { return nil }

func (p *player) Now() time.Time { return *p.now.Load() }

func (p *player) Take() (*znode.Snapshot, backend.Link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := int(p.at.Load())
	return p.rec.At(at), p.link(at, p.rec.Thinned())
}

// link says that this is a file, and where jumps took several moments for one, that they did.
func (p *player) link(at int, thinned string) backend.Link {
	link := backend.Link{Ensemble: p.name, File: true, ReadOnly: true, State: at}
	if thinned != "" {
		link.Happened, link.Count = []story.Event{{At: p.Now(), Path: "/", What: "thinned", Text: thinned}}, 1
	}
	return link
}

// Thinned says that jumps took several moments for one, and from when on; empty where none did.
func (p *player) Thinned() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rec.Thinned()
}

// Before is what the moment before the one that is shown was decoded to; nil at the first.
func (p *player) Before(h model.Hints) *model.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.Load() == 0 {
		return nil
	}
	return p.rec.Decoded(p.rec.Moment(int(p.at.Load()), -1), h)
}

// Move goes on by so many moments, or back.
func (p *player) Move(by int) (gone int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	step := 1
	if by < 0 {
		step = -1
	}
	at := int(p.at.Load())
	for ; gone != by; gone += step {
		to := p.rec.Moment(at, step)
		if to == at {
			break
		}
		at = to
	}
	p.goTo(at)
	return gone
}

// Seek goes to the last moment that is not after a time.
func (p *player) Seek(to time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.goTo(max(0, p.rec.IndexAt(to)))
}

// Story tells what became of every claim of a recipe.
func (p *player) Story(path string, h model.Hints) (*chronicle.Chronicle, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return chronicle.Of(p.rec.Reel(), path, time.Time{}, time.Time{}, h)
}

// Where is the state that is shown, how many there are, and whether that many were counted only so far.
func (p *player) Where() (at, of int, more bool) {
	return int(p.at.Load()), int(p.known.Load()), !p.counted.Load()
}
