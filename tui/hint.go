package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

// hint tells the decoder what the selected path is. It lasts as long as the console.
func (a *App) hint(kind string) tea.Cmd {
	path := ""
	if m, _ := a.desk.Subject(); m != nil {
		path = m.Path
	}
	if p := a.page(); p != nil && p.View.Name == "tree" {
		path = a.shown.TreePath(p)
	}
	if path == "" {
		a.say("select a recipe, or go to a znode in the tree, first", paint.Warn)
		return nil
	}
	if !known(layout.Kind(kind)) {
		a.say("no such kind; there are "+strings.Join(layout.KindNames(), " "), paint.Warn)
		return nil
	}
	rules := append([]model.Hint{{Path: path, Kind: layout.Kind(kind)}}, a.opts.Hints.Rules...)
	a.opts.Hints.Rules = rules
	a.hints++
	a.say("reading "+term.Safe(path)+" as "+kind, paint.Good)
	return a.redecode(true)
}

// redecode reads the picture anew with the hints of now, and with all that is remembered. With aside nobody waits for the
// next one on its account.
func (a *App) redecode(aside bool) tea.Cmd {
	src, hints, gen, prev := a.opts.Source, a.opts.Hints, a.hints, a.shown.LiveWaits
	if a.player() != nil {
		return func() tea.Msg {
			m := picture.Take(src, hints, picture.Past(src, hints))
			m.Events, m.Gen, m.Aside, m.Jump = nil, gen, aside, true
			return m
		}
	}
	return func() tea.Msg {
		m := picture.Take(src, hints, prev)
		m.Gen, m.Aside, m.Base = gen, aside, prev
		return m
	}
}

func known(k layout.Kind) bool {
	return slices.Contains(layout.Kinds(), k)
}

// own notes that a session is ours: the picture is read anew with that.
func (a *App) own(id znode.SessionID) tea.Cmd {
	if slices.Contains(a.opts.Hints.Own, id) {
		return nil
	}
	a.opts.Hints.Own = append(slices.Clone(a.opts.Hints.Own), id)
	a.hints++
	return a.redecode(true)
}
