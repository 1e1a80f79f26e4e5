package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// placeKey handles a key on the page of a place that was taken; false: it is a key like on any page.
func (a *App) placeKey(pl backend.Place, msg tea.KeyMsg) (tea.Cmd, bool) {
	if pl.State().Phase.Over() {
		return nil, false
	}
	switch {
	case key.Matches(msg, a.shown.Keys.Back):
		a.hand.AskLeave(pl)
	case key.Matches(msg, a.shown.Keys.Finish):
		return a.hand.Finish(pl, true), true
	case key.Matches(msg, a.shown.Keys.GiveBack):
		return a.hand.Finish(pl, false), true
	default:
		return nil, false
	}
	return nil, true
}

// joinedKey does to the selected place of the list of them what its own page does; false: it is no key of a place.
func (a *App) joinedKey(p *view.Page, msg tea.KeyMsg) (tea.Cmd, bool) {
	k, it := a.shown.Keys, p.Current()
	ok := key.Matches(msg, k.Finish)
	if p.View.Name != "joined" || !ok && !key.Matches(msg, k.GiveBack) {
		return nil, false
	}
	pl := a.shown.PlaceIn(it)
	switch {
	case pl == nil:
		a.say("you have no place to give back", paint.Warn)
		return nil, true
	case pl.State().Phase.Over():
		a.say("that place is over already", paint.Warn)
		return nil, true
	}
	return a.hand.Finish(pl, ok), true
}

func (a *App) pageKey(p *view.Page, msg tea.KeyMsg) tea.Cmd {
	k, h := a.shown.Keys, a.shown.PageRect().H
	if pl := a.shown.PlaceOf(p); pl != nil {
		if cmd, taken := a.placeKey(pl, msg); taken {
			return cmd
		}
	}
	if cmd, taken := a.joinedKey(p, msg); taken {
		return cmd
	}
	if by := map[tea.KeyType]int{tea.KeyLeft: -1, tea.KeyRight: 1}[msg.Type]; by != 0 && p == a.history() {
		return a.inTime(by, false, func() tea.Cmd { return a.step(by) })
	}
	switch {
	case key.Matches(msg, k.Open):
		return a.openItem()
	case key.Matches(msg, k.Back):
		if p.Filter.Text != "" && msg.Type == tea.KeyEsc {
			p.Filter = widget.Filter{}
			p.Refill()
			return nil
		}
		a.closePage()
	case key.Matches(msg, k.Hex):
		p.Hex = !p.Hex
		p.Refill()
	default:
		if by, moves := k.Step(msg, max(1, h/2)); moves {
			p.List.Move(by, h)
		}
	}
	return nil
}
