package view

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
)

// joinedView lists the places that were taken from here.
func joinedView() *View {
	return &View{Name: "joined", Key: "8", What: "the places that you took in recipes, and where you stand",
		Title: func(sh *Shown, _ *Page) string { return "joined" }, Fill: fillJoined,
		orders: []string{"taken", "place", "kind", "path", "for"},
		cols:   func(*Page, int) []paint.Column { return joinedColumns },
		empty: func(sh *Shown, _ *Page) string {
			return "you take part in nothing; " + sh.Keys.Join.Help().Key + " joins the selected recipe"
		}}
}

func fillJoined(sh *Shown, page *Page) []Item {
	all := make([]int, len(sh.Places))
	for i := range all {
		all[i] = i
	}
	var out []Item
	for _, i := range inOrder(page, all, strconv.Itoa, func(i int, by string) rank { return placeRank(sh.Places[i], by) }) {
		p, n := sh.Places[i], strconv.Itoa(i)
		out = append(out, Item{ID: "p" + n, text: p.Want().Path + " " + string(p.Want().Kind), To: target{View: "place", Arg: n},
			draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
				st := p.State()
				g := t.Grid(w, joinedColumns...)
				return g.Row(phaseStyle(st.Phase).Text(string(st.Phase)), paint.Dim.Text(string(p.Want().Kind)),
					paint.Plain.Text(term.Safe(p.Want().Path)), paint.Plain.Text(term.Safe(st.Text)), paint.Plain.Text(say.Age(now.Sub(st.Since))))
			}})
	}
	return out
}

// placeRank is what a place is sorted by.
func placeRank(p backend.Place, by string) rank {
	switch by {
	case "place":
		return rank{text: string(p.State().Phase)}
	case "kind":
		return rank{text: string(p.Want().Kind)}
	case "path":
		return rank{text: p.Want().Path}
	}
	return rank{by: p.State().Since.UnixNano()} // for longest first
}

// joinedColumns are those of the places that were taken.
var joinedColumns = []paint.Column{{Title: "PLACE", W: 10}, {Title: "KIND", W: 13, Rank: 1}, {Title: "PATH", Min: 20, Path: true}, {Title: "HOW IT STANDS", Min: 20}, {Title: "FOR", W: 7, Right: true}}

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
func placeView() *View {
	return &View{Name: "place", What: "one place that you took",
		Title: func(sh *Shown, p *Page) string {
			if pl := sh.PlaceOf(p); pl != nil {
				return "you, in " + string(pl.Want().Kind) + " " + term.Safe(pl.Want().Path)
			}
			return "no place"
		}, Fill: fillPlace}
}

// PlaceOf is the place that a page shows, or nil.
func (sh *Shown) PlaceOf(p *Page) backend.Place {
	if p == nil || p.View.Name != "place" {
		return nil
	}
	return sh.placeNumbered(p.Arg)
}

// PlaceIn is the place that a line of the list of them is about, or nil.
func (sh *Shown) PlaceIn(it *Item) backend.Place {
	if it == nil || it.To.View != "place" {
		return nil
	}
	return sh.placeNumbered(it.To.Arg)
}

func (sh *Shown) placeNumbered(n string) backend.Place {
	if i, err := strconv.Atoi(n); err == nil && i < len(sh.Places) {
		return sh.Places[i]
	}
	return nil
}
