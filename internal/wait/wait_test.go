package wait

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatCutsAWaitShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if !For(t.Context(), time.Minute) || time.Since(began) != time.Minute {
			t.Errorf("over after %v", time.Since(began))
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		began = time.Now()
		if For(ctx, time.Minute) || time.Since(began) != time.Second {
			t.Errorf("cut short after %v", time.Since(began))
		}
		if For(ctx, 0) || !For(t.Context(), -1) {
			t.Error("no time is no wait, and the context counts")
		}
	})
}
