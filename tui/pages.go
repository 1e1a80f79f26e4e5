package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// show opens a view over what is shown; esc leads back. The recipes are below everything.
func (a *App) show(name, arg string) {
	v := view.Named(name)
	switch {
	case v == nil:
		return
	case v.Fill == nil:
		a.setPages()
		a.returns, a.desk.Focus = nil, desk.OnList
		return
	}
	if p := a.page(); p != nil && p.View == v && p.Arg == arg {
		return
	}
	p := view.NewPage(&a.shown, v, arg)
	p.Press, p.Screen = a.browseKey, func() []string { return a.pageScreen(p) }
	if v.Key != "" && arg == "" { // a view of its own, not a detail of the one below
		a.setPages()
	}
	a.stack.Push(p)
	a.returns = nil
	p.Resort()
}

// closePage leads back by one view.
func (a *App) closePage() {
	a.page().Closed = true
	if p := a.page(); p != nil {
		p.Refill()
	}
}

// openItem follows the selected line of a page.
func (a *App) openItem() tea.Cmd {
	p := a.page()
	it := p.Current()
	if it == nil {
		return nil
	}
	switch t := it.To; {
	case t.View == "profile":
		return a.changeTo(t.Arg)
	case t.View == "kind":
		a.narrow("=" + t.Arg)
	case t.View != "":
		a.show(t.View, t.Arg)
	case t.Recipe != "":
		a.goTo(t.Recipe, t.Claim)
	case t.Session != 0:
		a.show("session", t.Session.String())
	case t.Znode != "":
		a.show("tree", t.Znode)
	}
	return nil
}

// goTo shows a recipe among the others, at a claim where one is named; esc leads back to the view that it
// was opened from.
func (a *App) goTo(path string, id model.ClaimID) {
	m := a.shown.Result.ByPath(path)
	if m == nil {
		a.say("that recipe is gone", paint.Warn)
		return
	}
	if !view.KeepsModel(&a.shown.Filter, m) {
		a.shown.Filter = widget.Filter{}
	}
	a.returns = a.pages()
	a.setPages()
	a.desk.List.Loose = false
	a.desk.List.Select(view.RowID{Section: string(m.Kind), Path: m.Path})
	a.desk.Refill()
	a.desk.Focus = desk.OnClaims
	if a.desk.Claims.Whole = id == (model.ClaimID{}); !a.desk.Claims.Whole {
		a.desk.Claims.List.Select(id)
		a.desk.ShowClaims() // where that claim is gone another is selected
	}
}
