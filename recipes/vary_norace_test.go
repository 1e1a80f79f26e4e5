//go:build !race

package recipes

import "testing"

// go-zookeeper 1.0.4 itself races when it reconnects with watches set (it reads the last zxid that it saw while its
// receiver writes it), so these are played without the race detector: make test runs them apart.

// TestALostReplyOnABorrowedConnection plays every recipe on go-zookeeper's connections, once per request and with
// its reply lost.
func TestALostReplyOnABorrowedConnection(t *testing.T) {
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			v := variation{borrowed: true}
			n := performWith(t, a, -1, "", v)
			if n == 0 {
				t.Fatal("no requests")
			}
			for _, what := range []string{"lost before", "lost after"} {
				for at := 0; at < n && !t.Failed(); at++ {
					performWith(t, a, at, what, v)
				}
			}
		})
	}
}
