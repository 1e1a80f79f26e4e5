package view

import (
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// List is the recipes, and above them what needs attention. It is loose until the first key, while the first picture comes
// together: the selection is on what stands on top then.
type List struct {
	widget.List[RowID, Row]
	Recipes int    // how many rows are recipes
	Prefix  string // what the paths of all of them begin with
}

// GoneRow is a row that went away.
type GoneRow = widget.Gone[RowID, Row]

// NewList is an empty list.
func NewList() List {
	l := List{List: widget.NewList[RowID, Row](func(r *Row) (RowID, bool) { return r.ID(), r.Model != nil })}
	l.Loose = true
	l.Part(func(r *Row) (string, bool) { return r.sort, r.Finding != nil })
	l.Follow(func(sel RowID, r *Row) bool { // the recipe turned out to be of another kind
		return !sel.Urgent() && r.Finding == nil && r.Model.Path == sel.Path
	})
	return l
}

// Settled counts the recipes that were filled in.
func (l *List) Settled() {
	rows := l.Rows()
	l.Recipes = 0
	for i := range rows {
		l.Recipes += paint.BoolInt(rows[i].Finding == nil)
	}
	l.Prefix = PrefixOf(rows[len(rows)-l.Recipes:])
}

// Row is the selected row, whether it is there or gone, or nil.
func (l *List) Row() *Row {
	r, _ := l.Current()
	return r
}

// Lost is the selected row while it is gone, or nil.
func (l *List) Lost() *GoneRow {
	_, gone := l.Current()
	return gone
}

// Jump selects the first recipe of the section after the selected one, or before it.
func (l *List) Jump(step int) {
	l.Loose = false
	section := func(i int) string {
		r, _ := l.Line(i)
		return r.Section
	}
	i, n, from := l.At(), l.Len(), ""
	if r := l.Row(); r != nil {
		from = r.Section
	}
	for i >= 0 && i < n && section(i) == from {
		i += step
	}
	if i < 0 || i >= n {
		return
	}
	to := section(i)
	for i > 0 && section(i-1) == to {
		i--
	}
	l.Settle(i)
}
