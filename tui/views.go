package tui

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
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

// page returns the page that is shown, or nil when the recipes are.
func (a *App) page() *page {
	if len(a.pages) == 0 {
		return nil
	}
	return a.pages[len(a.pages)-1]
}

// show opens a view over what is shown; esc leads back. The recipes are below everything.
func (a *App) show(name, arg string) {
	v := a.viewOf(name)
	switch {
	case v == nil:
		return
	case v.fill == nil:
		a.pages, a.returns, a.focus = nil, nil, onList
		return
	}
	if p := a.page(); p != nil && p.view == v && p.arg == arg {
		return
	}
	p := &page{view: v, arg: arg, at: -1}
	a.pages = append(a.pages, p)
	if v.key != "" && arg == "" { // a view of its own, not a detail of the one below
		a.pages = []*page{p}
	}
	a.returns = nil
	p.refill(a)
}

// closePage leads back by one view.
func (a *App) closePage() {
	if a.pages = a.pages[:len(a.pages)-1]; len(a.pages) > 0 {
		a.page().refill(a)
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
	if !a.filter.keepsModel(m) {
		a.filter = filter{}
	}
	a.returns, a.pages = slices.Clone(a.pages), nil
	a.list.sel, a.list.chosen = rowID{string(m.Kind), m.Path}, true
	a.refill()
	a.focus = onClaims
	if a.claims.whole = id == (model.ClaimID{}); !a.claims.whole {
		a.claims.sel = id
		a.claims.show(m)
	}
}
