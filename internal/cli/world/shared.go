package world

import (
	"io"
	"sync"
)

// Shared returns a writer for several goroutines: what each writes at once stays together.
func Shared(w io.Writer) io.Writer { return &shared{w: w} }

type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}
