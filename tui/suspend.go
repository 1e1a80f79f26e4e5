package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// suspend stops the program as a shell does with ctrl+z. What is confirmed and not sent yet is called off: nothing is to
// happen when somebody comes back an hour later. While a place is held it is refused, because a stopped program does not
// keep its session.
func (a *App) suspend() tea.Cmd {
	if a.opts.Stays != "" {
		a.say("not suspended: "+a.opts.Stays, paint.Warn)
		return nil
	}
	if p := a.hand.Standing(); p != nil {
		a.say("not suspended: your place in "+term.Safe(p.Want().Path)+" would be lost; leave it first", paint.Warn)
		return nil
	}
	a.hand.CallOff("the console was suspended")
	return tea.Suspend
}

// resumed comes back from being suspended: the screen is drawn again, questions are closed, and the console is disarmed.
func (a *App) resumed() tea.Cmd {
	text := "back; data refreshes as it changes"
	if layer.Top[*layer.FilterLine](&a.stack) == nil && layer.Top[*layer.Palette](&a.stack) == nil {
		a.closeBoxes()
	}
	if a.hand.Away() {
		text = "back; disarmed, since you were away: " + a.shown.Keys.Arm.Help().Key + " arms again"
	}
	a.say(text, paint.Warn)
	if a.mouse {
		return tea.Sequence(tea.ClearScreen, tea.EnableMouseCellMotion)
	}
	return tea.ClearScreen
}
