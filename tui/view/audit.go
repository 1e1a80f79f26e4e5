package view

import (
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

func fillAudit(sh *Shown, _ *Page) []Item {
	var out []Item
	for i := len(sh.Audit) - 1; i >= 0; i-- {
		out = append(out, sh.auditItem(&sh.Audit[i], i))
	}
	return out
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
			return t.Cells(w, paint.Dim.Cell(at, 14), style.Cell(term.Safe(r.Stage), 8), paint.Plain.Cell(term.Safe(r.User), 10),
				paint.Dim.Cell(term.Safe(r.Ensemble), max(10, w/8)), paint.Plain.Cell(term.Safe(r.Path), max(14, w/5)).AsPath(), style.Cell(say.Printable(text), 0))
		}}
}
