package cli

import (
	"os"
	"sync"
)

// leftovers are directories of this run that have to be removed at its end, however it ends.
var leftovers temporary

type temporary struct {
	mu   sync.Mutex
	dirs []string
}

// make makes a directory that remove removes.
func (t *temporary) make() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	dir, err := os.MkdirTemp("", "zkscope-*")
	if err == nil {
		t.dirs = append(t.dirs, dir)
	}
	return dir, err
}

// remove removes all of them.
func (t *temporary) remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, dir := range t.dirs {
		os.RemoveAll(dir)
	}
	t.dirs = nil
}
