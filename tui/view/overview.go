package view

import (
	"cmp"
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
func overviewView() *View {
	return &View{Name: "overview", Key: "2", fades: true, What: "what needs attention, then counts by kind and state",
		Title: func(sh *Shown, _ *Page) string { return "overview" }, Fill: fillOverview}
}

func fillOverview(sh *Shown, p *Page) []Item {
	out := []Item{tell(paint.Bold, sh.verdict())}
	out = append(out, sh.gaps()...)
	out = append(out, tell(paint.Plain, ""))
	found := sh.urgent(p.List.Selected())
	for i := range found {
		out = append(out, found[i].item(sh))
	}
	if len(found) > 0 {
		out = append(out, tell(paint.Plain, ""))
	}
	return append(out, sh.counts()...)
}

// verdict is the overview's first line.
func (sh *Shown) verdict() string {
	high, medium := sh.grave()
	return fmt.Sprintf("%s; %s in %s znodes", cmp.Or(Weighed(high, medium), "no problem found"), paint.Counted(sh.Result.Models.Len(), "recipe", "recipes"), paint.Number(sh.Census.Count(sh.Result.Snapshot, sh.Now)))
}

// Calm says what there is where nothing needs attention in the recipes that are kept, and what of it is not known; the second is empty where all is.
func (sh *Shown) Calm(kept int) (text, gap string) {
	s := sh.Result.Snapshot
	if sh.Filter.Text != "" {
		text = "nothing needs attention in the " + paint.Counted(kept, "recipe", "recipes") + " that the filter keeps"
		if high, medium := sh.grave(); high+medium > 0 {
			gap = Weighed(high, medium) + " elsewhere"
		}
		return text, gap
	}
	text = "nothing needs attention in " + paint.Counted(sh.Result.Models.Len(), "recipe", "recipes")
	switch asked, answered := answered(s); {
	case len(s.Partial) > 0:
		gap = "not everything was read: " + term.Safe(s.Partial[0])
	case s.Servers == nil:
		gap = "no server was asked who is connected"
	case answered < asked:
		gap = fmt.Sprintf("%d of %d servers gave no answer: what only they know is missing", asked-answered, asked)
	default:
		text += fmt.Sprintf(" and %s on %d of %d servers", paint.Counted(len(s.Sessions), "session", "sessions"), answered, asked)
	}
	return text, gap
}

// grave counts the findings of high and of medium severity.
func (sh *Shown) grave() (high, medium int) {
	for _, f := range sh.urgent("") {
		high += paint.BoolInt(f.Severity == model.High)
		medium += paint.BoolInt(f.Severity == model.Medium)
	}
	return high, medium
}

// Weighed counts findings of high and of medium severity in words; empty for none.
func Weighed(high, medium int) string {
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
func (sh *Shown) gaps() (out []Item) {
	s := sh.Result.Snapshot
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
func (sh *Shown) urgent(sel string) []urgentFinding {
	var out []urgentFinding
	add := func(fs []model.Finding, m *model.Model) {
		for i := range fs {
			if f := (urgentFinding{&fs[i], m}); f.Severity >= model.Medium || f.wasUrgent(sh.Lowered, sel) {
				out = append(out, f)
			}
		}
	}
	add(sh.Result.Findings, nil)
	for m := range sh.Result.Models.All() {
		add(m.Findings, m)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Severity > out[j].Severity })
	return out
}

// wasUrgent reports whether a finding of low severity needed attention a moment ago, or whether its line is selected.
func (f urgentFinding) wasUrgent(lowered map[RowID]time.Time, sel string) bool {
	if len(lowered) > 0 {
		id := RowID{Attention + f.Code, f.path()}
		if f.model == nil {
			id = SpanID(f.Finding)
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
		return f.Code + " " + SpanID(f.Finding).Path
	}
	return f.Code + " " + strings.Join(f.Paths, " ") + " " + f.model.Path
}

func (f urgentFinding) item(sh *Shown) Item {
	to, path := target{}, f.path()
	switch {
	case f.model != nil:
		to.Recipe = path
		for _, p := range f.Paths {
			if _, c, _ := sh.Result.RecipeAt(p); c != nil {
				to.Claim = c.ID()
				break
			}
		}
	case len(f.Paths) > 0:
		if m, c, _ := sh.Result.RecipeAt(path); m != nil {
			if to.Recipe = m.Path; c != nil {
				to.Claim = c.ID()
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
	return Item{ID: f.id(), text: f.Code + " " + path + " " + f.Text, To: to, Finding: f.Finding, quiet: f.Severity == model.Low,
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			mark, style := panel.SeverityMark(t, f.Severity)
			return t.Cells(w, style.Cell(mark, 1), style.Cell(f.Code, 20),
				paint.Plain.Cell(place, max(12, min(40, w/4))).AsPath(), paint.Plain.Cell(told, 0))
		}}
}

// counts are the kinds that there are, with their states.
func (sh *Shown) counts() (out []Item) {
	by := map[layout.Kind][]*model.Model{}
	for m := range sh.Result.Models.All() {
		by[m.Kind] = append(by[m.Kind], m)
	}
	for _, r := range sh.Recipes() {
		models := by[r.Kind]
		if len(models) == 0 {
			continue
		}
		claims := 0
		for _, m := range models {
			claims += len(m.Claims)
		}
		n := len(models)
		out = append(out, Item{ID: "kind " + string(r.Kind), text: r.Plural, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return t.Cells(w, paint.Bold.Cell(r.Plural, 16), paint.Plain.Cell(paint.Number(n), 8).ToRight(),
				paint.Dim.Cell(paint.Counted(claims, "claim", "claims"), 16).ToRight(), paint.Plain.Cell(" "+strings.TrimSpace(r.Count(models)), 0))
		}, To: target{View: "kind", Arg: string(r.Kind)}})
	}
	return out
}
