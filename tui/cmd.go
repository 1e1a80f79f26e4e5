package tui

import (
	"os"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// save writes the shown picture to a file that is not there yet; to one named by the time where none is given.
func (a *App) save(file string) tea.Cmd {
	if file == "" {
		file = "zkscope-" + a.shown.AsOf().UTC().Format("20060102-150405") + ".jsonl"
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.opts.SaveDir, file)
	}
	if abs, err := filepath.Abs(file); err == nil { // so that what is said of it leads there from anywhere
		file = abs
	}
	snap := a.shown.Result.Snapshot
	return func() tea.Msg { return savedMsg{file, writeNew(file, snap)} }
}

func writeNew(file string, snap *znode.Snapshot) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = files.WriteSnapshot(f, snap)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(file) // half a picture is worse than none
	}
	return err
}

func (a *App) onSaved(m savedMsg) {
	if m.err != nil {
		a.say("not written: "+term.Safe(m.err.Error()), paint.Alert)
		return
	}
	a.say("wrote "+term.Safe(m.file)+"; zkscope --from FILE opens it", paint.Good)
}
