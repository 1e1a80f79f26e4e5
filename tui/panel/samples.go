package panel

import (
	"time"
)

// Sample is how deep a queue was at a moment.
type Sample struct {
	At           time.Time
	Depth, Taken int
}

func depths(past []Sample) []int {
	out := make([]int, len(past))
	for i, s := range past {
		out[i] = s.Depth
	}
	return out
}
