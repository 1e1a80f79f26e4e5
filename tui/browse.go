package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// browseKey handles a key outside of text fields and boxes: first those that act or ask, then those that
// change what is looked at, then those that move.
func (a *App) browseKey(msg tea.KeyMsg) tea.Cmd {
	k := a.shown.Keys
	a.message = message{}     // read or not, it was about an earlier key
	a.desk.List.Loose = false // from the first key on at the latest
	if k.Acts(msg) {
		why := a.desk.Misaimed()
		if k.AboutRecipe(msg) {
			why = a.desk.Misplaced()
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
		return a.hand.Which("act", a.desk.Subjects(), a.hand.ActMenu)
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
		a.desk.NextOrder()
	case key.Matches(msg, k.Reverse):
		a.desk.ReverseOrder()
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
	if a.desk.Focus == desk.OnClaims {
		page = max(1, a.shown.Size.Panel.H/2)
	}
	switch {
	case key.Matches(msg, k.Open):
		if m := a.desk.Model(); m != nil {
			a.desk.Focus, a.desk.List.Loose, a.desk.Claims.Whole = desk.OnClaims, false, false
		}
	case key.Matches(msg, k.Back):
		a.back()
	case key.Matches(msg, k.Next):
		if a.desk.Focus, a.desk.Claims.Whole = desk.OnClaims-a.desk.Focus, false; a.desk.Model() == nil {
			a.desk.Focus = desk.OnList
		}
	case key.Matches(msg, k.NextKind):
		a.desk.Jump(1)
	case key.Matches(msg, k.PrevKind):
		a.desk.Jump(-1)
	default:
		if by, moves := k.Step(msg, page); moves {
			a.move(by)
		}
	}
}

// back leaves the claims, to the view that they were opened from where there is one, then the filter; it
// never quits.
func (a *App) back() {
	switch {
	case a.desk.Focus == desk.OnClaims:
		a.desk.Focus = desk.OnList
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
	a.desk.Refill()
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
	if a.desk.Focus == desk.OnClaims && a.desk.Model() != nil {
		a.desk.Claims.Move(n, a.desk.Claims.Height)
		return
	}
	a.desk.Focus = desk.OnList // where the claims are gone there is nothing to move in
	a.desk.List.Move(n, a.shown.Size.List.H)
	a.desk.ShowClaims()
}

// keepFilter ends the typing: the first match is selected and its claims are shown.
func (a *App) keepFilter() {
	if p := a.page(); p != nil {
		p.List.First()
		return
	}
	a.desk.List.Loose = false
	a.desk.List.First()
	if a.desk.ShowClaims(); a.shown.Size.Single && a.desk.Model() != nil {
		a.desk.Focus, a.desk.Claims.Whole = desk.OnClaims, true
	}
}

func (a *App) togglePause() {
	if a.shown.Hold(); !a.shown.Paused {
		a.desk.Calm()
		a.desk.Refill()
	}
}
