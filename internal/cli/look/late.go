package look

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// A command makes much in a second or two and ends: most of what the collector would go over again and again is needed to
// the end.
// A recording of whatever length is read in about the memory that its tree takes and that of streamMost.
const (
	latePercent = 400
	lateMost    = 384 << 20
	streamMost  = 72 << 20
)

// late says that somebody collects late: it is the whole process that does.
var late atomic.Bool

// collectLate lets the collector wait until the heap is five times what was in use, or the process has most bytes, whichever
// comes first. Where half of most is in use, it works as always again. GOGC and GOMEMLIMIT of the environment stay. The
// returned function ends it.
func collectLate(most int64) (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || !late.CompareAndSwap(false, true) {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(latePercent), debug.SetMemoryLimit(most)
	back := sync.OnceFunc(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		late.Store(false)
	})
	var ended atomic.Bool
	afterCollection(func() (again bool) {
		if inUse() > uint64(most)/2 {
			back()
			return false
		}
		return !ended.Load()
	})
	return func() {
		ended.Store(true)
		back()
	}
}

// afterCollection calls a function after a collection, and after each that follows for as long as it returns true.
func afterCollection(do func() (again bool)) {
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		if do() {
			afterCollection(do)
		}
	}, struct{}{})
}

// inUse is what the last collection left.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
