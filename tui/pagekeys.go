package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/widget"
)

// placeKey handles a key on the page of a place that was taken; false: it is a key like on any page.
func (a *App) placeKey(pl Place, msg tea.KeyMsg) (tea.Cmd, bool) {
	if pl.State().Phase.Over() {
		return nil, false
	}
	switch {
	case key.Matches(msg, a.keys.Back):
		a.askLeave(pl)
	case key.Matches(msg, a.keys.Finish):
		return a.finish(pl, true), true
	case key.Matches(msg, a.keys.GiveBack):
		return a.finish(pl, false), true
	default:
		return nil, false
	}
	return nil, true
}

func (a *App) pageKey(p *page, msg tea.KeyMsg) tea.Cmd {
	k, h := a.keys, a.pageRect().H
	if pl := a.placeOf(p); pl != nil {
		if cmd, taken := a.placeKey(pl, msg); taken {
			return cmd
		}
	}
	switch {
	case key.Matches(msg, k.Open):
		a.openItem()
	case key.Matches(msg, k.Back):
		if p.filter.Text != "" && msg.Type == tea.KeyEsc {
			p.filter = widget.Filter{}
			p.refill()
			return nil
		}
		a.closePage()
	case key.Matches(msg, k.Hex):
		p.hex = !p.hex
		p.refill()
	case key.Matches(msg, k.Up):
		p.list.Move(-1, h)
	case key.Matches(msg, k.Down):
		p.list.Move(1, h)
	case key.Matches(msg, k.PageUp):
		p.list.Move(-max(1, h/2), h)
	case key.Matches(msg, k.PageDown):
		p.list.Move(max(1, h/2), h)
	case key.Matches(msg, k.Top):
		p.list.Move(-1<<30, h)
	case key.Matches(msg, k.Bottom):
		p.list.Move(1<<30, h)
	}
	return nil
}
