package desk

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// NextOrder goes to the next column to sort by.
func (d *Desk) NextOrder() {
	d.Sorting.Order = (d.Sorting.Order + 1) % view.Orders
	d.resort()
}

// ReverseOrder turns the order around.
func (d *Desk) ReverseOrder() {
	d.Sorting.Reverse = !d.Sorting.Reverse
	d.resort()
}

// Resort sorts the recipes by what is known now.
func (d *Desk) Resort() {
	d.Sorting.Anew()
	d.Refill()
}

func (d *Desk) resort() {
	d.Resort()
	names := slices.Clone(view.OrderNames[:])
	names[d.Sorting.Order] = "[" + names[d.Sorting.Order] + "]"
	text := "sorted by " + strings.Join(names, " ")
	if d.Sorting.Reverse {
		text += ", reversed"
	}
	d.say(text, paint.Plain)
}

// formerly are names that orders had.
var formerly = map[string]string{"age": "held", "behind": "waiting"}

// SortBy sorts the recipes by an order that is named.
func (d *Desk) SortBy(name string) tea.Cmd {
	if now := formerly[name]; now != "" {
		name = now
	}
	at := slices.Index(view.OrderNames[:], name)
	if at < 0 {
		d.say("no such order; there are "+strings.Join(view.OrderNames[:], ", "), paint.Warn)
		return nil
	}
	d.Sorting.Order = view.Order(at)
	d.resort()
	return nil
}
