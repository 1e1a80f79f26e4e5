package view

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// auditView shows what was done to ensembles from this machine, newest first.
func auditView() *View {
	return &View{Name: "audit", Key: "9", What: "what was done from here, by whom, with the data that was there before",
		Title: func(*Shown, *Page) string { return "audit log" }, Fill: fillAudit,
		orders: []string{"time", "stage", "user", "ensemble", "path"},
		cols:   func(*Page, int) []paint.Column { return auditColumns },
		empty: func(sh *Shown, _ *Page) string {
			switch {
			case !sh.Audited:
				return "this console keeps no audit log"
			case sh.AuditErr != nil:
				return "the audit log cannot be read: " + term.Safe(sh.AuditErr.Error())
			case sh.Audit == nil:
				return "reading the audit log"
			}
			return "nothing was done from here yet"
		}}
}

func fillAudit(sh *Shown, p *Page) []Item {
	at := make([]int, len(sh.Audit)) // the newest first
	for i := range at {
		at[i] = len(at) - 1 - i
	}
	var out []Item
	for _, i := range inOrder(p, at, strconv.Itoa, func(i int, by string) rank { return auditRank(&sh.Audit[i], by) }) {
		out = append(out, sh.auditItem(&sh.Audit[i], i))
	}
	return out
}

// auditRank is what a record is sorted by.
func auditRank(r *actions.Record, by string) rank {
	switch by {
	case "stage":
		return rank{text: r.Stage}
	case "user":
		return rank{text: r.User}
	case "ensemble":
		return rank{text: r.Ensemble}
	}
	return rank{text: cmp.Or(r.Recipe, r.Path)}
}

func (sh *Shown) auditItem(r *actions.Record, i int) Item {
	at := r.At.In(sh.Location).Format("01-02 15:04:05")
	to := target{}
	if r.Ensemble == sh.Link.Ensemble {
		to.Recipe = r.Recipe
	}
	text := r.Text
	if r.Stage == "intent" {
		text = "about to: " + string(r.Verb) + " " + r.Name
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return Item{ID: "a" + strconv.Itoa(i), text: fmt.Sprint(r.Verb, " ", r.Path, " ", r.User, " ", r.Stage, " ", r.Ensemble), To: to,
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			style := paint.Plain
			switch r.Stage {
			case string(actions.Done):
				style = paint.Good
			case string(actions.Unknown):
				style = paint.Alert
			case "intent":
				style = paint.Dim
			}
			g := t.Grid(w, auditColumns...)
			return g.Row(paint.Dim.Text(at), style.Text(term.Safe(r.Stage)), paint.Plain.Text(term.Safe(r.User)),
				paint.Dim.Text(term.Safe(r.Ensemble)), paint.Plain.Text(term.Safe(cmp.Or(r.Recipe, r.Path))), style.Text(say.Printable(text)))
		}}
}

// auditColumns are those of what was done.
var auditColumns = []paint.Column{{Title: "TIME", W: 14}, {Title: "STAGE", W: 8}, {Title: "USER", W: 10, Rank: 2}, {Title: "ENSEMBLE", Min: 14, Rank: 3, Path: true}, {Title: "PATH", Min: 20, Path: true}, {Title: "WHAT", Min: 26}}
