package console

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/actions"
)

// sharedTTY lets two write to a terminal, each write as a whole.
type sharedTTY struct {
	*os.File
	mu   sync.Mutex
	kept bool // the alternate screen is not left: another console follows, and what lies below is not to show in between
}

func (s *sharedTTY) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept {
		switch string(b) {
		case ansi.ResetModeAltScreenSaveCursor:
			return len(b), nil
		case ansi.SetModeAltScreenSaveCursor:
			s.kept = false
			return len(b), nil
		}
	}
	return s.File.Write(b)
}

// WriteString writes as Write does.
func (s *sharedTTY) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// hold keeps the alternate screen until it is entered again.
func (s *sharedTTY) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = true
}

// release leaves the alternate screen where it was kept.
func (s *sharedTTY) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept {
		s.kept = false
		_, _ = s.File.WriteString(ansi.ResetModeAltScreenSaveCursor)
	}
}

// screen is where the console is drawn.
func (c *consoleRun) screen() io.Writer {
	if f, ok := c.TTY.(*os.File); ok {
		return &sharedTTY{File: f}
	}
	return c.TTY
}

// ring keeps the last lines that were written to it. It may be used from several goroutines.
type ring struct {
	mu    sync.Mutex
	lines []string
}

// ringMost is how many lines a ring keeps.
const ringMost = 500

// Write takes whole lines, as a log handler writes them.
func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, strings.TrimRight(string(b), "\n"))
	if n := len(r.lines) - ringMost; n > 0 {
		r.lines = append(r.lines[:0:0], r.lines[n:]...)
	}
	return len(b), nil
}

// Lines returns what is kept, oldest first.
func (r *ring) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

// readAudit reads the audit log for the console.
func (c *consoleRun) readAudit() ([]actions.Record, error) {
	records, _, err := actions.ReadAudit(c.AuditPath())
	return records, err
}

// firstHint is what somebody sees who has never run the console on this machine.
func (c *consoleRun) firstHint() string {
	mark := filepath.Join(c.StateHome(), "zkscope", "seen")
	if _, err := os.Stat(mark); err == nil {
		return ""
	}
	if os.MkdirAll(filepath.Dir(mark), 0o700) != nil || os.WriteFile(mark, nil, 0o600) != nil {
		return ""
	}
	return "new here? enter opens, / filters, w says why it is stuck, 1-9 are the views, ? lists the keys"
}
