package tui

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// joinedView lists the places that were taken from here.
func joinedView() *view {
	return &view{name: "joined", key: "8", what: "the places that you took in recipes, and where you stand",
		title: func(a *App, _ *page) string { return "joined" }, fill: fillJoined,
		empty: func(a *App, _ *page) string {
			return "you take part in nothing; " + a.keys.Join.Help().Key + " joins the selected recipe"
		}}
}

func fillJoined(a *App, _ *page) []item {
	var out []item
	for i, p := range a.places {
		n := strconv.Itoa(i)
		out = append(out, item{id: "p" + n, text: p.Want().Path + " " + string(p.Want().Kind), to: target{view: "place", arg: n},
			draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
				st := p.State()
				return t.Cells(w, paint.Cell{Text: string(st.Phase), W: 10, Style: phaseStyle(st.Phase)}, paint.Cell{Text: string(p.Want().Kind), W: 13, Style: paint.Dim},
					paint.Cell{Text: term.Safe(p.Want().Path), W: max(16, w/4), Path: true}, paint.Cell{Text: term.Safe(st.Text)}, paint.Cell{Text: say.Age(now.Sub(st.Since)), W: 7, Right: true})
			}})
	}
	return out
}

func phaseStyle(p actions.JoinPhase) paint.Style {
	switch p {
	case actions.JoinHolding, actions.JoinDone:
		return paint.Good
	case actions.JoinAsked, actions.JoinLost, actions.JoinFailed:
		return paint.Alert
	}
	return paint.Plain
}

// placeView is one place that was taken: where one stands, and what can be done about it.
func placeView() *view {
	return &view{name: "place", what: "one place that you took",
		title: func(a *App, p *page) string {
			if pl := a.placeOf(p); pl != nil {
				return "you, in " + string(pl.Want().Kind) + " " + term.Safe(pl.Want().Path)
			}
			return "no place"
		}, fill: fillPlace}
}

// placeOf is the place that a page shows, or nil.
func (a *App) placeOf(p *page) Place {
	if p == nil || p.view.name != "place" {
		return nil
	}
	if i, err := strconv.Atoi(p.arg); err == nil && i < len(a.places) {
		return a.places[i]
	}
	return nil
}
