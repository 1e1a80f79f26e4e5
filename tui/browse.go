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
	if !a.searching() {
		a.message = message{} // read or not, it was about an earlier key
	}
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
	for _, d := range a.deeds {
		if key.Matches(msg, *d.key) {
			return d.do()
		}
	}
	return a.viewKey(msg)
}

// deed is what a key does outside of text fields and boxes.
type deed struct {
	key *key.Binding
	do  func() tea.Cmd
}

// bind lists the keys that act or ask, and then those that change what is looked at; of two with one key the first counts.
func (a *App) bind() []deed {
	k, h := &a.shown.Keys, &a.hand
	acts := func(v actions.Verb) func() tea.Cmd { return func() tea.Cmd { return h.Act(v) } }
	inTime := func(by int, handed bool, recorded func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return a.inTime(by, handed, recorded) }
	}
	goes := func(to func(by int) tea.Cmd, by int) func() tea.Cmd { return func() tea.Cmd { return to(by) } }
	return []deed{
		{&k.Quit, a.quit},
		{&k.Redraw, func() tea.Cmd { a.desk.Resort(); return tea.ClearScreen }},
		{&k.Arm, silent(h.ToggleArm)},
		{&k.Revoke, acts(actions.VerbRevoke)},
		{&k.Break, acts(actions.VerbBreak)},
		{&k.Restore, acts(actions.VerbRestore)},
		{&k.Act, func() tea.Cmd { return h.Which("act", a.desk.Subjects(), h.ActMenu) }},
		{&k.Mark, h.ToggleMark},
		{&k.Unmark, silent(func() { h.Marks = nil })},
		{&k.Copy, silent(a.copyMenu)},
		{&k.Notify, silent(a.toggleNotify)},
		{&k.Join, h.JoinHere},
		{&k.Vote, h.VoteHere},
		{&k.Filter, silent(a.typeFilter)},
		{&k.Command, silent(a.typeCommand)},
		{&k.Help, silent(a.help)},
		{&k.Why, silent(a.why)},
		{&k.Pause, a.togglePause},
		{&k.Save, func() tea.Cmd { return a.save("") }},
		{&k.StepOn, inTime(1, false, func() tea.Cmd { return a.step(1) })},
		{&k.StepBack, inTime(-1, false, func() tea.Cmd { return a.step(-1) })},
		{&k.EventOn, inTime(1, false, func() tea.Cmd { return a.jump(1, anEvent) })},
		{&k.EventBack, inTime(-1, false, func() tea.Cmd { return a.jump(-1, anEvent) })},
		{&k.HandOn, inTime(1, true, func() tea.Cmd { return a.jump(1, a.aHandover()) })},
		{&k.HandBack, inTime(-1, true, func() tea.Cmd { return a.jump(-1, a.aHandover()) })},
		{&k.FindingOn, func() tea.Cmd { return a.jump(1, aFinding) }},
		{&k.FindingBack, func() tea.Cmd { return a.jump(-1, aFinding) }},
		{&k.Bookmark, silent(a.bookmark)},
		{&k.MarkOn, goes(a.goMark, 1)},
		{&k.MarkBack, goes(a.goMark, -1)},
		{&k.Closer, goes(a.closer, 1)},
		{&k.Wider, goes(a.closer, -1)},
		{&k.History, func() tea.Cmd { return a.openHistory("") }},
		{&k.Sort, silent(a.desk.NextOrder)},
		{&k.Reverse, silent(a.desk.ReverseOrder)},
		{&k.Follow, silent(a.toggleFollow)},
		{&k.Session, func() tea.Cmd { return a.openSession("") }},
		{&k.Events, silent(a.openEvents)},
		{&k.Znode, silent(a.openZnode)},
	}
}

// silent is a deed that asks for nothing to be run.
func silent(f func()) func() tea.Cmd {
	return func() tea.Cmd { f(); return nil }
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
	switch a.show(name, arg); name {
	case "audit":
		return a.readAudit()
	case view.Profiles:
		a.askFleet()
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
	a.desk.Refilter()
}

// filterText is the text of the filter that setFilter sets.
func (a *App) filterText() string {
	if p := a.page(); p != nil {
		return p.Filter.Text
	}
	return a.shown.Filter.Text
}

// move shifts the selection where the focus is.
func (a *App) move(n int) {
	if a.desk.Model() == nil && a.page() == nil {
		a.desk.Focus = desk.OnList // where the claims are gone there is nothing to move in
	}
	a.shift(a.desk.Focus, n)
}

// shift moves the selection of the page, or of a pane.
func (a *App) shift(at desk.Focus, n int) {
	switch p := a.page(); {
	case p != nil:
		p.List.Move(n, a.shown.PageRect().H)
	case at == desk.OnClaims && a.desk.Model() != nil:
		a.desk.Claims.Move(n, a.desk.Claims.Height)
	default:
		a.desk.List.Move(n, a.shown.Size.List.H)
		a.desk.ShowClaims()
	}
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

// togglePause holds the picture, or goes on; a recording stands still until it is played.
func (a *App) togglePause() tea.Cmd {
	if a.player() != nil {
		return a.togglePlay()
	}
	if a.shown.Hold(); !a.shown.Paused {
		a.desk.Calm()
		a.desk.Refill()
	}
	return nil
}
