package tui

import (
	"github.com/zkscope/zkscope/tui/paint"
)

// list is the left pane: rows, a selection by identity, and the window of rows that is on screen.
type list struct {
	rows []row
	sel  rowID
	at   int // index of sel in rows; -1: nothing is selected
	top  int

	recipes int // how many rows are recipes

	chosen bool // the selection holds still: before that, while the first picture comes together, it is on what stands on top
}

// set replaces the rows. The selection stays on its row, on its last picture while that is gone; where its recipe turned
// out to be of another kind it follows there. Only what is filtered away loses it, to the row that stands where it stood.
func (l *list) set(rows []row) {
	l.rows, l.recipes = rows, 0
	for i := range rows {
		if rows[i].model != nil && rows[i].finding == nil {
			l.recipes++
		}
	}
	if !l.chosen {
		l.top = 0
		l.settle(0, 1)
		return
	}
	elsewhere := -1
	for i := range rows {
		switch id := rows[i].id(); {
		case rows[i].held, rows[i].model != nil && id == l.sel:
			l.at = i
			return
		case rows[i].model != nil && !l.sel.urgent() && !id.urgent() && id.path == l.sel.path:
			elsewhere = i
		}
	}
	if elsewhere >= 0 {
		l.choose(elsewhere)
		return
	}
	l.settle(max(l.at, 0), 1)
}

// choose selects the row at an index that is known to be a recipe.
func (l *list) choose(i int) { l.at, l.sel = i, l.rows[i].id() }

// settle selects the recipe at or nearest to index i, looking in direction step first.
func (l *list) settle(i, step int) {
	i = max(0, min(i, len(l.rows)-1))
	for _, s := range []int{step, -step} {
		for j := i; j >= 0 && j < len(l.rows); j += s {
			if l.rows[j].model != nil {
				l.choose(j)
				return
			}
		}
	}
	l.at = -1
}

// move shifts the selection by n rows, skipping headings.
func (l *list) move(n int) {
	l.chosen = true
	if len(l.rows) == 0 {
		return
	}
	step := 1
	if n < 0 {
		step = -1
	}
	l.settle(l.at+n, step)
}

// jump selects the first recipe of the section after the selected one, or before it.
func (l *list) jump(step int) {
	l.chosen = true
	i := l.at
	from := ""
	if r := l.current(); r != nil {
		from = r.section
	}
	for i >= 0 && i < len(l.rows) && l.rows[i].section == from {
		i += step
	}
	if i < 0 || i >= len(l.rows) {
		return
	}
	section := l.rows[i].section
	for i > 0 && l.rows[i-1].section == section {
		i--
	}
	l.settle(i, 1)
}

// first selects the first recipe.
func (l *list) first() {
	if l.chosen = true; len(l.rows) > 0 {
		l.settle(0, 1)
	}
}

// current returns the selected row, or nil.
func (l *list) current() *row {
	if l.at < 0 || l.at >= len(l.rows) {
		return nil
	}
	return &l.rows[l.at]
}

// window returns the rows to draw in h lines, scrolled so that the selection is among them.
func (l *list) window(h int) (rows []row, first int) {
	l.top = paint.Scroll(l.top, l.at, len(l.rows), h)
	return l.rows[l.top:min(len(l.rows), l.top+h)], l.top
}
