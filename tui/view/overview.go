package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
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
	section, path, _ := strings.Cut(p.List.Selected(), "\x00")
	selected := RowID{section, path}
	found := sh.Attention(selected)
	if len(found) > 0 {
		out = append(append(out, sh.attentionItems(found, selected, !p.Filter.Empty())...), tell(paint.Plain, ""))
	}
	return append(out, sh.counts()...)
}

// mostAlike is how many findings of a sort are listed where the counts by kind are to stay in sight.
const mostAlike = 3

// attentionItems are the rows of what needs attention as lines: of each sort the first, and the selected; of a filtered page
// all.
func (sh *Shown) attentionItems(found []Row, selected RowID, all bool) (out []Item) {
	for from := 0; from < len(found); {
		n := found[from].alike
		rest := 0
		for i := range found[from : from+n] {
			r := &found[from+i]
			if i >= mostAlike && r.ID() != selected && !all {
				rest++
				continue
			}
			it := sh.attentionItem(r)
			it.quiet = it.quiet || n >= mostAlike // another of its sort may have taken its line
			out = append(out, it)
		}
		if code := found[from].Finding.Code; rest > 0 {
			text := fmt.Sprintf("  %s %s more: %s", sh.Theme.Ellipsis, paint.Number(rest), code)
			out = append(out, Item{ID: "more " + found[from].sort, text: code, To: target{View: "recipes"}, quiet: true,
				draw: func(*paint.Theme, time.Time, int) paint.Line { return paint.Line{paint.Dim.Text(" " + text)} }})
		}
		from += n
	}
	return out
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
			return Weighed(high, medium) + " outside this filter", "none inside"
		}
		return text, ""
	}
	text = "nothing needs attention in " + paint.Counted(sh.Result.Models.Len(), "recipe", "recipes")
	switch asked, answered := answered(s); {
	case !s.LostSince.IsZero():
		gap = "there is no connection: that is how it was at " + sh.Clock(s.LostSince)
	case len(s.Partial) > 0:
		gap = "not everything was read: " + term.Safe(s.Partial[0])
	case s.Servers == nil:
		gap = "no server was asked who is connected"
	case answered < asked:
		gap = fmt.Sprintf("%d of %d servers gave no answer: what only they know is missing", asked-answered, asked)
	case sh.lateText(sh.Link.Server) != "":
		gap = term.Safe(sh.Link.Server) + ": " + sh.lateText(sh.Link.Server)
	case !s.AskedAt.IsZero() && sh.lookedAt().Sub(s.AskedAt) > askedLately:
		gap = fmt.Sprintf("%d of %d servers answered%s", answered, asked, sh.askedText())
	default:
		text += fmt.Sprintf(" and %s on %d of %d servers", paint.Counted(len(s.Sessions), "session", "sessions"), answered, asked)
	}
	return text, gap
}

// askedLately is how long ago servers are asked at most, where all of them answer: they are every five seconds.
const askedLately = 15 * time.Second

// grave counts the findings of high and of medium severity.
func (sh *Shown) grave() (high, medium int) {
	for _, r := range sh.Attention(RowID{}) {
		high += paint.BoolInt(r.Finding.Severity == model.High)
		medium += paint.BoolInt(r.Finding.Severity == model.Medium)
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
		out = append(out, tell(paint.Warn, fmt.Sprintf("%d of %d servers answered: what only the others know is missing", answered, asked)))
	}
	return out
}

// lineID is a row of what needs attention as a line of a page.
func lineID(id RowID) string { return id.Section + "\x00" + id.Path }

// attentionItem is a row of what needs attention as a line.
func (sh *Shown) attentionItem(r *Row) Item {
	to := target{}
	if r.Model != nil {
		to.Recipe = r.Model.Path
		for _, p := range r.Finding.Paths {
			if m, c, _ := sh.Result.RecipeAt(p); c != nil && m == r.Model {
				to.Claim = c.ID()
				break
			}
		}
	}
	told := sh.Clause(r.Finding)
	if r.Finding.Severity == model.Low {
		told = "only low now: " + told
	}
	return Item{ID: lineID(r.ID()), text: r.Finding.Code + " " + r.About() + " " + r.Finding.Text, To: to, Finding: r.Finding, quiet: r.Finding.Severity == model.Low,
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			mark, style := chart.SeverityMark(t, r.Finding.Severity)
			c := NewTable(t, Columns{}, "", now, w)
			return t.Cells(w, style.Cell(mark, 1), paint.Plain.Cell(r.Finding.Code, codeW), paint.Plain.Cell(c.about(r), max(12, min(40, w/4))).AsPath(), paint.Plain.Cell(clauseOf(told, max(8, w-codeW-max(12, min(40, w/4))-6), t.Ellipsis), 0))
		}}
}

// counts are the kinds that there are, with their states.
func (sh *Shown) counts() (out []Item) {
	by := map[layout.Kind][]*model.Model{}
	for m := range sh.Result.Models.All() {
		by[m.Kind] = append(by[m.Kind], m)
	}
	if len(by) > 0 {
		out = append(out, Item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return t.Cells(w, paint.Dim.Cell("KIND", 16), paint.Dim.Cell("RECIPES", 8).ToRight(), paint.Dim.Cell("CLAIMS", 8).ToRight(), paint.Dim.Cell(" HOW THEY STAND", 0))
		}})
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
				paint.Dim.Cell(paint.Number(claims), 8).ToRight(), paint.Plain.Cell(" "+strings.TrimSpace(r.Count(models)), 0))
		}, To: target{View: "kind", Arg: string(r.Kind)}})
	}
	return out
}
