package tui

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// save writes the shown picture to a file that is not there yet; to one named by the time where none is given.
func (a *App) save(file string) tea.Cmd {
	file = a.saveName(file)
	snap := a.shown.Result.Snapshot
	return func() tea.Msg {
		return savedMsg{file, writeNew(file, func(w io.Writer) error { return files.WriteSnapshot(w, snap) }), false}
	}
}

// saveName is where something is saved: in a file that is named, or in one named by the time.
func (a *App) saveName(file string) string {
	if file == "" {
		file = "zkscope-" + a.shown.AsOf().UTC().Format("20060102-150405") + ".jsonl"
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.opts.SaveDir, file)
	}
	if abs, err := filepath.Abs(file); err == nil { // so that what is said of it leads there from anywhere
		file = abs
	}
	return file
}

// writeNew writes a file that is not there yet.
func writeNew(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(file) // half a picture is worse than none
	}
	return err
}

// picture writes the screen as it is drawn to two files that are not there yet: an SVG, and its text.
func (a *App) picture() tea.Cmd {
	frame, s := a.frame(), a.shown.Size
	base := strings.TrimSuffix(a.saveName(""), ".jsonl")
	return func() tea.Msg {
		err := writeNew(base+".svg", func(w io.Writer) error { return paint.SVG(w, frame, s.W, s.H) })
		if err == nil {
			err = writeNew(base+".txt", func(w io.Writer) error { _, err := io.WriteString(w, ansi.Strip(frame)+"\n"); return err })
		}
		return savedMsg{base + ".svg and .txt", err, true}
	}
}

func (a *App) onSaved(m savedMsg) {
	if m.err != nil {
		a.say("not written: "+term.Safe(m.err.Error()), paint.Alert)
		return
	}
	text := "wrote " + term.Safe(m.file)
	if !m.picture {
		text += "; zkscope --from FILE opens it"
	}
	a.say(text, paint.Good)
}
