package tui

import (
	"reflect"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// advance shows a picture that follows the one that is shown; what came and went between the two stands out.
func (a *App) advance(m picture.Next) {
	was := a.shown.Result
	a.shown.Result, a.shown.Waits = m.Result, m.Waits
	if m.Jump || !was.Snapshot.Complete || !m.Result.Snapshot.Complete {
		a.calm()
		a.refill()
		return
	}
	if len(m.Events) == 0 && was.Models.Same(m.Result.Models) && reflect.DeepEqual(was.Findings, m.Result.Findings) {
		a.refresh() // only sessions and watches were read anew
		return
	}
	at := a.shown.AsOf()
	a.noteRecipes(was, m.Events, at)
	a.claims.News(m.Result.ByPath(a.claims.Path), at)
	rows := a.rows()
	if a.noteFindings(rows, at) {
		rows = a.rows()
	}
	a.showRows(rows)
}

// calm forgets what came and went: what is shown next does not follow from what was shown.
func (a *App) calm() {
	a.shown.Lowered = nil
	a.list.Calm()
	a.claims.List.Calm()
	for _, p := range append(a.pages(), a.returns...) {
		p.List.Calm()
	}
}

// noteRecipes finds the recipes that came and went among those that something happened to.
func (a *App) noteRecipes(was *model.Result, events []story.Event, at time.Time) {
	done := map[string]bool{}
	for i := range events {
		path := events[i].Path
		if done[path] {
			continue
		}
		done[path] = true
		old, new := was.ByPath(path), a.shown.Result.ByPath(path)
		switch {
		case old == nil && new != nil:
			a.list.Came(view.RowID{Section: string(new.Kind), Path: path}, at)
		case old != nil && new == nil:
			a.list.Went(view.RowID{Section: string(old.Kind), Path: path}, at)
		}
	}
}

// urgentIDs are those of the rows that need attention.
func urgentIDs(rows []view.Row) (out []view.RowID) {
	for i := range rows {
		if rows[i].Finding == nil {
			break
		}
		if rows[i].Model != nil {
			out = append(out, rows[i].ID())
		}
	}
	return out
}

// noteFindings finds the findings that come and go with rows, and those that weigh less then, which is no going. It reports
// whether there is one of these.
func (a *App) noteFindings(rows []view.Row, at time.Time) (lowered bool) {
	was, is := urgentIDs(a.list.Rows()), urgentIDs(rows)
	old, there := make(map[view.RowID]bool, len(was)), make(map[view.RowID]bool, len(is))
	for _, id := range was {
		old[id] = true
	}
	for _, id := range is {
		if there[id] = true; !old[id] {
			a.list.Came(id, at)
		}
	}
	for _, id := range was {
		switch {
		case there[id]:
		case a.isLow(id):
			a.lower(id, at)
			lowered = true
		default:
			a.list.Went(id, at)
		}
	}
	return lowered
}

// isLow reports whether a finding is there and of low severity.
func (a *App) isLow(id view.RowID) bool {
	for i := range a.shown.Result.Findings {
		if f := &a.shown.Result.Findings[i]; f.Severity == model.Low && view.SpanID(f) == id {
			return true
		}
	}
	m := a.shown.Result.ByPath(id.Path)
	return m != nil && slices.ContainsFunc(m.Findings, func(f model.Finding) bool {
		return f.Severity == model.Low && id.Section == view.Attention+f.Code
	})
}

// lower notes that a finding needed attention and is only worth knowing now.
func (a *App) lower(id view.RowID, at time.Time) {
	if a.shown.Lowered == nil {
		a.shown.Lowered = map[view.RowID]time.Time{}
	}
	if _, was := a.shown.Lowered[id]; !was {
		a.shown.Lowered[id] = at
	}
}

// fade lets go of what has stood out long enough.
func (a *App) fade() {
	now := a.shown.AsOf()
	a.claims.List.Expire(now)
	a.list.Expire(now)
	n := len(a.shown.Lowered)
	for id, at := range a.shown.Lowered {
		if id != a.list.Selected() && now.Sub(at) >= widget.GoneFor {
			delete(a.shown.Lowered, id)
		}
	}
	if len(a.shown.Lowered) < n {
		a.refill()
	}
}

// rowSign is what stands in the gutter of a recipe's row.
func (a *App) rowSign(r *view.Row, fresh bool) string {
	switch {
	case r.Model == nil:
		return " "
	case fresh:
		return widget.CameSign
	}
	if _, rings := a.watched[r.Model.Path]; rings {
		return a.shown.Theme.Bell
	}
	return " "
}
