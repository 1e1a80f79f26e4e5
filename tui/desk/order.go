package desk

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// NextOrder goes to the next column to sort by, of the page or else of the recipes.
func (d *Desk) NextOrder() {
	names, at := d.orders()
	if len(names) == 0 {
		d.say("the lines of this view have one order only", paint.Plain)
		return
	}
	d.order((at + 1) % len(names))
}

// ReverseOrder turns the order around.
func (d *Desk) ReverseOrder() {
	names, at := d.orders()
	if len(names) == 0 {
		d.say("the lines of this view have one order only", paint.Plain)
		return
	}
	f := d.frozen()
	f.Reverse = !f.Reverse
	d.order(at)
}

// Resort sorts what is shown by what is known now.
func (d *Desk) Resort() {
	if p := d.page(); p != nil {
		p.Resort()
		return
	}
	d.Sorting.Anew()
	d.Refill()
}

// orders are what the orders of what is shown are called, and which of them it is; none where there is one only.
func (d *Desk) orders() (names []string, at int) {
	if p := d.page(); p != nil {
		return p.Orders()
	}
	return view.OrderNames[:], int(d.Sorting.Order)
}

// frozen is the order of what is shown.
func (d *Desk) frozen() *view.Frozen {
	if p := d.page(); p != nil {
		return &p.Order().Frozen
	}
	return &d.Sorting.Frozen
}

// order sorts what is shown by one of its orders.
func (d *Desk) order(at int) {
	names, _ := d.orders()
	if p := d.page(); p != nil {
		p.SortBy(at)
	} else {
		d.Sorting.Order = view.Order(at)
		d.Resort()
	}
	names = slices.Clone(names)
	names[at] = "[" + names[at] + "]"
	text := "sorted by " + strings.Join(names, " ")
	if d.frozen().Reverse {
		text += ", reversed"
	}
	d.say(text, paint.Plain)
}

// formerly are names that orders had.
var formerly = map[string]string{"age": "held", "behind": "waiting"}

// SortBy sorts what is shown by an order that is named.
func (d *Desk) SortBy(name string) tea.Cmd {
	names, _ := d.orders()
	at := slices.Index(names, name)
	if at < 0 {
		at = slices.Index(names, formerly[name])
	}
	switch {
	case len(names) == 0:
		d.say("the lines of this view have one order only", paint.Plain)
	case at < 0:
		d.say("no such order; there are "+strings.Join(names, ", "), paint.Warn)
	default:
		d.order(at)
	}
	return nil
}
