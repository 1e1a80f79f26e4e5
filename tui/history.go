package tui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// storyMsg is what a recording tells of a recipe.
type storyMsg struct {
	path  string
	story view.Story
}

// openHistory shows the history of the recipe at a path, else of the selected one; that of a recording is read for it.
func (a *App) openHistory(path string) tea.Cmd {
	if m, _ := a.desk.Subject(); path == "" && m != nil {
		path = m.Path
	} else if m := a.desk.GoneModel(); path == "" && m != nil {
		path = m.Path
	}
	if path == "" {
		a.say("no recipe is selected", paint.Warn)
		return nil
	}
	src, recorded := a.opts.Source.(backend.Historian)
	var read tea.Cmd
	if _, there := a.shown.Stories[path]; recorded && !there {
		if a.shown.Stories == nil {
			a.shown.Stories = map[string]view.Story{}
		}
		a.shown.Stories[path] = view.Story{}
		hints := a.opts.Hints
		read = func() tea.Msg {
			c, err := src.Story(path, hints)
			return storyMsg{path, view.Story{Chronicle: c, Err: err}}
		}
	}
	a.show("history", path)
	return read
}

func (a *App) onStory(m storyMsg) {
	a.shown.Stories[m.path] = m.story
	a.desk.RefreshPage()
}

// history is the page with a history that is shown, or nil.
func (a *App) history() *view.Page {
	if p := a.page(); p != nil && p.View.Name == "history" {
		return p
	}
	return nil
}

// closer zooms into a history, or out of it; elsewhere it is how fast a recording is played.
func (a *App) closer(by int) tea.Cmd {
	p := a.history()
	if p == nil {
		return a.faster(by)
	}
	p.Times.Zoom = max(0, min(p.Times.Zoom+by, len(chart.Units)))
	p.Refill()
	return nil
}

// inTime moves a recording; in the history of what is seen live it moves the cursor to what happened next there, or before,
// and behind the last of that to now.
func (a *App) inTime(by int, handed bool, recorded func() tea.Cmd) tea.Cmd {
	p := a.history()
	if p == nil || a.player() != nil {
		return recorded()
	}
	all, at := p.Moments(handed), p.Moment()
	i, there := slices.BinarySearchFunc(all, at, time.Time.Compare)
	if by > 0 && there {
		i++
	} else if by < 0 {
		i--
	}
	switch {
	case i >= len(all):
		p.Times.At = time.Time{}
	case i < 0:
		a.say(say.Either(len(all) == 0, "nothing has happened here as far as it was seen", "that is the first that was seen"), paint.Warn)
	default:
		p.Times.At = all[i]
	}
	p.Refill()
	return nil
}
