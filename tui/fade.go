package tui

import (
	"reflect"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/widget"
)

// advance shows a picture that follows the one that is shown; what came and went between the two stands out.
func (a *App) advance(m viewMsg) {
	was := a.res
	a.res, a.waits = m.res, m.waits
	if m.jump || !was.Snapshot.Complete || !m.res.Snapshot.Complete {
		a.calm()
		a.refill()
		return
	}
	if len(m.events) == 0 && was.Models.Same(m.res.Models) && reflect.DeepEqual(was.Findings, m.res.Findings) {
		a.refresh() // only sessions and watches were read anew
		return
	}
	at := a.asOf()
	a.noteRecipes(was, m.events, at)
	a.claims.news(m.res.ByPath(a.claims.path), at)
	rows := a.rows()
	if a.noteFindings(rows, at) {
		rows = a.rows()
	}
	a.showRows(rows)
}

// calm forgets what came and went: what is shown next does not follow from what was shown.
func (a *App) calm() {
	a.lowered = nil
	a.list.Calm()
	a.claims.list.Calm()
	for _, p := range append(a.pages(), a.returns...) {
		p.list.Calm()
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
		old, new := was.ByPath(path), a.res.ByPath(path)
		switch {
		case old == nil && new != nil:
			a.list.Came(rowID{string(new.Kind), path}, at)
		case old != nil && new == nil:
			a.list.Went(rowID{string(old.Kind), path}, at)
		}
	}
}

// urgentIDs are those of the rows that need attention.
func urgentIDs(rows []row) (out []rowID) {
	for i := range rows {
		if rows[i].finding == nil {
			break
		}
		if rows[i].model != nil {
			out = append(out, rows[i].id())
		}
	}
	return out
}

// noteFindings finds the findings that come and go with rows, and those that weigh less then, which is no going. It reports
// whether there is one of these.
func (a *App) noteFindings(rows []row, at time.Time) (lowered bool) {
	was, is := urgentIDs(a.list.Rows()), urgentIDs(rows)
	old, there := make(map[rowID]bool, len(was)), make(map[rowID]bool, len(is))
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
func (a *App) isLow(id rowID) bool {
	for i := range a.res.Findings {
		if f := &a.res.Findings[i]; f.Severity == model.Low && spanID(f) == id {
			return true
		}
	}
	m := a.res.ByPath(id.path)
	return m != nil && slices.ContainsFunc(m.Findings, func(f model.Finding) bool {
		return f.Severity == model.Low && id.section == attention+f.Code
	})
}

// lower notes that a finding needed attention and is only worth knowing now.
func (a *App) lower(id rowID, at time.Time) {
	if a.lowered == nil {
		a.lowered = map[rowID]time.Time{}
	}
	if _, was := a.lowered[id]; !was {
		a.lowered[id] = at
	}
}

// fade lets go of what has stood out long enough.
func (a *App) fade() {
	now := a.asOf()
	a.claims.list.Expire(now)
	a.list.Expire(now)
	n := len(a.lowered)
	for id, at := range a.lowered {
		if id != a.list.Selected() && now.Sub(at) >= widget.GoneFor {
			delete(a.lowered, id)
		}
	}
	if len(a.lowered) < n {
		a.refill()
	}
}

// rowSign is what stands in the gutter of a recipe's row.
func (a *App) rowSign(r *row, fresh bool) string {
	switch {
	case r.model == nil:
		return " "
	case fresh:
		return widget.CameSign
	}
	if _, rings := a.watched[r.model.Path]; rings {
		return a.theme.Bell
	}
	return " "
}
