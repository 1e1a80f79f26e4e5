package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// hintOf is a key and what it does, in a word.
func hintOf(b key.Binding) paint.Line {
	return paint.Line{paint.Accent.Text(" " + b.Help().Key), paint.Plain.Text(" " + keys.Word(b) + " ")}
}

// captionBar is the bottom row of a demo: the keys for what is selected, then what to look at, then what other keys
// there is room for.
func (a *App) captionBar() paint.Line {
	first, _ := a.usefulKeys()
	room := a.shown.Size.W - a.wayOut().Width()
	for _, b := range first {
		room -= hintOf(b).Width()
	}
	text := paint.LastClauses(a.opts.Caption, room-3)
	if text == "" {
		return a.keyHints(a.shown.Size.W)
	}
	return a.shown.Theme.Sides(a.keyHints(a.shown.Size.W-term.Width(text)-3), paint.Line{paint.Accent.Text("  " + text + " ")}, a.shown.Size.W)
}

// wayOut is how to get help and how to leave.
func (a *App) wayOut() paint.Line {
	return append(hintOf(a.shown.Keys.Help), hintOf(a.shown.Keys.Quit)...)
}

// keyHints names the keys that fit in w cells; how to get help and how to leave always come first.
func (a *App) keyHints(w int) paint.Line {
	last := a.wayOut()
	var out paint.Line
	first, rest := a.usefulKeys()
	for _, b := range append(first[:len(first):len(first)], rest...) {
		if next := append(out[:len(out):len(out)], hintOf(b)...); next.Width()+last.Width() <= w {
			out = next
		}
	}
	return append(out, last...)
}

// usefulKeys are the keys worth a hint: those that can do something now. The first ones are about what is selected.
func (a *App) usefulKeys() (first, rest []key.Binding) {
	k := a.shown.Keys
	views := key.NewBinding(key.WithHelp("1-9", "views"))
	if p := a.page(); p != nil {
		return a.pageKeys(p, views), nil
	}
	rest = []key.Binding{k.Filter, views}
	arm := k.Arm
	if a.hand.Armed {
		arm.SetHelp(arm.Help().Key, "disarm")
	}
	pause := k.Pause
	if a.shown.Paused {
		pause.SetHelp(pause.Help().Key, "resume")
	}
	if a.player() != nil {
		pause.SetHelp(pause.Help().Key, say.Either(a.deck.on, "stop", "play"))
	}
	reads := a.shown.Link.File || a.shown.Link.ReadOnly
	m := a.desk.Model()
	if m == nil {
		if a.desk.GoneModel() != nil {
			first = []key.Binding{k.Events}
		}
		if rest = append(rest, k.Command); !reads {
			rest = append(rest, arm)
		}
		return first, append(rest, pause)
	}
	if !reads {
		rest = append(rest, arm, k.Join, k.Notify)
	}
	rest = append(rest, pause)
	about, c := a.desk.Subject()
	if c != nil && c.Session != 0 {
		rest = append(rest, k.Session)
	}
	return append([]key.Binding{k.Open, k.Why}, a.actKeys(about, c)...), append(rest, k.Copy)
}

// keysFor are the keys that can do something to the first of several.
func (a *App) keysFor(all []act.Stake) []key.Binding {
	if len(all) == 0 {
		return nil
	}
	return a.actKeys(all[0].Model, all[0].Claim)
}

// actKeys are the keys that can do something to a claim of a recipe, or to the recipe.
func (a *App) actKeys(m *model.Model, c *model.Claim) (out []key.Binding) {
	k := a.shown.Keys
	switch {
	case a.shown.Link.File || a.shown.Link.ReadOnly:
		return nil
	case m.Kind.Votes() && len(act.Unvoted(m)) > 0:
		out = append(out, k.Vote)
	case m.Kind.Waits() && c != nil:
		if act.CanRevoke(c) {
			out = append(out, k.Revoke)
		}
		out = append(out, k.Break)
	}
	return append(out, k.Act)
}

// timeKeys are the keys that move in a history, two and two.
func (a *App) timeKeys() []key.Binding {
	k := a.shown.Keys
	two := func(x, y key.Binding, what string) key.Binding {
		return key.NewBinding(key.WithHelp(x.Help().Key+" "+y.Help().Key, what))
	}
	return []key.Binding{key.NewBinding(key.WithHelp("left right", "step")), two(k.HandBack, k.HandOn, "hand-over"), two(k.Closer, k.Wider, "zoom"), two(k.EventBack, k.EventOn, "event"), k.Filter, k.Copy}
}

// pageKeys are the keys worth a hint on a page.
func (a *App) pageKeys(p *view.Page, views key.Binding) []key.Binding {
	k := a.shown.Keys
	if pl := a.shown.PlaceOf(p); pl != nil && !pl.State().Phase.Over() {
		return append(a.shown.PlaceKeys(pl), views)
	}
	if p.View.Name == "joined" && p.Current() != nil {
		if pl := a.shown.PlaceIn(p.Current()); pl != nil && !pl.State().Phase.Over() {
			keys := a.shown.PlaceKeys(pl) // the last of them leaves, on its page
			return append(append(keys[:len(keys)-1:len(keys)-1], k.Back), views)
		}
	}
	out := []key.Binding{k.Open, k.Back}
	if p == a.history() {
		return append(out, a.timeKeys()...)
	}
	if m, c := a.desk.Subject(); m != nil && c != nil {
		out = append(append(out, k.Why), a.actKeys(m, c)...)
	}
	return append(out, k.Filter, views, k.Command, k.Copy)
}
