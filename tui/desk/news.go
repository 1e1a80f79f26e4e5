package desk

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// newsFor is how long something urgent that came is told of where its own row is not in sight.
const newsFor = time.Minute

// noteAges remembers since when there is what needs attention, and what urgent of it is new, also outside a filter. What is
// there when the first whole picture is, is older.
func (d *Desk) noteAges(rows []view.Row, filtered bool) {
	if filtered {
		rows = d.shown.Attention(d.List.Selected())
	}
	is := map[view.RowID]bool{}
	d.news = nil
	for i := 0; i < len(rows) && rows[i].Finding != nil; i++ {
		id := rows[i].ID()
		if is[id] = true; d.since[id].At.IsZero() {
			d.since[id] = view.Since{At: d.shown.AsOf(), Least: !d.whole}
		}
		if rows[i].Finding.Severity == model.High && !d.since[id].Least {
			d.news = append(d.news, rows[i])
		}
	}
	for id := range d.since {
		if !is[id] {
			delete(d.since, id)
		}
	}
	d.whole = d.shown.Result.Snapshot.Complete
}

// News tells of what urgent came a moment ago and is not in sight: of the newest, and how many more. The recipes have rows
// of what needs attention; a page, and a panel that is all that is shown, have none.
func (d *Desk) News() string {
	var sight map[view.RowID]bool
	if d.page() == nil && !(d.Layout().Single && d.Focus == OnClaims) {
		sight = d.List.HeadShows(d.shown.Size.Attention.H)
	}
	var last *view.Row
	var at time.Time
	n := 0
	for i := range d.news {
		r := &d.news[i]
		since := d.since[r.ID()].At
		if sight[r.ID()] || d.shown.AsOf().Sub(since) >= newsFor {
			continue
		}
		if n++; since.After(at) {
			last, at = r, since
		}
	}
	if n == 0 {
		return ""
	}
	count := say.Either(n > 1, paint.Number(n)+" ", "")
	return d.shown.Theme.Alert + " " + count + "new: " + last.Finding.Code + " " + say.Age(d.shown.AsOf().Sub(at)) + " " + last.About()
}

// Urgent reports whether something urgent is found.
func (d *Desk) Urgent() bool {
	rows := d.List.Rows()
	return len(rows) > 0 && rows[0].Finding != nil && rows[0].Finding.Severity == model.High
}
