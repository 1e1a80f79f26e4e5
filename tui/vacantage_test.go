package tui

import (
	"testing"
	"time"
)

// That nobody leads is told only when it has lasted: for how long is counted from when that was first seen.
func TestHowLongNobodyLeadsIsCountedFromTheBeginning(t *testing.T) {
	s := newStage()
	s.add("/brokers/ids/1", sA, time.Minute, "{}").add("/controller", sA, time.Minute, "1")
	d := drive(t, s, 120, 40)
	s.del("/controller")
	d.Sync().See("nothing needs attention")
	d.Wait(12 * time.Second).Sync().See("vacant 12s /controller")
	d.Wait(8 * time.Second).Sync().See("vacant 20s /controller")
}
