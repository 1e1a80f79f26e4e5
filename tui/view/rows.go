package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Row is one line of the list: something that needs attention, or a recipe.
type Row struct {
	Section string // "!" for what needs attention, else the kind
	Model   *model.Model
	Finding *model.Finding // of a row that needs attention
	about   string         // the recipes that a finding spans
	sort    string         // of a finding, what it is grouped by
	alike   int            // of the first finding of a sort, how many there are of it
	worst   model.Severity // of a recipe, of what was found about it
	brief   *panel.Brief   // of a recipe; made when it is first drawn
}

// RowID identifies a row from one picture to the next, with what it says: a finding that comes to a recipe is a new row.
type RowID struct{ Section, Path string }

// Urgent reports whether it is a finding's row.
func (id RowID) Urgent() bool { return strings.HasPrefix(id.Section, Attention) }

// ID identifies a row; one that is gone keeps its own, and one about the ensemble itself has none.
func (r *Row) ID() RowID {
	switch m := r.Model; {
	case m == nil:
		return RowID{Section: r.Section}
	case r.Finding == nil:
		return RowID{r.Section, m.Path}
	case len(r.Finding.Sessions) == 1 && ofSession[r.Finding.Code], r.about == "":
		return OneID(r.Finding, m)
	}
	return SpanID(r.Finding)
}

// OneID identifies what was found in one recipe: of a session as a whole by that, as whatever it has a claim in is one row, also
// where a filter keeps only one of them.
func OneID(f *model.Finding, m *model.Model) RowID {
	if len(f.Sessions) == 1 && ofSession[f.Code] {
		return RowID{Attention + f.Code, f.Sessions[0].String()}
	}
	return RowID{Attention + f.Code, m.Path}
}

// SpanID identifies a finding that spans recipes, of which there may be several of a sort: by whom and what it is about,
// in whatever order they are told, and not by its grade.
func SpanID(f *model.Finding) RowID {
	return RowID{Attention + f.Code, fmt.Sprint(slices.Sorted(slices.Values(f.Paths)), slices.Sorted(slices.Values(f.Sessions)))}
}

// About is what a row with a finding is about.
func (r *Row) About() string {
	if r.about != "" {
		return r.about
	}
	return term.Safe(r.Model.Path)
}

// Attention is the section of recipes with findings that should be seen first.
const Attention = "!"

// BuildRows lays out a picture as rows: what needs attention first, those of a sort together, then every recipe in an order.
// What is lowered needed attention a moment ago, and is still shown there.
func BuildRows(res *model.Result, recipes []panel.Recipe, f *widget.Filter, o *Sorting, lowered map[RowID]time.Time) []Row {
	var models []*model.Model
	spans := spanned(res)
	for m := range res.Models.All() {
		if KeepsModel(f, m) {
			models = append(models, m)
		}
	}
	urgent := attention(res, models, f, lowered)
	rows := make([]Row, 0, len(models)+len(urgent))
	rows = append(rows, urgent...)
	o.sort(models, recipes)
	for _, m := range models {
		rows = append(rows, Row{Section: string(m.Kind), Model: m, worst: max(gravest(m), spans[m.Path])})
	}
	return rows
}

// attention are the rows of what needs attention in models, those of a sort together.
func attention(res *model.Result, models []*model.Model, f *widget.Filter, lowered map[RowID]time.Time) []Row {
	var out []Row
	for _, m := range models {
		for _, x := range worst(m, lowered) {
			out = append(out, Row{Section: Attention, Model: m, Finding: x})
		}
	}
	return group(append(spanning(res, f, lowered), bySession(out)...))
}

// Attention are the rows of what needs attention anywhere, and the one that is selected, whatever it weighs.
func (sh *Shown) Attention(selected RowID) []Row {
	lowered := sh.Lowered
	if selected.Urgent() {
		lowered = maps.Clone(lowered)
		if lowered == nil {
			lowered = map[RowID]time.Time{}
		}
		lowered[selected] = sh.Now
	}
	return attention(sh.Result, slices.Collect(sh.Result.Models.All()), &widget.Filter{}, lowered)
}

// gravest is how grave the gravest is that was found about a recipe alone.
func gravest(m *model.Model) (worst model.Severity) {
	for i := range m.Findings {
		worst = max(worst, m.Findings[i].Severity)
	}
	return worst
}

// spanned is how grave the gravest is of what spans recipes, by the path of each.
func spanned(res *model.Result) map[string]model.Severity {
	out := map[string]model.Severity{}
	for i := range res.Findings {
		for _, p := range res.Findings[i].Paths {
			if m, _, _ := res.RecipeAt(p); m != nil {
				out[m.Path] = max(out[m.Path], res.Findings[i].Severity)
			}
		}
	}
	return out
}

// ofSession are the codes that are about a session as a whole, whatever it has a claim in.
var ofSession = map[string]bool{model.CodeOwnerDisconnected: true, model.CodeOwnerSilent: true, model.CodeOwnerRestarted: true}

// bySession makes one row of those that say the same of one session: it is one thing that went wrong, however many claims the
// session has.
func bySession(rows []Row) []Row {
	type of struct {
		code string
		id   znode.SessionID
	}
	at := map[of]int{}
	out := rows[:0:0]
	for _, r := range rows {
		f := r.Finding
		if !ofSession[f.Code] || len(f.Sessions) != 1 {
			out = append(out, r)
			continue
		}
		key := of{f.Code, f.Sessions[0]}
		i, some := at[key]
		if !some {
			at[key] = len(out)
			out = append(out, r)
			continue
		}
		out[i].join(r)
	}
	return out
}

// join adds to a row about a session what another says of it: the gravest leads.
func (r *Row) join(x Row) {
	if r.about == "" {
		one := *r.Finding
		r.Finding, r.about = &one, term.Safe(r.Model.Path)
	}
	paths := slices.Concat(r.Finding.Paths, x.Finding.Paths)
	if x.Finding.Severity > r.Finding.Severity {
		one := *x.Finding
		r.Finding, r.Model = &one, x.Model
		paths = slices.Concat(x.Finding.Paths, paths[:len(paths)-len(x.Finding.Paths)])
		r.about = term.Safe(x.Model.Path) + " " + r.about
	} else {
		r.about += " " + term.Safe(x.Model.Path)
	}
	r.Finding.Paths = paths
}

// group puts the gravest first, and those of a sort together; the first of a sort counts them.
func group(rows []Row) []Row {
	sorted.By(rows, func(x, y Row) int {
		if by := int(y.Finding.Severity) - int(x.Finding.Severity); by != 0 {
			return by
		}
		if by := paint.BoolInt(x.about == "") - paint.BoolInt(y.about == ""); by != 0 {
			return by
		}
		return strings.Compare(x.Finding.Code, y.Finding.Code)
	})
	for from, i := 0, 0; i < len(rows); i++ {
		rows[i].sort = rows[i].Finding.Code + " " + rows[i].Finding.Severity.String()
		if rows[from].sort != rows[i].sort {
			from = i
		}
		rows[from].alike++
	}
	return rows
}

// spanning are rows for findings that span recipes, as a deadlock does: each stands with the first recipe that
// it is about.
func spanning(res *model.Result, f *widget.Filter, lowered map[RowID]time.Time) (out []Row) {
	for i := range res.Findings {
		x := &res.Findings[i]
		if !urgent(x, SpanID(x), lowered) {
			continue
		}
		if len(x.Paths) == 0 && f.Text == "" { // of the ensemble itself: nothing in it can be selected
			out = append(out, Row{Section: Attention, Finding: x, about: "the ensemble"})
		}
		for _, p := range x.Paths {
			if m, _, _ := res.RecipeAt(p); m != nil && KeepsModel(f, m) {
				out = append(out, Row{Section: Attention, Model: m, Finding: x, about: pathsOf(res, x)})
				break
			}
		}
	}
	return out
}

// SpanningOf are the findings that a recipe is part of with others, as a deadlock.
func (sh *Shown) SpanningOf(m *model.Model) (out []*model.Finding) {
	for i := range sh.Result.Findings {
		f := &sh.Result.Findings[i]
		if urgent(f, SpanID(f), sh.Lowered) && slices.ContainsFunc(f.Paths, func(p string) bool { of, _, _ := sh.Result.RecipeAt(p); return of == m }) {
			out = append(out, f)
		}
	}
	return out
}

// pathsOf joins the recipes that a finding is about.
func pathsOf(res *model.Result, f *model.Finding) string {
	var out []string
	for _, p := range f.Paths {
		if m, _, _ := res.RecipeAt(p); m != nil {
			p = m.Path
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return term.Safe(strings.Join(out, " "))
}

// urgent reports whether a finding is of medium or high severity, or was a moment ago.
func urgent(f *model.Finding, id RowID, lowered map[RowID]time.Time) bool {
	if f.Severity >= model.Medium {
		return true
	}
	_, was := lowered[id]
	return was
}

// worst lists the findings of medium or high severity, or that were, the gravest of each code: one must not hide another.
func worst(m *model.Model, lowered map[RowID]time.Time) (out []*model.Finding) {
	for i := range m.Findings {
		f := &m.Findings[i]
		same := slices.IndexFunc(out, func(o *model.Finding) bool { return o.Code == f.Code })
		switch {
		case f.Severity < model.Medium && (len(lowered) == 0 || !urgent(f, OneID(f, m), lowered)):
		case same < 0:
			out = append(out, f)
		case f.Severity > out[same].Severity:
			out[same] = f
		}
	}
	return out
}
