package desk

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/view"
)

// keepsRow reports whether a row that is listed, or was, answers the filter.
func (d *Desk) keepsRow(r *view.Row) bool {
	return r.Model == nil || view.KeepsModel(&d.shown.Filter, r.Model)
}

// fillList shows rows. The selection stays on its row when what that tells of goes, but not when it is filtered away.
func (d *Desk) fillList(rows []view.Row) {
	d.List.Hold = !d.List.Loose
	if r := d.List.Row(); r != nil && r.Model != nil {
		if m := d.shown.Result.ByPath(r.Model.Path); m != nil && !view.KeepsModel(&d.shown.Filter, m) {
			d.List.Hold = false
		}
	}
	if d.List.Loose {
		d.List.Top = 0
	}
	keep := d.keepsRow
	if d.shown.Filter.Empty() {
		keep = nil
	}
	d.List.Fill(rows, keep, d.shown.AsOf())
	d.List.Settled()
	d.noteAges(rows, keep != nil)
}

// Refilter shows what another filter keeps. A finding about many recipes may have its row with another of them then: the
// selection, and with it what keys act on, stays with the recipe that it was on.
func (d *Desk) Refilter() {
	was := d.List.Row()
	d.List.Top = 0
	d.Refill()
	r := d.List.Row()
	if d.List.Loose || was == nil || r == nil || was.Model == nil || r.Model == nil || was.ID() != r.ID() || was.Model.Path == r.Model.Path {
		return
	}
	m := d.shown.Result.ByPath(was.Model.Path)
	if m == nil || d.cycleOf(r.Finding) != nil || !view.KeepsModel(&d.shown.Filter, m) { // in a deadlock keys act on the same, wherever its row is
		return
	}
	d.List.Select(view.RowID{Section: string(m.Kind), Path: m.Path})
	d.refresh()
}

// Model is the selected recipe, or nil. It is there still where only what was found about it has ended.
func (d *Desk) Model() *model.Model {
	r, gone := d.List.Current()
	switch {
	case r == nil || r.Model == nil:
		return nil
	case gone != nil && r.Finding == nil:
		return nil
	case gone != nil:
		return d.shown.Result.ByPath(r.Model.Path)
	}
	return r.Model
}

// Refill makes the rows of the shown picture; selections stay with what they were on.
func (d *Desk) Refill() {
	d.showRows(d.rows())
}

// rows are those of the shown picture.
func (d *Desk) rows() []view.Row {
	if sel := d.List.Selected(); sel.Urgent() && d.isLow(sel) {
		d.lower(sel, d.shown.AsOf()) // the selected stays, whatever it weighs
	}
	return view.BuildRows(d.shown.Result, d.shown.Recipes(), &d.shown.Filter, &d.Sorting, d.shown.Lowered)
}

func (d *Desk) showRows(rows []view.Row) {
	d.fillList(rows)
	d.refresh()
}

// refresh brings up to date what is shown beside the list.
func (d *Desk) refresh() {
	d.ShowClaims()
	d.RefreshPage()
}

// RefreshPage brings the page up to date that is shown.
func (d *Desk) RefreshPage() {
	if p := d.page(); p != nil {
		p.Refill()
	}
}

// Jump goes to the first recipe of the next section, or of the one before.
func (d *Desk) Jump(step int) {
	d.Focus = OnList
	d.List.Jump(step)
	d.ShowClaims()
}
