package view

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
)

// Profiles is the name of the view of all ensembles.
const Profiles = "profiles"

// ensemblesView shows the ensembles that the configuration names, and how each stands.
func ensemblesView() *View {
	return &View{Name: Profiles, What: "the ensembles of all profiles, and how each stands",
		Title: func(*Shown, *Page) string { return "ensembles" }, Fill: fillEnsembles,
		orders: []string{"ensemble", "how it stands", "recipes", "asked", "servers"},
		cols:   func(*Page, int) []paint.Column { return ensembleColumns },
		empty: func(*Shown, *Page) string {
			return "this console shows one ensemble alone: others are named under profiles in the configuration"
		}}
}

// ensembleColumns are those of the ensembles.
var ensembleColumns = []paint.Column{{Title: "ENSEMBLE", Min: 14}, {Title: "MARKS", W: 20, Rank: 2}, {Title: "HOW IT STANDS", Min: 28},
	{Title: "RECIPES", W: 8, Right: true, Rank: 1}, {Title: "ASKED", W: 8, Right: true}, {Title: "SERVERS", Min: 16, Rank: 3}}

func fillEnsembles(sh *Shown, p *Page) []Item {
	if sh.Fleet == nil {
		return nil
	}
	all := sh.Fleet.Ensembles()
	for i := range all {
		if all[i].Name == sh.Fleet.Here() {
			sh.stand(&all[i])
		}
	}
	var out []Item
	for _, e := range inOrder(p, all, func(e backend.Ensemble) string { return e.Name }, ensembleRank) {
		out = append(out, sh.ensembleItem(e))
	}
	return out
}

// stand fills in how the ensemble stands that is shown.
func (sh *Shown) stand(e *backend.Ensemble) {
	e.At = sh.Now
	e.Weigh(sh.Live)
	if lost := sh.Live.Snapshot.LostSince; !lost.IsZero() {
		e.At, e.Err = lost, cmp.Or(sh.Link.Cause, "the connection is lost")
	}
}

// ensembleRank is what an ensemble is sorted by: what could not be read before what is wrong, and that by its weight; the oldest answer first.
func ensembleRank(e backend.Ensemble, by string) rank {
	switch by {
	case "how it stands":
		return rank{by: -(int64(e.High)<<40 + int64(e.Medium)<<20 + int64(e.Low) + int64(paint.BoolInt(e.Err != ""))<<60)}
	case "recipes":
		return rank{by: -int64(e.Recipes)}
	case "asked":
		return rank{by: e.At.UnixNano()}
	}
	return rank{text: e.Servers}
}

func (sh *Shown) ensembleItem(e backend.Ensemble) Item {
	here := e.Name == sh.Fleet.Here()
	var marks []string
	for _, m := range []struct {
		on   bool
		text string
	}{{e.Production, "production"}, {e.ReadOnly, "read-only"}} {
		if m.on {
			marks = append(marks, m.text)
		}
	}
	return Item{ID: e.Name, text: e.Name + " " + e.Servers + " " + strings.Join(marks, " "), To: target{View: "profile", Arg: e.Name},
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			now := sh.Now // the list goes on where the picture is held
			text, style := standing(&e, now)
			recipes, asked := "-", "-"
			if !e.At.IsZero() {
				asked = say.Age(now.Sub(e.At))
				if e.Err == "" {
					recipes = strconv.Itoa(e.Recipes)
				}
			}
			name := paint.Plain
			if here {
				name, asked = paint.Bold, say.Either(e.Err == "", "shown", asked)
			}
			g := t.Grid(w, ensembleColumns...)
			return g.Row(name.Text(term.Safe(e.Name)), paint.Dim.Text(strings.Join(marks, ",")), style.Text(text), paint.Plain.Text(recipes),
				paint.Plain.Text(asked), paint.Dim.Text(term.Safe(e.Servers)))
		}}
}

// standing says how an ensemble stands, as far as it said.
func standing(e *backend.Ensemble, now time.Time) (string, paint.Style) {
	switch {
	case e.At.IsZero() && e.Asking.IsZero():
		return "not asked yet", paint.Dim
	case e.At.IsZero():
		return "asking for " + say.Age(now.Sub(e.Asking)), paint.Dim
	case e.Err != "":
		return "not read: " + term.Safe(e.Err), paint.Alert
	}
	text, style := Weighed(e.High, e.Medium), paint.Good
	switch {
	case e.High > 0:
		style = paint.Alert
	case e.Medium > 0:
		style = paint.Warn
	}
	if e.Low > 0 {
		text = strings.TrimPrefix(text+", "+paint.Number(e.Low)+" low", ", ")
	}
	if text == "" {
		text = "ok"
	}
	if e.Incomplete {
		text, style = text+", as far as it was read", paint.Warn
		if e.High > 0 {
			style = paint.Alert
		}
	}
	return text, style
}
