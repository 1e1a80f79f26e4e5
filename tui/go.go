package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// pageItem is the selected line of a page, or nil.
func (a *App) pageItem() *view.Item {
	if p := a.page(); p != nil {
		return p.Current()
	}
	return nil
}

// openSession shows everything of a session: the one named, else the selected one.
func (a *App) openSession(id string) tea.Cmd {
	if id == "" {
		if _, c := a.desk.Subject(); c != nil && c.Session != 0 {
			id = c.Session.String()
		} else if it := a.pageItem(); it != nil && it.To.Session != 0 {
			id = it.To.Session.String()
		}
	}
	if s, ok := znode.ParseSessionID(id); !ok || s == 0 {
		a.say("no session is selected, or that is none: 0x and hexadecimal digits name one", paint.Warn)
		return nil
	}
	a.show("session", id)
	return nil
}

// openEvents shows what happened to the selected recipe.
func (a *App) openEvents() {
	m, _ := a.desk.Subject()
	if m == nil {
		m = a.desk.GoneModel()
	}
	if m == nil {
		a.say("no recipe is selected", paint.Warn)
		return
	}
	a.show("events", m.Path)
}

// openZnode shows the selected claim's znode, or the recipe's where it has no claims.
func (a *App) openZnode() {
	m, c := a.desk.Subject()
	switch it := a.pageItem(); {
	case c != nil:
		a.show("tree", c.Path())
	case m != nil:
		a.show("tree", m.Path)
	case it != nil && it.To.Znode != "":
		a.show("tree", it.To.Znode)
	default:
		a.say("no znode is selected", paint.Warn)
	}
}

// goPath shows the recipe at a path or that a claim there belongs to, or the znode where there is none.
func (a *App) goPath(path string) tea.Cmd {
	if path != "/" {
		path = strings.TrimRight(path, "/")
	}
	switch m, c, how := a.shown.Result.RecipeAt(path); {
	case how == model.ItsClaim:
		a.goTo(m.Path, c.ID())
	case how == model.Itself:
		a.goTo(path, model.ClaimID{})
	default:
		n, why := a.shown.Result.Snapshot.Known(path)
		switch {
		case n != nil:
			a.show("tree", path)
		case why != "":
			a.say(view.NotRead(path, why), paint.Warn)
		default:
			a.say("nothing is at "+term.Safe(path), paint.Warn)
		}
	}
	return nil
}

// toggleFollow keeps the cursor with whoever is first, or with what is newest, instead of with one claim.
func (a *App) toggleFollow() {
	if p := a.page(); p != nil {
		p.List.Loose = !p.List.Loose
		p.Refill()
		a.say(say.Either(p.List.Loose, "following the newest", "staying with the selected line"), paint.Plain)
		return
	}
	a.desk.Claims.List.Loose = !a.desk.Claims.List.Loose
	a.desk.ShowClaims()
	a.say(say.Either(a.desk.Claims.List.Loose, "following whoever is first", "staying with the selected claim"), paint.Plain)
}
