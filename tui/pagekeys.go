package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// placeKey handles a key on the page of a place that was taken.
func (a *App) placeKey(pl Place, msg tea.KeyMsg) bool {
	over := pl.State().Phase.Over()
	switch {
	case key.Matches(msg, a.keys.Back) && !over:
		a.askLeave(pl)
	case key.Matches(msg, a.keys.Finish) && !over:
		a.finish(pl, true)
	case key.Matches(msg, a.keys.GiveBack) && !over:
		a.finish(pl, false)
	default:
		return false
	}
	return true
}

func (a *App) pageKey(p *page, msg tea.KeyMsg) {
	k, h := a.keys, a.pageRect().H
	if pl := a.placeOf(p); pl != nil && a.placeKey(pl, msg) {
		return
	}
	switch {
	case key.Matches(msg, k.Open):
		a.openItem()
	case key.Matches(msg, k.Back):
		if p.filter.text != "" && msg.Type == tea.KeyEsc {
			p.filter = filter{}
			p.refill(a)
			return
		}
		a.closePage()
	case key.Matches(msg, k.Hex):
		p.hex = !p.hex
		p.refill(a)
	case key.Matches(msg, k.Up):
		p.move(-1, h)
	case key.Matches(msg, k.Down):
		p.move(1, h)
	case key.Matches(msg, k.PageUp):
		p.move(-max(1, h/2), h)
	case key.Matches(msg, k.PageDown):
		p.move(max(1, h/2), h)
	case key.Matches(msg, k.Top):
		p.move(-1<<30, h)
	case key.Matches(msg, k.Bottom):
		p.move(1<<30, h)
	}
}
