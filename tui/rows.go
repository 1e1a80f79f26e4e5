package tui

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

// row is one line of the list: a heading, a recipe that needs attention, or a recipe.
type row struct {
	section string // "!" for what needs attention, else the kind
	model   *model.Model
	finding *model.Finding // of a row that needs attention
	heading string
	note    string       // right of the heading
	brief   *panel.Brief // of a recipe; made when it is first drawn
}

// rowID identifies a row from one picture to the next, with what it says: a finding that comes to a recipe is a new row.
type rowID struct{ section, path string }

// urgent reports whether it is a finding's row.
func (id rowID) urgent() bool { return strings.HasPrefix(id.section, attention) }

// id identifies a row; one that is gone keeps its own, and a heading has none.
func (r *row) id() rowID {
	switch m := r.model; {
	case m == nil:
		return rowID{section: r.section}
	case r.finding == nil:
		return rowID{r.section, m.Path}
	case r.note != "":
		return spanID(r.finding)
	}
	return rowID{attention + r.finding.Code, r.model.Path}
}

// spanID identifies a finding that spans recipes, of which there may be several of a sort: by whom and what it is about,
// in whatever order they are told, and not by its grade.
func spanID(f *model.Finding) rowID {
	return rowID{attention + f.Code, fmt.Sprint(slices.Sorted(slices.Values(f.Paths)), slices.Sorted(slices.Values(f.Sessions)))}
}

// about is what a row with a finding is about.
func (r *row) about() string {
	if r.note != "" {
		return r.note
	}
	return term.Safe(r.model.Path)
}

// attention is the section of recipes with findings that should be seen first.
const attention = "!"

// buildRows lays out a picture as rows: what needs attention first, then every recipe under its kind. Each
// kind is in the order that was asked for. What is lowered needed attention a moment ago, and is still shown there.
func buildRows(res *model.Result, recipes []panel.Recipe, f *widget.Filter, o order, reverse bool, lowered map[rowID]time.Time) []row {
	groups := map[layout.Kind][]*model.Model{}
	var urgent []row
	for m := range res.Models.All() {
		if !keepsModel(f, m) {
			continue
		}
		groups[m.Kind] = append(groups[m.Kind], m)
		for _, f := range worst(m, lowered) {
			urgent = append(urgent, row{section: attention, model: m, finding: f})
		}
	}
	urgent = append(spanning(res, f, lowered), urgent...)
	sort.SliceStable(urgent, func(i, j int) bool { return urgent[i].finding.Severity > urgent[j].finding.Severity })
	rows := make([]row, 0, res.Models.Len()+len(urgent)+len(groups))
	rows = append(rows, urgent...)
	for _, r := range recipes {
		models := groups[r.Kind]
		if len(models) == 0 {
			continue
		}
		sortModels(models, o, r.Panel, reverse)
		rows = append(rows, row{section: string(r.Kind), heading: r.Plural, note: r.Count(models)})
		for _, m := range models {
			rows = append(rows, row{section: string(r.Kind), model: m})
		}
	}
	return rows
}

// spanning are rows for findings that span recipes, as a deadlock does: each stands with the first recipe that
// it is about.
func spanning(res *model.Result, f *widget.Filter, lowered map[rowID]time.Time) (out []row) {
	for i := range res.Findings {
		x := &res.Findings[i]
		if !urgent(x, spanID(x), lowered) {
			continue
		}
		if len(x.Paths) == 0 && f.Text == "" { // of the ensemble itself: nothing in it can be selected
			out = append(out, row{section: attention, finding: x, note: term.Safe(x.Text)})
		}
		for _, p := range x.Paths {
			if m, _, _ := res.RecipeAt(p); m != nil && keepsModel(f, m) {
				out = append(out, row{section: attention, model: m, finding: x, note: pathsOf(res, x)})
				break
			}
		}
	}
	return out
}

// spanningOf are the findings that a recipe is part of with others, as a deadlock.
func (a *App) spanningOf(m *model.Model) (out []*model.Finding) {
	for i := range a.res.Findings {
		f := &a.res.Findings[i]
		if urgent(f, spanID(f), a.lowered) && slices.ContainsFunc(f.Paths, func(p string) bool { of, _, _ := a.res.RecipeAt(p); return of == m }) {
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
func urgent(f *model.Finding, id rowID, lowered map[rowID]time.Time) bool {
	if f.Severity >= model.Medium {
		return true
	}
	_, was := lowered[id]
	return was
}

// worst lists the findings of medium or high severity, or that were, the gravest of each code: one must not hide another.
func worst(m *model.Model, lowered map[rowID]time.Time) (out []*model.Finding) {
	for i := range m.Findings {
		f := &m.Findings[i]
		same := slices.IndexFunc(out, func(o *model.Finding) bool { return o.Code == f.Code })
		switch {
		case f.Severity < model.Medium && (len(lowered) == 0 || !urgent(f, rowID{attention + f.Code, m.Path}, lowered)):
		case same < 0:
			out = append(out, f)
		case f.Severity > out[same].Severity:
			out[same] = f
		}
	}
	return out
}

// rowLine draws a row of the list in w cells; the first span of a recipe's row is the cursor's cell, sign what stands in its
// gutter. The columns have fixed widths, so that they hold still.
func rowLine(t *paint.Theme, r *row, p panel.Panel, sign string, now time.Time, w int) paint.Line {
	switch {
	case r.model == nil && r.finding == nil:
		return paint.Line{paint.Bold.Text(" " + term.Fit(r.heading, 15, t.Ellipsis)), paint.Dim.Text(" " + r.note)}
	case r.finding != nil:
		mark, style := panel.SeverityMark(t, r.finding.Severity)
		const code = 20
		out := paint.Line{paint.Plain.Text(" "), style.Text(mark + sign), style.Text(term.Fit(r.finding.Code, code, t.Ellipsis) + " ")}
		if r.model == nil {
			return append(out, paint.Plain.Text(term.Fit(r.about(), w-code-4, t.Ellipsis)))
		}
		if r.finding.Severity == model.Low {
			return append(out, paint.Dim.Text(term.Fit("only low now: "+r.about(), w-code-4, t.Ellipsis)))
		}
		return append(out, paint.Plain.Text(term.FitLeft(r.about(), w-code-4, t.Ellipsis)))
	}
	if r.brief == nil {
		made := panel.BriefOf(r.model, p)
		r.brief = &made
	}
	b, style := *r.brief, paint.Plain
	if b.What == "" {
		style, b.What = paint.Dim, string(r.model.State)
	}
	return briefLine(t, sign, term.Safe(r.model.Path), b, style, now, w)
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

// lateLine draws a row that is gone: that it is, and since when, never how it stood.
func lateLine(t *paint.Theme, g *goneRow, word string, now time.Time, w int) paint.Line {
	r := &g.Item
	if r.finding != nil {
		const code = 20
		mark, _ := panel.SeverityMark(t, r.finding.Severity)
		return paint.Dimmed(paint.Line{paint.Plain.Text(" "), paint.Dim.Text(mark + widget.GoneSign), paint.Dim.Text(term.Fit(r.finding.Code, code, t.Ellipsis) + " "),
			paint.Dim.Text(term.Fit("no more: "+r.about(), w-code-4, t.Ellipsis))})
	}
	return paint.Dimmed(briefLine(t, widget.GoneSign, term.Safe(r.model.Path), panel.Brief{What: word, Since: g.At}, paint.Dim, now, w))
}
