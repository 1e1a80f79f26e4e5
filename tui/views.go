package tui

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// views are the console's views beside the recipes, in the order of their keys.
func views() []*view {
	return []*view{
		{name: "recipes", key: "1", what: "recipes and the claims of one"},
		overviewView(), waitsView(), sessionsView(), eventsView(), serversView(), treeView(), joinedView(), auditView(), logView(),
		sessionView(), placeView(),
	}
}

// viewOf finds a view by its name.
func (a *App) viewOf(name string) *view {
	for _, v := range a.views {
		if v.name == name {
			return v
		}
	}
	return nil
}

// show opens a view over what is shown; esc leads back. The recipes are below everything.
func (a *App) show(name, arg string) {
	v := a.viewOf(name)
	switch {
	case v == nil:
		return
	case v.fill == nil:
		a.setPages()
		a.returns, a.focus = nil, onList
		return
	}
	if p := a.page(); p != nil && p.view == v && p.arg == arg {
		return
	}
	p := newPage(a, v, arg)
	if v.key != "" && arg == "" { // a view of its own, not a detail of the one below
		a.setPages()
	}
	a.stack.Push(p)
	a.returns = nil
	p.refill()
}

// closePage leads back by one view.
func (a *App) closePage() {
	a.page().closed = true
	if p := a.page(); p != nil {
		p.refill()
	}
}

// openItem follows the selected line of a page.
func (a *App) openItem() {
	p := a.page()
	it := p.current()
	if it == nil || p.view.open != nil && p.view.open(a, p, it) {
		return
	}
	switch t := it.to; {
	case t.view != "":
		a.show(t.view, t.arg)
	case t.recipe != "":
		a.goTo(t.recipe, t.claim)
	case t.session != 0:
		a.show("session", t.session.String())
	case t.znode != "":
		a.show("tree", t.znode)
	}
}

// goTo shows a recipe among the others, at a claim where one is named; esc leads back to the view that it
// was opened from.
func (a *App) goTo(path string, id model.ClaimID) {
	m := a.res.ByPath(path)
	if m == nil {
		a.say("that recipe is no more", paint.Warn)
		return
	}
	if !keepsModel(&a.filter, m) {
		a.filter = widget.Filter{}
	}
	a.returns = a.pages()
	a.setPages()
	a.list.Loose = false
	a.list.Select(rowID{string(m.Kind), m.Path})
	a.refill()
	a.focus = onClaims
	if a.claims.whole = id == (model.ClaimID{}); !a.claims.whole {
		a.claims.list.Select(id)
	}
}
