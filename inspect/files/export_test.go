package files

import "testing"

// SetPace lets moments be taken together sooner, until a test ends.
func SetPace(t *testing.T, first, next int) {
	f, n := paceFirst, paceNext
	paceFirst, paceNext = first, next
	t.Cleanup(func() { paceFirst, paceNext = f, n })
}

// SetBeside has tapes read beside the decoding from so many states on, until a test ends.
func SetBeside(t *testing.T, from int) {
	was := besideFrom
	besideFrom = from
	t.Cleanup(func() { besideFrom = was })
}
