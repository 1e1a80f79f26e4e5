package desk

import (
	"reflect"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/picture"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// Advance shows a picture that follows the one that is shown; what came and went between the two stands out.
func (d *Desk) Advance(m picture.Next) {
	was := d.shown.Result
	d.leapt = m.Link.File && (m.Jump || d.leapt && d.List.Lost() != nil)
	d.shown.Result, d.shown.Waits = m.Result, m.Waits
	if m.Jump || !was.Snapshot.Complete || !m.Result.Snapshot.Complete {
		d.Calm()
		d.Refill()
		return
	}
	if len(m.Events) == 0 && was.Models.Same(m.Result.Models) && reflect.DeepEqual(was.Findings, m.Result.Findings) {
		d.refresh() // only sessions and watches were read anew
		return
	}
	d.Sorting.Stale = true
	at := d.shown.AsOf()
	d.noteRecipes(was, m.Events, at)
	d.Claims.News(m.Result.ByPath(d.Claims.Path), d.shown.Past.Of(d.Claims.Path).Hot(at), at)
	rows := d.rows()
	if d.noteFindings(rows, at) {
		rows = d.rows()
	}
	d.showRows(rows)
}

// Calm forgets what came and went: what is shown next does not follow from what was shown.
func (d *Desk) Calm() {
	d.shown.Lowered, d.whole = nil, false
	clear(d.since)
	d.news = nil
	d.List.Calm()
	d.Claims.List.Calm()
	for _, p := range d.pages() {
		p.List.Calm()
	}
}

// noteRecipes finds the recipes that came and went among those that something happened to.
func (d *Desk) noteRecipes(was *model.Result, events []story.Event, at time.Time) {
	done := map[string]bool{}
	for i := range events {
		path := events[i].Path
		if done[path] {
			continue
		}
		done[path] = true
		old, new := was.ByPath(path), d.shown.Result.ByPath(path)
		switch {
		case old == nil && new != nil:
			d.List.Came(view.RowID{Section: string(new.Kind), Path: path}, at)
		case old != nil && new == nil:
			d.List.Went(view.RowID{Section: string(old.Kind), Path: path}, at)
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
func (d *Desk) noteFindings(rows []view.Row, at time.Time) (lowered bool) {
	was, is := urgentIDs(d.List.Rows()), urgentIDs(rows)
	old, there := make(map[view.RowID]bool, len(was)), make(map[view.RowID]bool, len(is))
	for _, id := range was {
		old[id] = true
	}
	for _, id := range is {
		if there[id] = true; !old[id] {
			d.List.Came(id, at)
		}
	}
	for _, id := range was {
		switch {
		case there[id]:
		case d.isLow(id):
			d.lower(id, at)
			lowered = true
		default:
			d.List.Went(id, at)
		}
	}
	return lowered
}

// isLow reports whether a finding is there and of low severity.
func (d *Desk) isLow(id view.RowID) bool {
	for i := range d.shown.Result.Findings {
		if f := &d.shown.Result.Findings[i]; f.Severity == model.Low && view.SpanID(f) == id {
			return true
		}
	}
	low := false
	for m := range d.shown.Result.Models.All() {
		for i := range m.Findings {
			if f := &m.Findings[i]; view.OneID(f, m) != id {
				continue
			} else if f.Severity > model.Low {
				return false // of several of a sort the gravest counts
			}
			low = true
		}
	}
	return low
}

// lower notes that a finding needed attention and is only worth knowing now.
func (d *Desk) lower(id view.RowID, at time.Time) {
	if d.shown.Lowered == nil {
		d.shown.Lowered = map[view.RowID]time.Time{}
	}
	if _, was := d.shown.Lowered[id]; !was {
		d.shown.Lowered[id] = at
	}
}

// Fade lets go of what has stood out long enough.
func (d *Desk) Fade() {
	now := d.shown.AsOf()
	d.Claims.List.Expire(now)
	d.List.Expire(now)
	n := len(d.shown.Lowered)
	for id, at := range d.shown.Lowered {
		if id != d.List.Selected() && now.Sub(at) >= widget.GoneFor {
			delete(d.shown.Lowered, id)
		}
	}
	if len(d.shown.Lowered) < n {
		d.Refill()
	}
}

// rowSign is what stands in the gutter of a recipe's row.
func (d *Desk) rowSign(r *view.Row, fresh bool) string {
	switch {
	case r.Model == nil:
		return " "
	case fresh:
		return widget.CameSign
	}
	if d.rings(r.Model.Path) {
		return d.shown.Theme.Bell
	}
	return " "
}
