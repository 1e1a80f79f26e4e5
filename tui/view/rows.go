package view

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// Row is one line of the list: a heading, a recipe that needs attention, or a recipe.
type Row struct {
	Section string // "!" for what needs attention, else the kind
	Model   *model.Model
	Finding *model.Finding // of a row that needs attention
	heading string
	note    string       // right of the heading
	brief   *panel.Brief // of a recipe; made when it is first drawn
}

// RowID identifies a row from one picture to the next, with what it says: a finding that comes to a recipe is a new row.
type RowID struct{ Section, Path string }

// Urgent reports whether it is a finding's row.
func (id RowID) Urgent() bool { return strings.HasPrefix(id.Section, Attention) }

// ID identifies a row; one that is gone keeps its own, and a heading has none.
func (r *Row) ID() RowID {
	switch m := r.Model; {
	case m == nil:
		return RowID{Section: r.Section}
	case r.Finding == nil:
		return RowID{r.Section, m.Path}
	case r.note != "":
		return SpanID(r.Finding)
	}
	return RowID{Attention + r.Finding.Code, r.Model.Path}
}

// SpanID identifies a finding that spans recipes, of which there may be several of a sort: by whom and what it is about,
// in whatever order they are told, and not by its grade.
func SpanID(f *model.Finding) RowID {
	return RowID{Attention + f.Code, fmt.Sprint(slices.Sorted(slices.Values(f.Paths)), slices.Sorted(slices.Values(f.Sessions)))}
}

// About is what a row with a finding is about.
func (r *Row) About() string {
	if r.note != "" {
		return r.note
	}
	return term.Safe(r.Model.Path)
}

// Attention is the section of recipes with findings that should be seen first.
const Attention = "!"

// BuildRows lays out a picture as rows: what needs attention first, then every recipe under its kind. Each
// kind is in the order that was asked for. What is lowered needed attention a moment ago, and is still shown there.
func BuildRows(res *model.Result, recipes []panel.Recipe, f *widget.Filter, o Order, reverse bool, lowered map[RowID]time.Time) []Row {
	groups := map[layout.Kind][]*model.Model{}
	var urgent []Row
	for m := range res.Models.All() {
		if !KeepsModel(f, m) {
			continue
		}
		groups[m.Kind] = append(groups[m.Kind], m)
		for _, f := range worst(m, lowered) {
			urgent = append(urgent, Row{Section: Attention, Model: m, Finding: f})
		}
	}
	urgent = append(spanning(res, f, lowered), urgent...)
	sort.SliceStable(urgent, func(i, j int) bool { return urgent[i].Finding.Severity > urgent[j].Finding.Severity })
	rows := make([]Row, 0, res.Models.Len()+len(urgent)+len(groups))
	rows = append(rows, urgent...)
	for _, r := range recipes {
		models := groups[r.Kind]
		if len(models) == 0 {
			continue
		}
		sortModels(models, o, r.Panel, reverse)
		rows = append(rows, Row{Section: string(r.Kind), heading: r.Plural, note: r.Count(models)})
		for _, m := range models {
			rows = append(rows, Row{Section: string(r.Kind), Model: m})
		}
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
			out = append(out, Row{Section: Attention, Finding: x, note: term.Safe(x.Text)})
		}
		for _, p := range x.Paths {
			if m, _, _ := res.RecipeAt(p); m != nil && KeepsModel(f, m) {
				out = append(out, Row{Section: Attention, Model: m, Finding: x, note: pathsOf(res, x)})
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
		case f.Severity < model.Medium && (len(lowered) == 0 || !urgent(f, RowID{Attention + f.Code, m.Path}, lowered)):
		case same < 0:
			out = append(out, f)
		case f.Severity > out[same].Severity:
			out[same] = f
		}
	}
	return out
}

// codeWidth is how wide the column of findings' codes is: as the longest of them.
const codeWidth = 21

// RowLine draws a row of the list in w cells; the first span of a recipe's row is the cursor's cell, sign what stands in its
// gutter. The columns have fixed widths, so that they hold still.
func RowLine(t *paint.Theme, r *Row, p panel.Panel, sign string, now time.Time, w int) paint.Line {
	switch {
	case r.Model == nil && r.Finding == nil:
		return paint.Line{paint.Bold.Text(" " + term.Fit(r.heading, 15, t.Ellipsis)), paint.Dim.Text(" " + r.note)}
	case r.Finding != nil:
		mark, style := panel.SeverityMark(t, r.Finding.Severity)
		out := paint.Line{paint.Plain.Text(" "), style.Text(mark + sign), style.Text(term.Fit(r.Finding.Code, codeWidth, t.Ellipsis) + " ")}
		if r.Model == nil {
			return append(out, paint.Plain.Text(term.Fit(r.About(), w-codeWidth-4, t.Ellipsis)))
		}
		if r.Finding.Severity == model.Low {
			return append(out, paint.Dim.Text(term.Fit("only low now: "+r.About(), w-codeWidth-4, t.Ellipsis)))
		}
		return append(out, paint.Plain.Text(term.FitLeft(r.About(), w-codeWidth-4, t.Ellipsis)))
	}
	if r.brief == nil {
		made := panel.BriefOf(r.Model, p)
		r.brief = &made
	}
	b, style := *r.brief, paint.Plain
	if b.What == "" {
		style, b.What = paint.Dim, string(r.Model.State)
	}
	return briefLine(t, sign, term.Safe(r.Model.Path), b, style, now, w)
}

// briefLine draws a recipe in three words behind its sign and its path.
func briefLine(t *paint.Theme, sign, path string, b panel.Brief, style paint.Style, now time.Time, w int) paint.Line {
	const ageW, queueW = 7, 9
	ownerW := max(10, min(24, w/4))
	pathW := w - 2 - ownerW - ageW - queueW - 3
	age := ""
	if !b.Since.IsZero() {
		if age = say.Age(now.Sub(b.Since)); b.Most {
			age = t.AtMost + age
		}
	}
	return paint.Line{paint.Plain.Text(" "), style.Text(sign + term.FitLeft(path, pathW, t.Ellipsis) + " "),
		style.Text(term.Fit(b.What, ownerW, t.Ellipsis) + " "),
		paint.Dim.Text(term.PadLeft(age, ageW) + " "), style.Text(term.PadLeft(b.Queue, queueW))}
}

// LateLine draws a row that is gone: that it is, and since when, never how it stood.
func LateLine(t *paint.Theme, g *GoneRow, word string, now time.Time, w int) paint.Line {
	r := &g.Item
	if r.Finding != nil {
		mark, _ := panel.SeverityMark(t, r.Finding.Severity)
		return paint.Dimmed(paint.Line{paint.Plain.Text(" "), paint.Dim.Text(mark + widget.GoneSign), paint.Dim.Text(term.Fit(r.Finding.Code, codeWidth, t.Ellipsis) + " "),
			paint.Dim.Text(term.Fit("no more: "+r.About(), w-codeWidth-4, t.Ellipsis))})
	}
	return paint.Dimmed(briefLine(t, widget.GoneSign, term.Safe(r.Model.Path), panel.Brief{What: word, Since: g.At}, paint.Dim, now, w))
}
