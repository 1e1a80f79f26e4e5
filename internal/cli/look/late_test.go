package look

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// set reads how the collector works.
func set() (percent int, limit int64) {
	percent = debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent, debug.SetMemoryLimit(-1)
}

// The collector works as always again when the command ends, and before that where much is in use.
func TestCollectingLateIsBoundedAndEnds(t *testing.T) {
	percent, limit := set()
	stop := collectLate(lateMost)
	if p, l := set(); p != latePercent || l != lateMost {
		t.Errorf("%d %d", p, l)
	}
	collectLate(1)()
	if p, _ := set(); p != latePercent {
		t.Error("another's end has ended it")
	}
	stop()
	if p, l := set(); p != percent || l != limit {
		t.Errorf("%d %d, not %d %d", p, l, percent, limit)
	}
	stop = collectLate(32 << 20)
	defer stop()
	much := make([]byte, 20<<20)
	peers.WaitFor(t, 20*time.Second, "that it works as always", func() bool {
		runtime.GC()
		p, l := set()
		return p == percent && l == limit
	})
	runtime.KeepAlive(much)
}
