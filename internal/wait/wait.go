// Package wait waits for a time that its context can cut short.
//
// # Concurrency
//
// Its function may be called from any goroutine, and starts none.
package wait

import (
	"context"
	"time"
)

// For waits for d, and reports whether it was over before ctx ended. A d of zero or less is no wait.
func For(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
