package tui

import (
	"reflect"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
)

// How long a row that has come stands out, how long one that went away stays in sight, and how many of those at most.
const (
	freshFor = 5 * time.Second
	goneFor  = 4 * time.Second
	maxGone  = 4
)

// The signs in a row's gutter.
const (
	cameSign = "+"
	goneSign = "-"
)

// fades tells which rows of the list have come, and which went away, for as long as that is shown.
type fades struct {
	came map[rowID]time.Time
	gone []goneRow
	held *goneRow // the selected row, when it is gone

	lowered map[rowID]time.Time // findings that needed attention and are only worth knowing now, and since when
}

// goneRow is a row that went away: when, behind which row it stood, and at which index.
type goneRow struct {
	row   row
	at    time.Time
	after rowID
	index int
}

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
	at, urgent := a.asOf(), a.urgentRows()
	a.noteRecipes(was, m.events, at)
	a.claims.news(m.res.ByPath(a.claims.path), at)
	a.refill()
	if a.noteFindings(urgent, at) {
		a.refill()
	}
}

// calm forgets what came and went: what is shown next does not follow from what was shown.
func (a *App) calm() {
	a.fades, a.claims.came, a.claims.shown = fades{held: a.fades.held}, nil, nil // a row that is selected is kept by refill
	a.claims.gone = slices.DeleteFunc(a.claims.gone, func(g goneClaim) bool { return !g.held })
	for _, p := range append(a.pages(), a.returns...) {
		p.known = nil
		p.gone = slices.DeleteFunc(p.gone, func(g goneItem) bool { return !g.held })
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
			a.fades.add(rowID{string(new.Kind), path}, at)
		case old != nil && new == nil:
			a.leave(rowID{string(old.Kind), path}, at)
		}
	}
}

func (f *fades) add(id rowID, at time.Time) {
	if f.came == nil {
		f.came = map[rowID]time.Time{}
	}
	f.came[id] = at
	f.gone = slices.DeleteFunc(f.gone, func(g goneRow) bool { return g.row.id() == id })
}

// leave keeps a row that is on the list and will not be any more.
func (a *App) leave(id rowID, at time.Time) {
	i := slices.IndexFunc(a.list.rows, func(r row) bool { return r.model != nil && r.id() == id })
	if i < 0 {
		return
	}
	g := goneRow{row: a.list.rows[i], at: at, index: i}
	if i > 0 {
		g.after = a.list.rows[i-1].id()
	}
	a.fades.gone = append(a.fades.gone, g)
	a.fades.gone = a.fades.gone[max(0, len(a.fades.gone)-maxGone):]
}

// urgentRows are the rows that need attention.
func (a *App) urgentRows() []row {
	n := 0
	for n < len(a.list.rows) && a.list.rows[n].finding != nil {
		n++
	}
	return slices.Clone(a.list.rows[:n])
}

// noteFindings finds the findings that came and went, and those that weigh less now, which is no going; before is the rows
// that needed attention. It reports whether one is no longer among them.
func (a *App) noteFindings(before []row, at time.Time) bool {
	was, is := map[rowID]int{}, map[rowID]bool{}
	for i := range before {
		if before[i].model != nil {
			was[before[i].id()] = i
		}
	}
	for _, r := range a.urgentRows() {
		if r.model == nil {
			continue
		}
		is[r.id()] = true
		if _, old := was[r.id()]; !old {
			a.fades.add(r.id(), at)
		}
	}
	went := false
	for i := range before {
		switch r := before[i]; {
		case r.model == nil || is[r.id()]:
		case a.isLow(r.id()):
			a.fades.lower(r.id(), at)
			went = true
		default:
			g := goneRow{row: r, at: at, index: i}
			if i > 0 {
				g.after = before[i-1].id()
			}
			a.fades.gone, went = append(a.fades.gone, g), true
		}
	}
	a.fades.gone = a.fades.gone[max(0, len(a.fades.gone)-maxGone):]
	return went
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

func (f *fades) lower(id rowID, at time.Time) {
	if f.lowered == nil {
		f.lowered = map[rowID]time.Time{}
	}
	if _, was := f.lowered[id]; !was {
		f.lowered[id] = at
	}
}

// weave puts the rows that went away where they stood. They cannot be selected; the one that was stays so.
func (f *fades) weave(rows []row, keep func(*model.Model) bool) []row {
	var gone []goneRow
	after := map[rowID][]row{}
	all := f.gone
	if f.held != nil {
		all = append([]goneRow{*f.held}, all...)
	}
	for i, g := range all {
		if f.held != nil && i > 0 && g.row.id() == f.held.row.id() {
			continue // it is there once
		}
		if keep(g.row.model) {
			g.row.late, g.row.model, g.row.left = g.row.model, nil, g.at
			g.row.held = f.held != nil && i == 0
			gone = append(gone, g)
			after[g.after] = append(after[g.after], g.row)
		}
	}
	if len(gone) == 0 {
		return rows
	}
	out := make([]row, 0, len(rows)+len(gone))
	for i := range rows {
		out = append(out, rows[i])
		out = append(out, after[rows[i].id()]...)
		delete(after, rows[i].id())
	}
	for _, g := range gone { // whatever stood before them is gone as well
		if _, left := after[g.after]; left {
			out = slices.Insert(out, min(g.index, len(out)), g.row)
		}
	}
	return out
}

// expire drops what has stood out long enough, and reports whether a row has to go from the list. The selected one stays.
func (f *fades) expire(now time.Time, sel rowID) bool {
	n := len(f.gone) + len(f.lowered)
	for id, at := range f.lowered {
		if id != sel && now.Sub(at) >= goneFor {
			delete(f.lowered, id)
		}
	}
	for id, at := range f.came {
		if now.Sub(at) >= freshFor {
			delete(f.came, id)
		}
	}
	f.gone = slices.DeleteFunc(f.gone, func(g goneRow) bool { return now.Sub(g.at) >= goneFor })
	return len(f.gone)+len(f.lowered) < n
}

// fresh reports whether a row of the list came a moment ago.
func (f *fades) fresh(r *row, now time.Time) bool {
	at, ok := f.came[r.id()]
	return ok && now.Sub(at) < freshFor
}

// fade lets go of what has stood out long enough.
func (a *App) fade() {
	a.claims.expire(a.asOf())
	moved := a.fades.held != nil && a.fades.held.row.id() != a.list.sel
	if a.fades.expire(a.asOf(), a.list.sel) || moved {
		a.refill()
	}
}

// rowSign is what stands in the gutter of a recipe's row.
func (a *App) rowSign(r *row) string {
	switch {
	case r.model == nil:
		return " "
	case a.fades.fresh(r, a.asOf()):
		return cameSign
	}
	if _, rings := a.watched[r.model.Path]; rings {
		return a.theme.Bell
	}
	return " "
}
