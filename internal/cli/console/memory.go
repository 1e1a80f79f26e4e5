package console

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/usual"
)

// memory has the console note how long recipes are held, where the configuration says so, and weigh what is held now by that.
// stop ends it and waits until what was seen is written.
func (c *consoleRun) memory(ctx context.Context, t command.Target, terms limits.Terms, log *slog.Logger) (note func([]story.Event), weigh func(*model.Result) *model.Result, stop func()) {
	b, err := look.Remembers(c.Line, t, &terms)
	if err != nil {
		log.Warn("no local history", "cause", err)
	}
	if b == nil {
		return nil, look.Judge(terms), func() {}
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
