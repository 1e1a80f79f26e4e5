package view

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/tui/paint"
)

// PageOrder is by which column the lines of a view are sorted. Its first is the view's own, which follows what happens; any
// other is frozen.
type PageOrder struct {
	at int // of the view's orders
	Frozen
}

// Order is how the lines of a page are sorted; nil: they have one order only. All pages of a view have it in common.
func (p *Page) Order() *PageOrder {
	if len(p.View.orders) == 0 {
		return nil
	}
	if p.shown.orders == nil {
		p.shown.orders = map[*View]*PageOrder{}
	}
	if p.shown.orders[p.View] == nil {
		p.shown.orders[p.View] = &PageOrder{}
	}
	return p.shown.orders[p.View]
}

// Orders are what the orders of the page's lines are called, and which of them it is.
func (p *Page) Orders() (names []string, at int) {
	if o := p.Order(); o != nil {
		at = o.at
	}
	return p.View.orders, at
}

// SortBy sorts the page's lines by an order of Orders.
func (p *Page) SortBy(at int) {
	p.Order().at = at
	p.Resort()
}

// Resort sorts the page's lines by what is known now.
func (p *Page) Resort() {
	if o := p.Order(); o != nil {
		o.Anew()
	}
	p.Refill()
}

// inOrder puts what the lines of a page are made from in order; it comes in the view's own. of is what a row is sorted by in
// the order of a name.
func inOrder[T any](p *Page, all []T, id func(T) string, of func(row T, by string) rank) []T {
	switch o := p.Order(); {
	case o == nil:
	case o.at > 0:
		by := p.View.orders[o.at]
		arrange(&o.Frozen, all, id, func(x T) rank { return of(x, by) })
	case o.Reverse:
		slices.Reverse(all)
	}
	return all
}

// head is the titles of the page's columns; that by which its lines are sorted is marked.
func (p *Page) head(w int) paint.Line {
	cols := slices.Clone(p.View.cols(p, w))
	if o := p.Order(); o != nil {
		if at := slices.IndexFunc(cols, p.sortsBy); at >= 0 {
			cols[at].Title += o.sign(&p.shown.Theme, o.at > 0)
		}
	}
	g := p.shown.Theme.Grid(w, cols...)
	return g.Head()
}

// sortsBy reports whether the page's lines are sorted by a column.
func (p *Page) sortsBy(c paint.Column) bool {
	names, at := p.Orders()
	return strings.EqualFold(c.Title, names[at])
}

// SortNote says by what the lines of the page are sorted on w cells, where no title there is marked for it.
func (p *Page) SortNote(w int) string {
	o := p.Order()
	if o == nil || o.at == 0 && !o.Reverse {
		return ""
	}
	cols := p.View.cols(p, w)
	g := p.shown.Theme.Grid(w, cols...)
	if at := slices.IndexFunc(cols, p.sortsBy); at >= 0 && g.Shows(at) {
		return ""
	}
	return " " + p.shown.Theme.Dot + " by " + p.View.orders[o.at] + o.sign(&p.shown.Theme, o.at > 0)
}
