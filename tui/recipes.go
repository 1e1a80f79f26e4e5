package tui

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/view"
)

// keepsRow reports whether a row that is listed, or was, answers the filter.
func (a *App) keepsRow(r *view.Row) bool {
	return r.Model == nil || view.KeepsModel(&a.shown.Filter, r.Model)
}

// fill shows rows. The selection stays on its row when what that tells of goes, but not when it is filtered away.
func (a *App) fillList(rows []view.Row) {
	a.list.Hold = !a.list.Loose
	if r := a.list.Row(); r != nil && r.Model != nil {
		if m := a.shown.Result.ByPath(r.Model.Path); m != nil && !view.KeepsModel(&a.shown.Filter, m) {
			a.list.Hold = false
		}
	}
	if a.list.Loose {
		a.list.Top = 0
	}
	keep := a.keepsRow
	if a.shown.Filter.Empty() {
		keep = nil
	}
	a.list.Fill(rows, keep, a.shown.AsOf())
	a.list.Count()
}

// model is the selected recipe, or nil. It is there still where only what was found about it has ended.
func (a *App) model() *model.Model {
	r, gone := a.list.Current()
	switch {
	case r == nil || r.Model == nil:
		return nil
	case gone != nil && r.Finding == nil:
		return nil
	case gone != nil:
		return a.shown.Result.ByPath(r.Model.Path)
	}
	return r.Model
}
