package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// What lies on the recipes is a stack: pages, and over them at most one box, text or line that is typed.

// page returns the page that is shown, or nil when the recipes are.
func (a *App) page() *view.Page {
	all := a.pages()
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// pages are those that were opened over the recipes, the last of which is shown.
func (a *App) pages() (out []*view.Page) {
	for _, l := range a.stack.All() {
		if p, ok := l.(*view.Page); ok {
			out = append(out, p)
		}
	}
	return out
}

// setPages shows pages instead of those that are open.
func (a *App) setPages(pages ...*view.Page) {
	a.stack.Keep(func(l layer.Layer) bool {
		p, ok := l.(*view.Page)
		return !ok || slices.Contains(pages, p)
	})
	for _, p := range pages {
		if p.Closed = false; !slices.Contains(a.pages(), p) {
			a.stack.Push(p)
		}
	}
}

// closeBoxes takes away what asks, and what is read.
func (a *App) closeBoxes() {
	a.stack.Keep(func(l layer.Layer) bool {
		_, page := l.(*view.Page)
		return page
	})
}

// onKey gives a key to what is on top. Two quick ESC arrive as one alt+esc and count as two. Over a slow
// line several keys arrive as one message: they are taken one by one, but those behind one that opened a
// dialog are refused, and it says so: they were not meant for it. A paste is text, never keys: where no text is asked
// for it is dropped as well.
func (a *App) onKey(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste && !a.stack.Typing() {
		a.say("a paste is not taken as keys", paint.Warn)
		return nil
	}
	var cmds []tea.Cmd
	for len(msg.Runes) > 1 && !msg.Paste && !msg.Alt && !a.stack.Typing() {
		one := msg
		one.Runes, msg.Runes = msg.Runes[:1], msg.Runes[1:]
		cmds = append(cmds, a.onKey(one))
		if d, opened := a.stack.Top().(interface{ Ahead(int) }); opened {
			d.Ahead(len(msg.Runes))
			return tea.Batch(cmds...)
		}
	}
	return tea.Batch(append(cmds, a.oneKey(msg))...)
}

// oneKey gives a single key, or a text, to what is on top.
func (a *App) oneKey(msg tea.KeyMsg) tea.Cmd {
	if key.Matches(msg, a.shown.Keys.Abort) {
		return a.quit()
	}
	if key.Matches(msg, a.shown.Keys.Suspend) {
		return a.suspend()
	}
	if key.Matches(msg, a.shown.Keys.Picture) {
		return a.picture()
	}
	if a.shown.Size.TooSmall { // what cannot be seen is not decided on
		if !act.Busy(&a.stack) && key.Matches(msg, a.shown.Keys.Quit) {
			return a.quit()
		}
		return nil
	}
	if msg.Type == tea.KeyEsc && msg.Alt {
		msg.Alt = false
		a.onKey(msg)
	}
	if a.searching() && !a.stack.Typing() && key.Matches(msg, a.shown.Keys.Back) {
		return a.stopSearch()
	}
	if l := a.stack.Top(); l != nil {
		return l.Key(msg)
	}
	return a.browseKey(msg)
}

func (a *App) quit() tea.Cmd {
	a.Close()
	return tea.Quit
}

// typeFilter opens the line in which what is shown is filtered.
func (a *App) typeFilter() {
	if a.page() == nil {
		a.desk.Focus = desk.OnList
	}
	f := &layer.FilterLine{Set: a.setFilter, Keep: a.keepFilter, Kept: a.filtered}
	f.Open(&a.host, a.filterText())
	a.stack.Push(f)
}

// filtered says how much the filter of what is shown keeps, and what is wrong with it.
func (a *App) filtered() (of, wrong string) {
	if p := a.page(); p != nil {
		return paint.Counted(p.Count(), "line", "lines"), p.Filter.Wrong
	}
	shown, all := paint.Number(a.desk.List.Recipes), a.shown.Result.Models.Len()
	if all == 0 {
		return shown + " recipes", a.shown.Filter.Wrong
	}
	return shown + " of " + paint.Counted(all, "recipe", "recipes"), a.shown.Filter.Wrong
}

// typeCommand opens the line in which a command is typed.
func (a *App) typeCommand() {
	a.palette.Open(&a.host)
	a.stack.Push(a.palette)
}

// recipePaths are the paths of the recipes that there are.
func (a *App) recipePaths() (out []string) {
	for m := range a.shown.Result.Models.All() {
		out = append(out, term.Safe(m.Path))
	}
	return out
}

// told is the message that is shown; empty: none.
func (a *App) told() string {
	switch {
	case a.searching():
		return a.message.text + a.searchText()
	case a.shown.Now.Before(a.message.until):
		return a.message.text
	}
	return ""
}
