package join

import (
	"testing"
	"time"
)

// A command that loses us has a part of the session that the server granted, which may be shorter than what was asked for.
func TestTheGraceOfAnOrphan(t *testing.T) {
	for _, x := range []struct{ asked, granted, want time.Duration }{
		{60 * time.Second, 4 * time.Second, time.Second}, {8 * time.Second, 8 * time.Second, 2 * time.Second}, {8 * time.Second, 40 * time.Second, 2 * time.Second}, {8 * time.Second, 0, 2 * time.Second},
	} {
		if got := orphanGrace(x.asked, x.granted); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}
