package tui

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
)

// overviewView answers "is anything wrong" at one look.
func overviewView() *view {
	return &view{name: "overview", key: "2", fades: true, what: "what needs attention, then counts by kind and state",
		title: func(a *App, _ *page) string { return "overview" }, fill: fillOverview}
}

func fillOverview(a *App, p *page) []item {
	out := []item{tell(paint.Bold, a.verdict())}
	out = append(out, a.gaps()...)
	out = append(out, tell(paint.Plain, ""))
	found := a.urgent(p.list.Selected())
	for i := range found {
		out = append(out, found[i].item(a))
	}
	if len(found) > 0 {
		out = append(out, tell(paint.Plain, ""))
	}
	return append(out, a.counts()...)
}

// verdict is the overview's first line.
func (a *App) verdict() string {
	high, medium := 0, 0
	for _, f := range a.urgent("") {
		switch f.Severity {
		case model.High:
			high++
		case model.Medium:
			medium++
		}
	}
	told := weighed(high, medium)
	if told == "" {
		told = "no problem found"
	}
	return fmt.Sprintf("%s; %s in %s znodes", told, paint.Counted(a.res.Models.Len(), "recipe", "recipes"), paint.Number(a.census.count(a.res.Snapshot, a.now)))
}

// weighed counts findings of high and of medium severity in words; empty for none.
func weighed(high, medium int) string {
	warnings := paint.Counted(medium, "warning", "warnings")
	switch {
	case high > 0 && medium > 0:
		return paint.Number(high) + " urgent, " + warnings
	case high > 0:
		return paint.Number(high) + " urgent"
	case medium > 0:
		return warnings
	}
	return ""
}

// gaps says what the picture does not show.
func (a *App) gaps() (out []item) {
	s := a.res.Snapshot
	for _, p := range s.Partial {
		out = append(out, tell(paint.Warn, "incomplete: "+term.Safe(p)))
	}
	switch asked, answered := answered(s); {
	case s.Servers == nil:
		out = append(out, tell(paint.Dim, "no server was asked about sessions and watches: who is connected is not known"))
	case answered < asked:
		out = append(out, tell(paint.Warn, fmt.Sprintf("%d of %d servers answer: what only the others know is missing", answered, asked)))
	}
	return out
}

// urgentFinding is a finding and the recipe that it is about, if it is about one.
type urgentFinding struct {
	*model.Finding
	model *model.Model
}

// urgent lists findings of medium and high severity, what hurts most first, and those that were a moment ago or whose line
// is selected.
func (a *App) urgent(sel string) []urgentFinding {
	var out []urgentFinding
	add := func(fs []model.Finding, m *model.Model) {
		for i := range fs {
			if f := (urgentFinding{&fs[i], m}); f.Severity >= model.Medium || f.wasUrgent(a.lowered, sel) {
				out = append(out, f)
			}
		}
	}
	add(a.res.Findings, nil)
	for m := range a.res.Models.All() {
		add(m.Findings, m)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Severity > out[j].Severity })
	return out
}

// wasUrgent reports whether a finding of low severity needed attention a moment ago, or whether its line is selected.
func (f urgentFinding) wasUrgent(lowered map[rowID]time.Time, sel string) bool {
	if len(lowered) > 0 {
		id := rowID{attention + f.Code, f.path()}
		if f.model == nil {
			id = spanID(f.Finding)
		}
		if _, was := lowered[id]; was {
			return true
		}
	}
	return strings.HasPrefix(sel, f.Code+" ") && f.id() == sel
}

// path is the recipe that it is about, or the first of them; empty: it is about none.
func (f urgentFinding) path() string {
	switch {
	case f.model != nil:
		return f.model.Path
	case len(f.Paths) > 0:
		return f.Paths[0]
	}
	return ""
}

// id is that of its line. It does not change with the grade, nor with the order in which a ring is told.
func (f urgentFinding) id() string {
	if f.model == nil {
		return f.Code + " " + spanID(f.Finding).path
	}
	return f.Code + " " + strings.Join(f.Paths, " ") + " " + f.model.Path
}

func (f urgentFinding) item(a *App) item {
	to, path := target{}, f.path()
	switch {
	case f.model != nil:
		to.recipe = path
		for _, p := range f.Paths {
			if _, c, _ := a.res.RecipeAt(p); c != nil {
				to.claim = c.ID()
				break
			}
		}
	case len(f.Paths) > 0:
		if m, c, _ := a.res.RecipeAt(path); m != nil {
			if to.recipe = m.Path; c != nil {
				to.claim = c.ID()
			}
		}
	}
	place := term.Safe(path)
	if f.model == nil && len(f.Paths) == 0 {
		place = "ensemble"
	}
	told := strings.TrimPrefix(term.Safe(f.Text), f.Code+": ")
	if f.Severity == model.Low {
		told = "only low now: " + told
	}
	return item{id: f.id(), text: f.Code + " " + path + " " + f.Text, to: to, finding: f.Finding, quiet: f.Severity == model.Low,
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			mark, style := panel.SeverityMark(t, f.Severity)
			return t.Cells(w, paint.Cell{Text: mark, W: 1, Style: style}, paint.Cell{Text: f.Code, W: 20, Style: style},
				paint.Cell{Text: place, W: max(12, min(40, w/4)), Path: true}, paint.Cell{Text: told})
		}}
}

// counts are the kinds that there are, with their states.
func (a *App) counts() (out []item) {
	by := map[layout.Kind][]*model.Model{}
	for m := range a.res.Models.All() {
		by[m.Kind] = append(by[m.Kind], m)
	}
	for _, r := range a.recipes() {
		models := by[r.Kind]
		if len(models) == 0 {
			continue
		}
		claims := 0
		for _, m := range models {
			claims += len(m.Claims)
		}
		n := len(models)
		out = append(out, item{id: "kind " + string(r.Kind), text: r.Plural, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return t.Cells(w, paint.Cell{Text: r.Plural, W: 16, Style: paint.Bold}, paint.Cell{Text: paint.Number(n), W: 8, Right: true},
				paint.Cell{Text: paint.Counted(claims, "claim", "claims"), W: 16, Style: paint.Dim, Right: true}, paint.Cell{Text: " " + strings.TrimSpace(r.Count(models)), Style: paint.Plain})
		}, to: target{view: "kind", arg: string(r.Kind)}})
	}
	return out
}
