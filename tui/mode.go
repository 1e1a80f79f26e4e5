package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// mode decides who takes the keys.
type mode uint8

const (
	browsing   mode = iota
	filtering       // the filter is typed
	commanding      // a command is typed
	choosing        // a menu is open
	filling         // a form is open
	reading         // a text is shown
	asking          // a dialog is open
)

// focus is the pane that the movement keys move in.
type focus uint8

const (
	onList focus = iota
	onClaims
)

// onKey gives a key to the current mode. Two quick ESC arrive as one alt+esc and count as two. Over a slow
// line several keys arrive as one message: they are taken one by one, but those behind one that opened a
// dialog are refused, and it says so: they were not meant for it. A paste is text, never keys: where no text is asked
// for it is dropped as well.
func (a *App) onKey(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste && !a.typing() {
		a.say("a paste is not taken as keys", paint.Warn)
		return nil
	}
	var cmds []tea.Cmd
	for len(msg.Runes) > 1 && !msg.Paste && !msg.Alt && !a.typing() {
		one := msg
		one.Runes, msg.Runes = msg.Runes[:1], msg.Runes[1:]
		cmds = append(cmds, a.onKey(one))
		if a.mode == asking {
			a.dialog.ahead += len(msg.Runes)
			return tea.Batch(cmds...)
		}
	}
	return tea.Batch(append(cmds, a.oneKey(msg))...)
}

// oneKey gives a single key, or a text, to the current mode.
func (a *App) oneKey(msg tea.KeyMsg) tea.Cmd {
	if key.Matches(msg, a.keys.Abort) {
		return a.quit()
	}
	if key.Matches(msg, a.keys.Suspend) {
		return a.suspend()
	}
	if a.size.TooSmall { // what cannot be seen is not decided on
		if a.mode == browsing && key.Matches(msg, a.keys.Quit) {
			return a.quit()
		}
		return nil
	}
	if msg.Type == tea.KeyEsc && msg.Alt {
		msg.Alt = false
		a.onKey(msg)
	}
	switch a.mode {
	case filtering:
		a.filterKey(msg)
		return nil
	case commanding:
		return a.paletteKey(msg)
	case choosing:
		return a.menuKey(msg)
	case filling:
		return a.formKey(msg)
	case reading:
		return a.sheetKey(msg)
	case asking:
		return a.dialogKey(msg)
	}
	return a.browseKey(msg)
}

// typing reports whether keys are text.
func (a *App) typing() bool {
	return a.mode == filtering || a.mode == commanding || a.mode == filling || a.mode == asking
}

func (a *App) quit() tea.Cmd {
	a.Close()
	return tea.Quit
}

// browseKey handles a key outside of text fields and boxes: first those that act or ask, then those that
// change what is looked at, then those that move.
func (a *App) browseKey(msg tea.KeyMsg) tea.Cmd {
	k := a.keys
	a.message = message{} // read or not, it was about an earlier key
	a.list.chosen = true  // from the first key on at the latest
	if k.acts(msg) {
		why := a.misaimed()
		if k.aboutRecipe(msg) {
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
		a.toggleArm()
	case key.Matches(msg, k.Revoke):
		return a.act(actions.VerbRevoke)
	case key.Matches(msg, k.Break):
		return a.act(actions.VerbBreak)
	case key.Matches(msg, k.Restore):
		return a.act(actions.VerbRestore)
	case key.Matches(msg, k.Act):
		return a.which("act", a.subjects(), (*App).actMenu)
	case key.Matches(msg, k.Mark):
		return a.toggleMark()
	case key.Matches(msg, k.Unmark):
		a.marks = nil
	case key.Matches(msg, k.Copy):
		a.copyMenu()
	case key.Matches(msg, k.Notify):
		a.toggleNotify()
	case key.Matches(msg, k.Join):
		return a.joinHere()
	case key.Matches(msg, k.Vote):
		return a.voteHere()
	default:
		return a.lookKey(msg)
	}
	return nil
}

func (a *App) lookKey(msg tea.KeyMsg) tea.Cmd {
	k := a.keys
	switch {
	case key.Matches(msg, k.Filter):
		a.mode = filtering
		if a.page() == nil {
			a.focus = onList
		}
	case key.Matches(msg, k.Command):
		a.mode = commanding
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
	for _, v := range a.views {
		if v.key != "" && v.key == msg.String() {
			return a.open(v.name, "")
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
	k := a.keys
	page := max(1, a.size.List.H/2)
	if a.focus == onClaims {
		page = max(1, a.size.Panel.H/2)
	}
	switch {
	case key.Matches(msg, k.Open):
		if m := a.model(); m != nil {
			a.focus, a.list.chosen, a.claims.whole = onClaims, true, false
		}
	case key.Matches(msg, k.Back):
		a.back()
	case key.Matches(msg, k.Next):
		if a.focus, a.claims.whole = onClaims-a.focus, false; a.model() == nil {
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
	a.list.jump(step)
	a.showClaims()
}

// back leaves the claims, to the view that they were opened from where there is one, then the filter; it
// never quits.
func (a *App) back() {
	switch {
	case a.focus == onClaims:
		a.focus = onList
		if len(a.returns) > 0 {
			a.pages, a.returns = a.returns, nil
			a.page().refill(a)
		}
	case a.filter.text != "":
		a.setFilter("")
	}
}

// setFilter filters what is shown: the page, or the recipes.
func (a *App) setFilter(text string) {
	if p := a.page(); p != nil {
		p.filter = parseFilter(text)
		p.refill(a)
		return
	}
	a.filter = parseFilter(text)
	a.refill()
}

// filterText is the text of the filter that setFilter sets.
func (a *App) filterText() string {
	if p := a.page(); p != nil {
		return p.filter.text
	}
	return a.filter.text
}

func (a *App) move(n int) {
	if p := a.page(); p != nil {
		p.move(n, a.pageRect().H)
		return
	}
	if m := a.model(); a.focus == onClaims && m != nil {
		a.claims.move(m, n)
		return
	}
	a.focus = onList // where the claims are gone there is nothing to move in
	a.list.move(n)
	a.showClaims()
}

func (a *App) filterKey(msg tea.KeyMsg) {
	text := a.filterText()
	switch msg.Type {
	case tea.KeyEnter:
		a.keepFilter()
		return
	case tea.KeyEsc:
		a.mode, text = browsing, ""
	case tea.KeyBackspace:
		if r := []rune(text); len(r) > 0 {
			text = string(r[:len(r)-1])
		}
	case tea.KeyCtrlU:
		text = ""
	case tea.KeyRunes, tea.KeySpace:
		if len(text) < 200 {
			text += term.Safe(string(msg.Runes))
		}
	}
	a.setFilter(text)
}

// keepFilter ends the typing: the first match is selected and its claims are shown.
func (a *App) keepFilter() {
	a.mode = browsing
	if p := a.page(); p != nil {
		p.settle(0, 1)
		return
	}
	a.list.first()
	if a.showClaims(); a.size.Single && a.model() != nil {
		a.focus, a.claims.whole = onClaims, true
	}
}

func (a *App) dialogKey(msg tea.KeyMsg) tea.Cmd {
	d := a.dialog
	switch d.press(msg, a.keys, a.opts.Clock()) {
	case closed:
		a.mode, a.dialog = browsing, nil
		if d.cancel != nil {
			d.cancel(a)
		} else if d.do != "" {
			a.say("closed: nothing was done", paint.Plain)
		}
		a.dropQueue()
	case confirmed:
		a.mode, a.dialog = browsing, nil
		return d.then(a)
	}
	return nil
}

func (a *App) ask(d *dialog) {
	d.open(a.opts.Clock())
	a.mode, a.dialog = asking, d
}

func (a *App) togglePause() {
	a.paused, a.pausedAt = !a.paused, a.now
	if !a.paused {
		a.res, a.waits, a.behind = a.live, a.liveWaits, 0
		a.calm()
		a.refill()
	}
}
