package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/backend"
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

func (a *App) pageKey(p *view.Page, msg tea.KeyMsg) tea.Cmd {
	k, h := a.shown.Keys, a.shown.PageRect().H
	if pl := a.shown.PlaceOf(p); pl != nil {
		if cmd, taken := a.placeKey(pl, msg); taken {
			return cmd
		}
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
