package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// focus is the pane that the movement keys move in.
type focus uint8

const (
	onList focus = iota
	onClaims
)

// browseKey handles a key outside of text fields and boxes: first those that act or ask, then those that
// change what is looked at, then those that move.
func (a *App) browseKey(msg tea.KeyMsg) tea.Cmd {
	k := a.shown.Keys
	a.message = message{} // read or not, it was about an earlier key
	a.list.Loose = false  // from the first key on at the latest
	if k.Acts(msg) {
		why := a.misaimed()
		if k.AboutRecipe(msg) {
			why = a.misplaced()
		}
		if why != "" {
			a.say(why, paint.Warn)
			return nil
		}
	}
	switch {
	case key.Matches(msg, k.Quit):
		return a.quit()
	case key.Matches(msg, k.Redraw):
		return tea.ClearScreen
	case key.Matches(msg, k.Arm):
		a.hand.ToggleArm()
	case key.Matches(msg, k.Revoke):
		return a.hand.Act(actions.VerbRevoke)
	case key.Matches(msg, k.Break):
		return a.hand.Act(actions.VerbBreak)
	case key.Matches(msg, k.Restore):
		return a.hand.Act(actions.VerbRestore)
	case key.Matches(msg, k.Act):
		return a.hand.Which("act", a.subjects(), a.hand.ActMenu)
	case key.Matches(msg, k.Mark):
		return a.hand.ToggleMark()
	case key.Matches(msg, k.Unmark):
		a.hand.Marks = nil
	case key.Matches(msg, k.Copy):
		a.copyMenu()
	case key.Matches(msg, k.Notify):
		a.toggleNotify()
	case key.Matches(msg, k.Join):
		return a.hand.JoinHere()
	case key.Matches(msg, k.Vote):
		return a.hand.VoteHere()
	default:
		return a.lookKey(msg)
	}
	return nil
}

func (a *App) lookKey(msg tea.KeyMsg) tea.Cmd {
	k := a.shown.Keys
	switch {
	case key.Matches(msg, k.Filter):
		a.typeFilter()
	case key.Matches(msg, k.Command):
		a.typeCommand()
	case key.Matches(msg, k.Help):
		a.help()
	case key.Matches(msg, k.Why):
		a.why()
	case key.Matches(msg, k.Pause):
		a.togglePause()
	case key.Matches(msg, k.Save):
		return a.save("")
	case key.Matches(msg, k.StepOn):
		return a.step(1)
	case key.Matches(msg, k.StepBack):
		return a.step(-1)
	case key.Matches(msg, k.EventOn):
		return a.jumpEvent(1)
	case key.Matches(msg, k.EventBack):
		return a.jumpEvent(-1)
	case key.Matches(msg, k.Sort):
		a.nextOrder()
	case key.Matches(msg, k.Reverse):
		a.reverseOrder()
	case key.Matches(msg, k.Follow):
		a.toggleFollow()
	case key.Matches(msg, k.Session):
		return a.openSession("")
	case key.Matches(msg, k.Events):
		a.openEvents()
	case key.Matches(msg, k.Znode):
		a.openZnode()
	default:
		return a.viewKey(msg)
	}
	return nil
}

// viewKey opens a view by its key, or moves.
func (a *App) viewKey(msg tea.KeyMsg) tea.Cmd {
	for _, v := range view.All {
		if v.Key != "" && v.Key == msg.String() {
			return a.open(v.Name, "")
		}
	}
	if p := a.page(); p != nil {
		return a.pageKey(p, msg)
	}
	a.moveKey(msg)
	return nil
}

// open shows a view, and reads what it needs.
func (a *App) open(name, arg string) tea.Cmd {
	if a.show(name, arg); name == "audit" {
		return a.readAudit()
	}
	return nil
}

func (a *App) moveKey(msg tea.KeyMsg) {
	k := a.shown.Keys
	page := max(1, a.shown.Size.List.H/2)
	if a.focus == onClaims {
		page = max(1, a.shown.Size.Panel.H/2)
	}
	switch {
	case key.Matches(msg, k.Open):
		if m := a.model(); m != nil {
			a.focus, a.list.Loose, a.claims.Whole = onClaims, false, false
		}
	case key.Matches(msg, k.Back):
		a.back()
	case key.Matches(msg, k.Next):
		if a.focus, a.claims.Whole = onClaims-a.focus, false; a.model() == nil {
			a.focus = onList
		}
	case key.Matches(msg, k.Up):
		a.move(-1)
	case key.Matches(msg, k.Down):
		a.move(1)
	case key.Matches(msg, k.PageUp):
		a.move(-page)
	case key.Matches(msg, k.PageDown):
		a.move(page)
	case key.Matches(msg, k.Top):
		a.move(-1 << 30)
	case key.Matches(msg, k.Bottom):
		a.move(1 << 30)
	case key.Matches(msg, k.NextKind):
		a.jump(1)
	case key.Matches(msg, k.PrevKind):
		a.jump(-1)
	}
}

// jump goes to the first recipe of the next section, or of the one before.
func (a *App) jump(step int) {
	a.focus = onList
	a.list.Jump(step)
	a.showClaims()
}

// back leaves the claims, to the view that they were opened from where there is one, then the filter; it
// never quits.
func (a *App) back() {
	switch {
	case a.focus == onClaims:
		a.focus = onList
		if len(a.returns) > 0 {
			a.setPages(a.returns...)
			a.returns = nil
			a.page().Refill()
		}
	case a.shown.Filter.Text != "":
		a.setFilter("")
	}
}

// setFilter filters what is shown: the page, or the recipes.
func (a *App) setFilter(text string) {
	if p := a.page(); p != nil {
		p.Filter = widget.ParseFilter(text)
		p.Refill()
		return
	}
	a.shown.Filter = widget.ParseFilter(text)
	a.refill()
}

// filterText is the text of the filter that setFilter sets.
func (a *App) filterText() string {
	if p := a.page(); p != nil {
		return p.Filter.Text
	}
	return a.shown.Filter.Text
}

func (a *App) move(n int) {
	if p := a.page(); p != nil {
		p.List.Move(n, a.shown.PageRect().H)
		return
	}
	if a.focus == onClaims && a.model() != nil {
		a.claims.Move(n, a.claims.Height)
		return
	}
	a.focus = onList // where the claims are gone there is nothing to move in
	a.list.Move(n, a.shown.Size.List.H)
	a.showClaims()
}

// keepFilter ends the typing: the first match is selected and its claims are shown.
func (a *App) keepFilter() {
	if p := a.page(); p != nil {
		p.List.First()
		return
	}
	a.list.Loose = false
	a.list.First()
	if a.showClaims(); a.shown.Size.Single && a.model() != nil {
		a.focus, a.claims.Whole = onClaims, true
	}
}

func (a *App) togglePause() {
	if a.shown.Hold(); !a.shown.Paused {
		a.calm()
		a.refill()
	}
}
