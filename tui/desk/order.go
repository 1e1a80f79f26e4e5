package desk

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// NextOrder goes to the next way of sorting.
func (d *Desk) NextOrder() {
	d.Order = (d.Order + 1) % view.Orders
	d.Refill()
	d.sayOrder()
}

// sayOrder names the orders, with the one that is on between brackets.
func (d *Desk) sayOrder() {
	names := slices.Clone(view.OrderNames[:])
	names[d.Order] = "[" + names[d.Order] + "]"
	text := "recipes by " + strings.Join(names, " ")
	if d.Reverse {
		text += ", reversed"
	}
	d.say(text, paint.Plain)
}

// ReverseOrder turns the order around.
func (d *Desk) ReverseOrder() {
	d.Reverse = !d.Reverse
	d.Refill()
	d.sayOrder()
}

// SortBy sorts the recipes by an order that is named.
func (d *Desk) SortBy(name string) tea.Cmd {
	for i, n := range view.OrderNames {
		if n == name {
			d.Order = view.Order(i)
			d.Refill()
			d.sayOrder()
			return nil
		}
	}
	d.say("no such order; there are "+strings.Join(view.OrderNames[:], ", "), paint.Warn)
	return nil
}
