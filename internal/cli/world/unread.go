package world

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
)

// ErrUnread is the cause by which a context ends whose output nobody reads any more.
var ErrUnread = errors.New("nobody reads the output any more")

// listenEvery is how often it is asked whether somebody still reads.
const listenEvery = 250 * time.Millisecond

// WhileRead is a context for what goes on and may print nothing for hours: it ends, by ErrUnread, when out is a pipe
// that nobody reads any more, as after head has seen enough. What prints meanwhile is ended by the system.
func WhileRead(ctx context.Context, out io.Writer) (reading context.Context, stop func()) {
	f, ok := out.(*os.File)
	if !ok || !hearsReaders {
		return ctx, func() {}
	}
	if st, err := f.Stat(); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		return ctx, func() {}
	}
	reading, end := context.WithCancelCause(ctx)
	done := make(chan struct{})
	guard.Go(func() {
		defer close(done)
		for reading.Err() == nil {
			if unread(f.Fd(), listenEvery) {
				end(ErrUnread)
			}
		}
	})
	return reading, func() { end(nil); <-done }
}
