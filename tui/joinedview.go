package tui

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
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
			draw: func(t *Theme, now time.Time, w int) line {
				st := p.State()
				return t.cells(w, cell{text: string(st.Phase), w: 10, style: phaseStyle(st.Phase)}, cell{text: string(p.Want().Kind), w: 13, style: Dim},
					cell{text: term.Safe(p.Want().Path), w: max(16, w/4), path: true}, cell{text: term.Safe(st.Text)}, cell{text: say.Age(now.Sub(st.Since)), w: 7, right: true})
			}})
	}
	return out
}

func phaseStyle(p actions.JoinPhase) Style {
	switch p {
	case actions.JoinHolding, actions.JoinDone:
		return Good
	case actions.JoinAsked, actions.JoinLost, actions.JoinFailed:
		return Alert
	}
	return Plain
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
