package tui

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/widget"
)

// list is the left pane: recipes under the headings of their kinds, and above them what needs attention. It is loose until
// the first key, while the first picture comes together: the selection is on what stands on top then.
type list struct {
	widget.List[rowID, row]
	recipes int // how many rows are recipes
}

// goneRow is a row that went away.
type goneRow = widget.Gone[rowID, row]

func newList() list {
	l := list{List: widget.NewList[rowID, row](func(r *row) (rowID, bool) { return r.id(), r.model != nil })}
	l.Loose = true
	l.Follow(func(sel rowID, r *row) bool { // the recipe turned out to be of another kind
		return !sel.urgent() && r.finding == nil && r.model.Path == sel.path
	})
	return l
}

// count counts the recipes among the rows.
func (l *list) count() {
	l.recipes = 0
	for i, rows := 0, l.Rows(); i < len(rows); i++ {
		if rows[i].model != nil && rows[i].finding == nil {
			l.recipes++
		}
	}
}

// current is the selected row, whether it is there or gone, or nil.
func (l *list) current() *row {
	r, _ := l.Current()
	return r
}

// lost is the selected row while it is gone, or nil.
func (l *list) lost() *goneRow {
	_, gone := l.Current()
	return gone
}

// jump selects the first recipe of the section after the selected one, or before it.
func (l *list) jump(step int) {
	l.Loose = false
	section := func(i int) string {
		r, _ := l.Line(i)
		return r.section
	}
	i, n, from := l.At(), l.Len(), ""
	if r := l.current(); r != nil {
		from = r.section
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

// keepsRow reports whether a row that is listed, or was, answers the filter.
func (a *App) keepsRow(r *row) bool { return r.model == nil || keepsModel(&a.filter, r.model) }

// fill shows rows. The selection stays on its row when what that tells of goes, but not when it is filtered away.
func (a *App) fillList(rows []row) {
	a.list.Hold = !a.list.Loose
	if r := a.list.current(); r != nil && r.model != nil {
		if m := a.res.ByPath(r.model.Path); m != nil && !keepsModel(&a.filter, m) {
			a.list.Hold = false
		}
	}
	if a.list.Loose {
		a.list.Top = 0
	}
	keep := a.keepsRow
	if a.filter.Empty() {
		keep = nil
	}
	a.list.Fill(rows, keep, a.asOf())
	a.list.count()
}

// model is the selected recipe, or nil. It is there still where only what was found about it has ended.
func (a *App) model() *model.Model {
	r, gone := a.list.Current()
	switch {
	case r == nil || r.model == nil:
		return nil
	case gone != nil && r.finding == nil:
		return nil
	case gone != nil:
		return a.res.ByPath(r.model.Path)
	}
	return r.model
}
