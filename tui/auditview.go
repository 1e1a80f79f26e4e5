package tui

import (
	"fmt"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// auditMsg is the audit log as it was read.
type auditMsg struct {
	records []actions.Record
	err     error
}

// auditView shows what was done to ensembles from this machine, newest first.
func auditView() *view {
	return &view{name: "audit", key: "9", what: "what was done from here, by whom, with the data that was there before",
		title: func(*App, *page) string { return "audit log" }, fill: fillAudit,
		empty: func(a *App, _ *page) string {
			switch {
			case a.opts.Audit == nil:
				return "this console keeps no audit log"
			case a.auditErr != nil:
				return "the audit log cannot be read: " + term.Safe(a.auditErr.Error())
			case a.audit == nil:
				return "reading the audit log"
			}
			return "nothing was done from here yet"
		}}
}

// readAudit reads the log off the event loop.
func (a *App) readAudit() tea.Cmd {
	read := a.opts.Audit
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		records, err := read()
		return auditMsg{records, err}
	}
}

func (a *App) onAudit(m auditMsg) {
	a.audit, a.auditErr = m.records, m.err
	if p := a.page(); p != nil {
		p.refill()
	}
}

func fillAudit(a *App, _ *page) []item {
	var out []item
	for i := len(a.audit) - 1; i >= 0; i-- {
		out = append(out, a.auditItem(&a.audit[i], i))
	}
	return out
}

func (a *App) auditItem(r *actions.Record, i int) item {
	at := r.At.In(a.opts.Location).Format("01-02 15:04:05")
	to := target{}
	if r.Ensemble == a.link.Ensemble {
		to.recipe = r.Recipe
	}
	text := r.Text
	if r.Stage == "intent" {
		text = "about to: " + string(r.Verb) + " " + r.Name
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return item{id: "a" + strconv.Itoa(i), text: fmt.Sprint(r.Verb, " ", r.Path, " ", r.User, " ", r.Stage, " ", r.Ensemble), to: to,
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
			return t.Cells(w, paint.Cell{Text: at, W: 14, Style: paint.Dim}, paint.Cell{Text: term.Safe(r.Stage), W: 8, Style: style}, paint.Cell{Text: term.Safe(r.User), W: 10},
				paint.Cell{Text: term.Safe(r.Ensemble), W: max(10, w/8), Style: paint.Dim}, paint.Cell{Text: term.Safe(r.Path), W: max(14, w/5), Path: true}, paint.Cell{Text: say.Printable(text), Style: style})
		}}
}
