package recipes

import (
	"context"
	"math"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/zkc"
)

// lastTurn is what a session remembers of a directory in which its last claim stood alone. Every child that is made takes
// a number of the directory's, so a claim whose number is the next one stands alone again, and need not look who is
// there. That is true only while the directory is the same: one that is deleted and made again counts from 0. So a watch
// stands on it, on the very connection on which the claims are made: its server tells of the end of the directory before
// it answers what came after it. It reads, because servers tell nobody of what he may not read.
type lastTurn struct {
	seq   int32
	under *watch // the watch that stood before the claim of seq was given up; nil: none, or it is not known to be gone
	watch *watch
	asked bool // the watch was asked for
	idle  *time.Timer
}

// turnIdle is how long a directory is remembered that is not used, and its watch kept.
const turnIdle = time.Second

// turnsAtMost is how many directories are remembered.
const turnsAtMost = 64

// recall returns the number of the last turn in a directory and the watch over that, if the next may follow it without a
// look; no watch: it may not. It is good for one turn.
func (s *Session) recall(dir string) (seq int32, over *watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.turns[dir]
	if l == nil || !l.sure() {
		return 0, nil
	}
	l.under = nil
	return l.seq, l.watch
}

// sure reports whether the watch is still the one under which the claim of seq was given up: another one may be over
// another directory. Its caller holds Session.mu.
func (l *lastTurn) sure() bool { return l.under != nil && l.stands() && l.under == l.watch }

// quiet reports whether a watch has seen nothing.
func (w *watch) quiet() bool {
	select {
	case <-w.C:
		return false
	default:
		return true
	}
}

// stands reports whether the directory is watched. Its caller holds Session.mu.
func (l *lastTurn) stands() bool {
	if l.watch != nil && !l.watch.quiet() {
		l.watch, l.asked = nil, false
	}
	return l.watch != nil
}

// guarded returns the watch over the directory of a claim on the connection on which that was made; nil: there is none.
func (s *Session) guarded(dir string, link uint64) *watch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.turns[dir]; l != nil && l.stands() && l.watch.link == link {
		return l.watch
	}
	return nil
}

// remember notes that a claim which stood alone is gone. over is the watch over its directory from before it went: a later
// one may be over another directory.
func (s *Session) remember(dir, name string, over *watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	l := s.turns[dir]
	if l == nil {
		if len(s.turns) >= turnsAtMost {
			return
		}
		l = new(lastTurn)
		l.idle = time.AfterFunc(turnIdle, func() { s.forgetTurn(dir, l) })
		s.turns[dir] = l
	}
	l.seq, l.under = layout.ParseName(name).Seq, over
	l.idle.Reset(turnIdle)
}

// again is told that a claim stands alone that had to look. Where that comes again and again the directory is worth a
// watch, which is asked for beside everything else.
func (s *Session) again(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.turns[dir]
	if l == nil || l.asked || s.over {
		return
	}
	l.asked = true
	s.wg.Add(1)
	guard.Go(func() {
		defer s.wg.Done()
		w, err := s.link().watch(s.lifetime(), zkc.WatchData, dir)
		s.mu.Lock()
		kept := err == nil && s.turns[dir] == l
		if kept {
			l.watch = w
		}
		s.mu.Unlock()
		if err == nil && !kept {
			w.cancel()
		}
	})
}

// forgetTurn gives up what is remembered of a directory.
func (s *Session) forgetTurn(dir string, l *lastTurn) {
	s.mu.Lock()
	if s.turns[dir] == l {
		delete(s.turns, dir)
	}
	w := l.watch
	l.watch, l.under = nil, nil
	s.mu.Unlock()
	if w != nil {
		w.cancel()
	}
}

// enter makes the ticket's znode. Where the ticket stands in a line it learns at the same time who else does, unless it
// follows the session's last turn.
func (t *ticket) enter(ctx context.Context, flags int32) (zkc.Entered, error) {
	var last int32
	var over *watch
	if t.alone = false; t.inLine && t.s != nil {
		last, over = t.s.recall(t.dir)
	}
	made, err := t.s.link().enter(ctx, znode.Join(t.dir, t.prefix), t.data, flags, t.acl, t.inLine && over == nil)
	if err == nil && over != nil {
		_, name := znode.Split(made.Path)
		seq := layout.ParseName(name).Seq
		t.alone = seq == last+1 && seq > 0 && seq < math.MaxInt32 && over.link == made.Link && over.quiet()
	}
	return made, err
}
