package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// fillPlace tells where one stands, who else is there, and what can be done about it.
func fillPlace(sh *Shown, p *Page) []Item {
	pl := sh.PlaceOf(p)
	if pl == nil {
		return nil
	}
	st := pl.State()
	m := sh.Result.ByPath(pl.Want().Path)
	standNow(m, &st)
	head := string(st.Phase)
	if strings.HasPrefix(st.Text, head) {
		head = term.Safe(st.Text)
	} else {
		head += ": " + term.Safe(st.Text)
	}
	out := append([]Item{tell(phaseStyle(st.Phase), head), tell(paint.Plain, "")}, sh.company(m)...)
	out = append(out, placeFacts(&st)...)
	if st.Phase == actions.JoinWaiting {
		out = append(out, paragraphs(paint.Warn, aheadOf(m, st.Node), sh.PageRect().W)...)
	}
	out = append(out, tell(paint.Plain, ""))
	if m != nil {
		out = append(out, Item{ID: "recipe", text: m.Path, To: target{Recipe: m.Path}, draw: func(*paint.Theme, time.Time, int) paint.Line {
			return paint.Line{paint.Plain.Text(" "), paint.Accent.Text("enter shows " + term.Safe(m.Path))}
		}})
	}
	return append(out, paragraphs(paint.Dim, sh.placeHint(pl), sh.PageRect().W)...)
}

// standNow brings the place of one who waits up to the picture that the line is drawn from.
func standNow(m *model.Model, st *actions.JoinState) {
	if m == nil || st.Phase != actions.JoinWaiting || !m.Kind.Waits() {
		return
	}
	for i := range m.Claims {
		c := &m.Claims[i]
		if c.Path() != st.Node || c.Role() != model.Waiter && c.Role() != model.Candidate {
			continue
		}
		st.Position, st.Of, st.Behind = c.Position(), len(m.Claims), ""
		st.Text = fmt.Sprintf("waiting: %s of %d", say.Ordinal(st.Position+1), st.Of)
		if ahead := c.Ahead(); ahead != nil {
			st.Behind = ahead.Owner()
			st.Text += ", behind " + st.Behind
		}
	}
}

// aheadOf says what is wrong with those who stand before a claim: it waits for them, whatever they do.
func aheadOf(m *model.Model, node string) string {
	if m == nil {
		return ""
	}
	at := slices.IndexFunc(m.Claims, func(c model.Claim) bool { return c.Path() == node })
	if at < 0 {
		return ""
	}
	before := map[string]bool{}
	for i := range m.Claims[:at] {
		before[m.Claims[i].Path()] = true
	}
	var out []string
	for _, f := range m.Findings {
		if f.Severity >= model.Medium && slices.ContainsFunc(f.Paths, func(p string) bool { return before[p] }) {
			out = append(out, "ahead of you: "+term.Safe(f.Text))
		}
	}
	return strings.Join(out, "; ")
}

// company tells who holds the recipe of a place, for how long, and the line, as the recipe's own panel does.
func (sh *Shown) company(m *model.Model) []Item {
	if m == nil {
		return nil
	}
	out := []Item{{text: m.Path, draw: func(_ *paint.Theme, now time.Time, _ int) paint.Line {
		return paint.Line{paint.Bold.Text(" " + term.Safe(m.Summary(now)))}
	}}}
	if m.Kind.Waits() && len(m.Claims) > 1 {
		out = append(out, Item{draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			for _, l := range (chart.Pen{Theme: t, Model: m, Now: now, W: w}).Chain("line") {
				return l
			}
			return nil
		}})
	}
	return append(out, tell(paint.Plain, ""))
}

// placeFacts are what is known of a place, one line each.
func placeFacts(st *actions.JoinState) (out []Item) {
	add := func(label, text string) {
		if text = term.Safe(text); text == "" {
			return
		}
		out = append(out, Item{text: text, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			if label == "znode" { // its end tells it from its neighbours
				text = term.CutLeft(text, w-12, t.Ellipsis)
			}
			return paint.Line{paint.Plain.Text(fmt.Sprintf(" %-9s %s", label, text))}
		}})
	}
	if st.Of > 0 && st.Phase == actions.JoinWaiting {
		add("place", fmt.Sprintf("you are %s of %d", say.Ordinal(st.Position+1), st.Of))
	}
	add("behind", st.Behind)
	add("znode", st.Node)
	if st.Token != 0 {
		add("token", strconv.FormatInt(st.Token, 10))
	}
	if st.Session != 0 {
		add("session", st.Session.String())
	}
	add("dialect", string(st.Dialect))
	add("result", st.Result)
	if len(st.Data) > 0 {
		add("data", paint.Readable(st.Data)[0])
	}
	add("stays", st.Stays)
	return out
}

// ending is what the keys that end a place do in its phase, in a word for the hint and in words for the text. Where
// ok is empty, with success or without is the same.
type ending struct{ ok, okText, not, notText string }

func endingOf(pl backend.Place) ending {
	want, phase := pl.Want(), pl.State().Phase
	if phase != actions.JoinHolding && phase != actions.JoinAsked {
		return ending{not: "leave", notText: "leaves the line at once"}
	}
	switch {
	case want.Kind.Items():
		return ending{"finish", "finishes the item: it is done", "return", "returns it to the queue"}
	case want.Kind.Votes() && want.Part == actions.PartSite:
		return ending{"commit", "votes commit", "abort", "votes abort"}
	}
	return ending{not: "release", notText: "releases it at once"}
}

// placeHint says what can be done in the phase of a place.
func (sh *Shown) placeHint(pl backend.Place) string {
	if pl.State().Phase.Over() {
		return "esc closes this"
	}
	e, text := endingOf(pl), ""
	if e.ok != "" {
		text = sh.Keys.Finish.Help().Key + " " + e.okText + "; "
	}
	return text + sh.Keys.GiveBack.Help().Key + " " + e.notText + ", esc leaves after asking; 1-9 look elsewhere meanwhile"
}

// PlaceKeys are the keys worth a hint on the page of a place.
func (sh *Shown) PlaceKeys(pl backend.Place) []key.Binding {
	named := func(b key.Binding, word string) key.Binding {
		return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Help().Key, word))
	}
	e, out := endingOf(pl), []key.Binding{sh.Keys.Open}
	if e.ok != "" {
		out = append(out, named(sh.Keys.Finish, e.ok))
	}
	return append(out, named(sh.Keys.GiveBack, e.not), named(sh.Keys.Back, "leave, after asking"))
}
