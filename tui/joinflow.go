package tui

import (
	"context"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// placeMsg says that a place may stand otherwise.
type placeMsg struct{ place backend.Place }

// mayJoin says why nothing can be joined now; empty when something can.
func (a *App) mayJoin() string {
	switch {
	case a.opts.Joiner == nil:
		return "nothing can be joined here"
	case a.opts.Operator.Forbidden() != "":
		return a.opts.Operator.Forbidden()
	case !a.armed:
		return "the console is disarmed; press " + a.shown.Keys.Arm.Help().Key + " to arm it first"
	}
	return ""
}

// The fields of the form for joining.
const (
	joinKind = iota
	joinPart
	joinPath
	joinName
	joinData
	joinCount
	joinWhy
	joinFields
)

// joinHere asks how to take part in what is selected.
func (a *App) joinHere() tea.Cmd {
	m, _ := a.subject()
	a.joinForm(m)
	return nil
}

// joinForm asks how to take part, beginning with a recipe where one is named.
func (a *App) joinForm(m *model.Model) {
	if why := a.mayJoin(); why != "" {
		a.say("cannot join: "+why, paint.Warn)
		return
	}
	f := &layer.Form{Title: "take a place in a recipe", Do: "join", Fields: make([]layer.Field, joinFields), Change: adaptJoin, Ready: true, Acts: true}
	f.Fields[joinKind] = layer.Field{Label: "recipe", Options: joinable()}
	f.Fields[joinKind].Value = f.Fields[joinKind].Options[0]
	f.Fields[joinPart] = layer.Field{Label: "as"}
	f.Fields[joinPath] = layer.Field{Label: "path"}
	f.Fields[joinName] = layer.Field{Label: "name", Value: a.opts.Me}
	f.Fields[joinData] = layer.Field{Label: "data"}
	f.Fields[joinCount] = layer.Field{Label: "count"}
	f.Fields[joinWhy] = a.whyField()
	if m != nil {
		f.Fields[joinPath].Value = m.Path
		if slices.Contains(f.Fields[joinKind].Options, string(m.Kind)) {
			f.Fields[joinKind].Value = string(m.Kind)
		}
		if n, ok := m.Numbers.Get("needed"); ok {
			f.Fields[joinCount].Value = strconv.FormatInt(n, 10)
		}
	}
	f.Check = func(v []string) string {
		if lacks := joinOf(v).Lacking(); lacks != "" {
			return lacks
		}
		return a.lacksWhy(v[joinWhy])
	}
	f.Says = func(v []string) []layer.Body { return a.joinSays(joinOf(v)) }
	f.Then = func(v []string) tea.Cmd { return a.join(joinOf(v)) }
	a.fill(f)
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
	kind := layout.Kind(f.Fields[joinKind].Value)
	parts := actions.Parts(kind)
	d := &f.Fields[joinPart]
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
	r := actions.Join{Kind: layout.Kind(v[joinKind]), Part: actions.Part(v[joinPart]), Path: v[joinPath], Name: v[joinName], Reason: v[joinWhy], Revocable: true}
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

// join takes the place and shows it.
func (a *App) join(r actions.Join) tea.Cmd {
	if why := a.mayJoin(); why != "" {
		a.say("cannot join: "+why, paint.Warn)
		return nil
	}
	p, err := a.opts.Joiner.Join(r)
	if err != nil {
		a.say(term.Safe(err.Error()), paint.Alert)
		return nil
	}
	a.shown.Places = append(a.shown.Places, p)
	a.show("place", strconv.Itoa(len(a.shown.Places)-1))
	return a.awaitPlace(p)
}

// awaitPlace waits until a place may stand otherwise.
func (a *App) awaitPlace(p backend.Place) tea.Cmd {
	ctx := a.ctx
	return func() tea.Msg {
		select {
		case <-p.Changed():
		case <-p.Done():
		case <-ctx.Done():
			return nil
		}
		return placeMsg{p}
	}
}

func (a *App) onPlace(m placeMsg) tea.Cmd {
	st := m.place.State()
	var cmds []tea.Cmd
	if st.Session != 0 && !slices.Contains(a.opts.Hints.Own, st.Session) {
		a.opts.Hints.Own = append(slices.Clone(a.opts.Hints.Own), st.Session)
		a.hints++
		cmds = append(cmds, a.redecode(true))
	}
	if p := a.page(); p != nil {
		p.Refill()
	}
	a.askedToLetGo()
	if st.Phase.Over() {
		a.say(term.Safe(endOf(m.place)), map[bool]paint.Style{true: paint.Good, false: paint.Warn}[st.Phase == actions.JoinDone || st.Phase == actions.JoinLeft])
	} else {
		cmds = append(cmds, a.awaitPlace(m.place))
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
func (a *App) askedToLetGo() {
	if a.busy() {
		return
	}
	for _, p := range a.shown.Places {
		if p.State().Phase != actions.JoinAsked || a.answered[p] {
			continue
		}
		if a.answered == nil {
			a.answered = map[backend.Place]bool{}
		}
		a.answered[p] = true
		d := &layer.Dialog{Title: "somebody asks you to let go of " + term.Safe(p.Want().Path), Do: "let go"}
		d.Add("", "Cancel keeps it; the request stays there to be seen", paint.Plain)
		d.Then = func() tea.Cmd { p.Answer(true); return nil }
		d.Cancel = func() { p.Answer(false) }
		a.ask(d)
		return
	}
}

// askLeave asks before a place is given up.
func (a *App) askLeave(p backend.Place) {
	d := &layer.Dialog{Title: "leave " + term.Safe(p.Want().Path), Do: "leave"}
	d.Add("then", "your znode is deleted, and "+a.nextAfter(p), paint.Plain)
	d.Then = func() tea.Cmd { return leave(p) }
	a.ask(d)
}

// nextAfter says who learns of it when a place is given up, as far as that is known.
func (a *App) nextAfter(p backend.Place) string {
	m := a.shown.Live.ByPath(p.Want().Path)
	if m == nil || !m.Kind.Waits() {
		return "whoever waits for that goes on"
	}
	for i := range m.Claims {
		if c := &m.Claims[i]; c.Path() == p.State().Node {
			if c.Position() == len(m.Claims)-1 {
				return "nobody stands behind you"
			}
			f := waits.FateOf(a.shown.Live, m, c)
			return f.Then(m.Kind) + "; " + f.Woken()
		}
	}
	return "whoever is next is woken"
}

// finish ends the work of the shown place, with success or without. Who still waits has nothing to give back, and leaves.
func (a *App) finish(p backend.Place, ok bool) tea.Cmd {
	if ph := p.State().Phase; !ok && (ph == actions.JoinWaiting || ph == actions.JoinConnecting) {
		a.say("leaving", paint.Plain)
		return leave(p)
	}
	p.Finish(ok)
	a.say(map[bool]string{true: "finishing", false: "giving it back"}[ok], paint.Plain)
	return nil
}

// leave gives a place up and waits until that is done.
func leave(p backend.Place) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
		defer cancel()
		p.Leave(ctx)
		return placeMsg{p}
	}
}
