package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/usual"
)

// remembered reads for how long the local history is kept; 0: there is none.
func remembered(text string) (keep time.Duration, wrong string) {
	if text == "" {
		return 0, ""
	}
	n, wrong := limitOf(text, false)
	return max(0, time.Duration(n)), wrong
}

// remembers adds what is usual in an ensemble to the terms, where the configuration has a local history kept; nil: it has not.
func (c *command) remembers(t target, terms *limits.Terms) (*usual.Book, error) {
	keep, _ := remembered(c.cfg.LocalHistory)
	if keep == 0 {
		return nil, nil
	}
	b, err := usual.Open(filepath.Join(c.stateHome(), "zkscope", "usual", bookOf(c.profileInUse(), t)), keep, c.Now)
	if err != nil {
		return nil, fmt.Errorf("the local history is not used: %w", err)
	}
	terms.Usual = b.Usual(limits.UsualLeast)
	return b, nil
}

// bookOf is the name of the file for an ensemble: that of its profile, else its servers as they were named, and what tells it
// from others that are spelled alike.
func bookOf(profile string, t target) string {
	name := profile
	if name == "" {
		name = t.name
	}
	sum := sha256.Sum256([]byte(name))
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, name)
	return plain[:min(len(plain), 40)] + "-" + hex.EncodeToString(sum[:4]) + ".jsonl"
}

// memory has the console note how long recipes are held, where the configuration says so, and weigh what is held now by that.
// stop ends it and waits until what was seen is written.
func (c *consoleRun) memory(ctx context.Context, t target, terms limits.Terms, log *slog.Logger) (note func([]story.Event), weigh func(*model.Result) *model.Result, stop func()) {
	b, err := c.remembers(t, &terms)
	if err != nil {
		log.Warn("no local history", "cause", err)
	}
	if b == nil {
		return nil, judge(terms), func() {}
	}
	var now atomic.Pointer[limits.Terms]
	now.Store(&terms)
	ctx, cancel := context.WithCancel(ctx)
	var writes sync.WaitGroup
	writes.Go(guard.Func(func() {
		b.Keep(ctx, func(err error) {
			if err != nil {
				log.Warn("the local history was not written", "cause", err)
			}
			newer := terms
			newer.Usual = b.Usual(limits.UsualLeast)
			now.Store(&newer)
		})
	}))
	return func(events []story.Event) { noteHeld(b, events) }, func(r *model.Result) *model.Result { return now.Load().Apply(r) },
		func() { cancel(); writes.Wait() }
}

// noteHeld takes in how long claims held whose whole time was seen.
func noteHeld(b *usual.Book, events []story.Event) {
	for i := range events {
		if e := &events[i]; e.Held > 0 && !e.Unseen() && !e.Kind.Leads() {
			b.Note(e.Path, e.Held, e.At)
		}
	}
}
