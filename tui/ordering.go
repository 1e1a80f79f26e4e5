package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// nextOrder goes to the next way of sorting.
func (a *App) nextOrder() {
	a.order = (a.order + 1) % view.Orders
	a.refill()
	a.sayOrder()
}

// sayOrder names the orders, with the one that is on between brackets.
func (a *App) sayOrder() {
	names := slices.Clone(view.OrderNames[:])
	names[a.order] = "[" + names[a.order] + "]"
	text := "recipes by " + strings.Join(names, " ")
	if a.reverse {
		text += ", reversed"
	}
	a.say(text, paint.Plain)
}

func (a *App) reverseOrder() {
	a.reverse = !a.reverse
	a.refill()
	a.sayOrder()
}

func (a *App) sortBy(name string) tea.Cmd {
	for i, n := range view.OrderNames {
		if n == name {
			a.order = view.Order(i)
			a.refill()
			a.sayOrder()
			return nil
		}
	}
	a.say("no such order; there are "+strings.Join(view.OrderNames[:], ", "), paint.Warn)
	return nil
}
