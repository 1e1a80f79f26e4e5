package act

import (
	"context"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// PlaceMsg says that a place may stand otherwise.
type PlaceMsg struct{ Place backend.Place }

// mayJoin says why nothing can be joined now; empty when something can.
func (h *Hand) mayJoin() string {
	switch {
	case h.Means.Joiner == nil:
		return "nothing can be joined here"
	case h.Means.Operator.Forbidden() != "":
		return h.Means.Operator.Forbidden()
	case !h.Armed:
		return "the console is disarmed; press " + h.shown.Keys.Arm.Help().Key + " to arm it first"
	}
	return ""
}

// The fields of the form for joining.
const (
	JoinKind = iota
	JoinPart
	joinPath
	joinName
	joinData
	joinCount
	JoinWhy
	JoinFields
)

// JoinHere asks how to take part in what is selected.
func (h *Hand) JoinHere() tea.Cmd {
	var m *model.Model
	if s := h.screen.Subjects(); len(s) > 0 {
		m = s[0].Model
	}
	h.joinForm(m)
	return nil
}

// joinForm asks how to take part, beginning with a recipe where one is named.
func (h *Hand) joinForm(m *model.Model) {
	if why := h.mayJoin(); why != "" {
		h.host.Say("cannot join: "+why, paint.Warn)
		return
	}
	f := &layer.Form{Title: "Take a place in a recipe", Do: "Join", Change: adaptJoin, Ready: true, Acts: true, Fields: []layer.Field{
		JoinKind: {Label: "recipe", Options: joinable(), Value: joinable()[0]},
		JoinPart: {Label: "as"}, joinPath: {Label: "path"}, joinName: {Label: "name", Value: h.Means.Me},
		joinData: {Label: "data"}, joinCount: {Label: "count"}, JoinWhy: h.whyField()}}
	if m != nil {
		f.Fields[joinPath].Value = m.Path
		if slices.Contains(f.Fields[JoinKind].Options, string(m.Kind)) {
			f.Fields[JoinKind].Value = string(m.Kind)
		}
		if n, ok := m.Numbers.Get("needed"); ok {
			f.Fields[joinCount].Value = strconv.FormatInt(n, 10)
		}
	}
	f.Check = func(v []string) string {
		if lacks := joinOf(v).Lacking(); lacks != "" {
			return lacks
		}
		return h.lacksWhy(v[JoinWhy])
	}
	f.Says = func(v []string) []layer.Body { return h.joinSays(joinOf(v)) }
	f.Then = func(v []string) tea.Cmd { return h.Join(joinOf(v)) }
	h.stack.Open(h.host, f)
}

// joinable lists the kinds that can be joined.
func joinable() (out []string) {
	for _, k := range layout.Kinds() {
		if len(actions.Parts(k)) > 0 {
			out = append(out, string(k))
		}
	}
	return out
}

// adaptJoin gives the form the parts of its kind.
func adaptJoin(f *layer.Form) {
	kind := layout.Kind(f.Fields[JoinKind].Value)
	parts := actions.Parts(kind)
	d := &f.Fields[JoinPart]
	d.Options, d.Note = nil, ""
	for _, p := range parts {
		d.Options = append(d.Options, string(p.Part))
		if string(p.Part) == d.Value {
			d.Note = p.About
		}
	}
	if !slices.Contains(d.Options, d.Value) && len(parts) > 0 {
		d.Value, d.Note = d.Options[0], parts[0].About
	}
	uses := actions.InputsOf(kind, actions.Part(d.Value))
	d.Hidden = len(parts) < 2
	f.Fields[joinName].Hidden, f.Fields[joinCount].Hidden = !uses.Name, uses.Count == ""
	f.Fields[joinData].Hidden, f.Fields[joinData].Note = uses.Data == "", uses.Data
	f.Fields[joinCount].Note = uses.Count
}

func joinOf(v []string) actions.Join {
	r := actions.Join{Kind: layout.Kind(v[JoinKind]), Part: actions.Part(v[JoinPart]), Path: v[joinPath], Name: v[joinName], Reason: v[JoinWhy], Revocable: true}
	uses := actions.InputsOf(r.Kind, r.Part)
	if v[joinData] != "" && uses.Data != "" {
		r.Data = []byte(v[joinData])
	}
	n := 0
	if uses.Count != "" {
		n, _ = strconv.Atoi(v[joinCount])
	}
	if r.Count = n; r.Kind.Pool() {
		r.Count, r.Limit = 0, n
	}
	return r
}

// Join takes the place and shows it.
func (h *Hand) Join(r actions.Join) tea.Cmd {
	if why := h.mayJoin(); why != "" {
		h.host.Say("cannot join: "+why, paint.Warn)
		return nil
	}
	p, err := h.Means.Joiner.Join(r)
	if err != nil {
		h.host.Say(term.Safe(err.Error()), paint.Alert)
		return nil
	}
	h.shown.Places = append(h.shown.Places, p)
	h.screen.Show("place", strconv.Itoa(len(h.shown.Places)-1))
	return h.awaitPlace(p)
}

// awaitPlace waits until a place may stand otherwise.
func (h *Hand) awaitPlace(p backend.Place) tea.Cmd {
	ctx := h.ctx
	return func() tea.Msg {
		select {
		case <-p.Changed():
		case <-p.Done():
		case <-ctx.Done():
			return nil
		}
		return PlaceMsg{p}
	}
}

// OnPlace looks where a place stands now, and goes on waiting for its news.
func (h *Hand) OnPlace(m PlaceMsg) tea.Cmd {
	st := m.Place.State()
	var cmds []tea.Cmd
	if st.Session != 0 {
		cmds = append(cmds, h.screen.Own(st.Session))
	}
	h.screen.Refresh()
	if took := h.probed(m.Place, st); took != nil {
		return tea.Batch(append(cmds, took, h.awaitPlace(m.Place))...)
	}
	h.askedToLetGo()
	if st.Phase.Over() {
		style := paint.Warn
		if st.Phase == actions.JoinDone || st.Phase == actions.JoinLeft {
			style = paint.Good
		}
		h.host.Say(term.Safe(endOf(m.Place)), style)
	} else {
		cmds = append(cmds, h.awaitPlace(m.Place))
	}
	return tea.Batch(cmds...)
}

// endOf says how a place ended, and what stays behind.
func endOf(p backend.Place) string {
	st := p.State()
	text := p.Want().Path + ": " + st.Text
	if st.Stays != "" {
		text += "; " + st.Stays
	}
	return text
}

// askedToLetGo puts the question of whoever asks us to let go, once nothing else is asked.
func (h *Hand) askedToLetGo() {
	if Busy(h.stack) {
		return
	}
	for _, p := range h.shown.Places {
		if p.State().Phase != actions.JoinAsked || h.answered[p] {
			continue
		}
		if h.answered == nil {
			h.answered = map[backend.Place]bool{}
		}
		h.answered[p] = true
		d := &layer.Dialog{Title: "Somebody asks you to let go of " + term.Safe(p.Want().Path), Do: "Let go"}
		d.Add("", "Cancel keeps it; the request stays there to be seen", paint.Plain)
		d.Then = func() tea.Cmd { p.Answer(true); return nil }
		d.Cancel = func() { p.Answer(false) }
		h.Ask(d)
		return
	}
}

// AskLeave asks before a place is given up.
func (h *Hand) AskLeave(p backend.Place) {
	d := &layer.Dialog{Title: "Leave " + term.Safe(p.Want().Path), Do: "Leave"}
	d.Add("", "Your znode is deleted, and "+h.nextAfter(p)+".", paint.Bold)
	d.Then = func() tea.Cmd { return leave(p) }
	h.Ask(d)
}

// nextAfter says who learns of it when a place is given up, as far as that is known.
func (h *Hand) nextAfter(p backend.Place) string {
	m := h.shown.Live.ByPath(p.Want().Path)
	if m == nil || !m.Kind.Waits() {
		return "whoever waits for that goes on"
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; c.Path() == p.State().Node {
			if c.Position() == len(m.Claims)-1 {
				return "nobody is behind you"
			}
			f := waits.FateOf(h.shown.Live, m, c)
			return f.Then(m.Kind) + "; " + f.Woken()
		}
	}
	return "whoever is next is woken"
}

// Finish ends the work of the shown place, with success or without. Who still waits has nothing to give back, and leaves.
func (h *Hand) Finish(p backend.Place, ok bool) tea.Cmd {
	if ph := p.State().Phase; !ok && (ph == actions.JoinWaiting || ph == actions.JoinConnecting) {
		h.host.Say("leaving", paint.Plain)
		return leave(p)
	}
	p.Finish(ok)
	h.host.Say(say.Either(ok, "finishing", "giving it back"), paint.Plain)
	return nil
}

// leave gives a place up and waits until that is done.
func leave(p backend.Place) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
		defer cancel()
		p.Leave(ctx)
		return PlaceMsg{p}
	}
}
