package world

import (
	"os"
	"sync"
)

// Leftovers are directories of this run that have to be removed at its end, however it ends.
var Leftovers temporary

type temporary struct {
	mu   sync.Mutex
	dirs []string
}

// Make makes a directory that remove removes.
func (t *temporary) Make() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	dir, err := os.MkdirTemp("", "zkscope-*")
	if err == nil {
		t.dirs = append(t.dirs, dir)
	}
	return dir, err
}

// Remove removes all of them.
func (t *temporary) Remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, dir := range t.dirs {
		os.RemoveAll(dir)
	}
	t.dirs = nil
}
