package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/view"
)

// why shows one paragraph about the selected recipe, to be read and pasted: what is stuck, the evidence, what is
// not known, and the exact next command.
func (a *App) why() {
	all := a.picked()
	if len(all) == 0 {
		if gone := a.goneModel(); gone != nil {
			a.say(a.misaimed(), paint.Warn)
			return
		}
		a.say("select a recipe or a claim to ask about", paint.Warn)
		return
	}
	m := all[0].Model
	q := &question{path: m.Path}
	for _, s := range all {
		switch {
		case s.Lost: // it names a claim that is gone: keys act on no other instead
			q.named = append(q.named, func(*model.Result) (*model.Model, *model.Claim, bool) { return nil, nil, false })
		case s.Claim != nil:
			q.named = append(q.named, act.Pin(s.Model, s.Claim))
		}
	}
	q.ask(a)
	a.stack.Open(&a.host, &layer.Sheet{Title: "why: " + term.Safe(m.Path), Copy: func() tea.Cmd { return a.copyText("the text", q.story.Text) },
		Acts: func() []key.Binding { return a.keysFor(q.stakes(a, "")) }, Act: func(msg tea.KeyMsg) tea.Cmd { return a.answerAct(q, msg) },
		Lines: func(w int) []paint.Line {
			q.ask(a)
			return q.lines(a, w)
		}})
}

// answerAct acts on what the answer names for what a key does, whatever is selected or marked below it; where it names
// several, it asks which.
func (a *App) answerAct(q *question, msg tea.KeyMsg) tea.Cmd {
	k, verb := a.shown.Keys, actions.Verb("")
	a.message = message{}
	switch {
	case key.Matches(msg, k.Revoke):
		verb = actions.VerbRevoke
	case key.Matches(msg, k.Break):
		verb = actions.VerbBreak
	}
	all := q.stakes(a, verb)
	switch {
	case len(all) == 0:
		a.say(term.Safe(q.path)+" has changed or gone since you read about it: nothing was done", paint.Warn)
		return nil
	case key.Matches(msg, k.Vote):
		return a.hand.VoteKey(all)
	case verb == "":
		return a.hand.Which("act", all, func(m *model.Model, c *model.Claim) tea.Cmd { return a.hand.MenuOn(m, c, true) })
	}
	return a.hand.ActOn(verb, all)
}

// stakes are the claims that the text names for a verb, or for any where none is given: that of the step that it advises,
// and those of the line that it was asked about, unless the step is one of theirs. Where it names none, it is about the recipe.
func (q *question) stakes(a *App, v actions.Verb) (out []act.Stake) {
	m := a.shown.Result.ByPath(q.path)
	for _, find := range q.named {
		if m, c, ok := find(a.shown.Result); ok {
			out = append(out, act.Stake{Model: m, Claim: c})
		}
	}
	for _, step := range []*story.NextStep{q.story.Next, q.story.Then} {
		if step == nil || v != "" && step.Verb != string(v) || step.Site != "" {
			continue
		}
		at, c, _ := a.shown.Result.RecipeAt(step.Path)
		if c == nil || c.Czxid() != step.Czxid {
			continue
		}
		s := act.Stake{Model: at, Claim: c}
		switch i := slices.Index(out, s); {
		case i < 0:
			out = append([]act.Stake{s}, out...)
		case v != "":
			return []act.Stake{s}
		}
	}
	advised := slices.ContainsFunc([]*story.NextStep{q.story.Next, q.story.Then}, func(s *story.NextStep) bool {
		return s != nil && s.Site == "" && s.Czxid != 0 && v != "" && s.Verb == string(v)
	})
	if len(out) == 0 && len(q.named) == 0 && !advised && m != nil {
		out = append(out, act.Stake{Model: m, Claim: view.ClaimOf(m, model.ClaimID{}), Lost: false})
	}
	return out
}

// question is what was asked about a recipe, and the answer: the text and the evidence are of one moment.
type question struct {
	path   string
	named  []func(*model.Result) (*model.Model, *model.Claim, bool) // the claims that the line named where it was asked
	of     *model.Result                                            // that the answer is from
	at     time.Time
	gone   bool
	story  *story.Story
	holder string // whom the evidence is on; empty: nobody
	signs  []model.Sign
}

// ask answers anew where the picture or the time has moved on. Of a recipe that is gone the last answer stays.
func (q *question) ask(a *App) {
	at, m := a.shown.AsOf(), a.shown.Result.ByPath(q.path)
	if q.gone = m == nil; q.gone || q.of == a.shown.Result && q.at.Equal(at) {
		return
	}
	waits := a.shown.Waits.AsOf(at)
	q.of, q.at, q.story, q.holder, q.signs = a.shown.Result, at, story.Why(waits, m), "", nil
	if c := firstHolder(m); c != nil {
		q.holder, q.signs = c.Owner(), model.Signs(waits.Result, m, c)
	}
}

// lines draws the answer.
func (q *question) lines(a *App, w int) []paint.Line {
	out := []paint.Line{nil}
	if q.gone {
		out = append(out, paint.Line{paint.Warn.Text("  " + a.goneWord() + ": this is how it stood at " + a.shown.Clock(q.at))}, nil)
	}
	for _, l := range term.Wrap(term.Safe(q.story.Text), min(w-4, 100), 0, "") {
		out = append(out, paint.Line{paint.Plain.Text("  " + l)})
	}
	return append(append(out, q.keysAct(a, w)...), q.evidence(w)...)
}

// keysAct names what keys act on, where it was asked about claims.
func (q *question) keysAct(a *App, w int) (out []paint.Line) {
	all := q.stakes(a, "")
	if len(q.named) == 0 || len(all) == 0 {
		return nil
	}
	head := "  keys act on"
	if len(all) > 1 {
		head = "  keys ask which of"
	}
	out = append(out, nil, paint.Line{paint.Bold.Text(head)})
	for _, s := range all {
		out = append(out, paint.Line{paint.Plain.Text("  " + term.Cut(a.hand.StakeText(s), w-4, a.shown.Theme.Ellipsis))})
	}
	return out
}

// evidence lists what speaks for and against the first holder being alive.
func (q *question) evidence(w int) []paint.Line {
	if q.holder == "" {
		return nil
	}
	const label = 18
	out := []paint.Line{nil, {paint.Bold.Text("  evidence on " + term.Safe(q.holder))}}
	for _, s := range q.signs {
		means, style := leaning(s.Leans)
		for i, l := range term.Wrap(term.Safe(s.Line(q.at)), min(w-label-4, 90), 0, "") {
			out = append(out, paint.Line{paint.Dim.Text("  " + term.Pad(paint.OnFirst(i, means), label)), style.Text(l)})
		}
	}
	return out
}

// leaning says in words where a piece of evidence points; one that points nowhere needs no word.
func leaning(l model.Leaning) (string, paint.Style) {
	switch l {
	case model.PointsStale:
		return "speaks for stale", paint.Warn
	case model.PointsAlive:
		return "speaks for alive", paint.Good
	case model.PointsUnknown:
		return "not known", paint.Dim
	}
	return "", paint.Plain
}

// firstHolder is who holds or leads first, or nil.
func firstHolder(m *model.Model) *model.Claim {
	if len(m.Claims) == 0 || !panel.HoldsRole(m.Claims[0].Role()) {
		return nil
	}
	return &m.Claims[0]
}
