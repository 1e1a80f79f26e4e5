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
	"github.com/zkscope/zkscope/tui/view"
)

// why tells of the selected recipe, to be read and pasted: what is stuck, the evidence, what is
// not known, and the exact next command.
func (a *App) why() {
	all := a.desk.Picked()
	if len(all) == 0 {
		if gone := a.desk.GoneModel(); gone != nil {
			a.say(a.desk.Misaimed(), paint.Warn)
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
	a.stack.Open(&a.host, &layer.Sheet{Title: "why: " + term.Safe(m.Path), Copy: func() tea.Cmd { return a.copyText("the text", q.story.Text(nil)) },
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
	path  string
	named []func(*model.Result) (*model.Model, *model.Claim, bool) // the claims that the line named where it was asked
	of    *model.Result                                            // that the answer is from
	at    time.Time
	gone  bool
	story *story.Story
}

// ask answers anew where the picture or the time has moved on. Of a recipe that is gone the last answer stays.
func (q *question) ask(a *App) {
	at, m := a.shown.AsOf(), a.shown.Result.ByPath(q.path)
	if q.gone = m == nil; q.gone || q.of == a.shown.Result && q.at.Equal(at) {
		return
	}
	waits := a.shown.Waits.AsOf(at)
	q.of, q.at, q.story = a.shown.Result, at, story.Why(waits, m)
}

// lines draws the answer.
func (q *question) lines(a *App, w int) []paint.Line {
	out := []paint.Line{nil}
	if q.gone {
		out = append(out, paint.Line{paint.Warn.Text("  " + a.desk.GoneWord() + ": this is how it stood at " + a.shown.Clock(q.at))}, nil)
	}
	return append(append(out, q.told(a, w)...), q.keysAct(a, w)...)
}

// told draws the blocks of the answer: verdict, evidence with signs for and against the holder being there, what is not
// known, and what to do.
func (q *question) told(a *App, w int) (out []paint.Line) {
	g := a.shown.Theme
	style := paint.Bold
	for i, l := range q.story.Lines(nil) {
		sign, body := "  ", paint.Plain
		switch {
		case l.Begins == "" && i > 0:
			style = paint.Accent
		case l.Begins == "":
		case l.Begins == "  ! ":
			sign, style, body = "  "+g.Alert+" ", paint.Alert, paint.Warn
		case l.Begins == "  + ":
			sign, style = "  "+g.Seen+" ", paint.Good
		case l.Begins == "  ? ":
			sign, style, body = "  "+g.Likely+" ", paint.Dim, paint.Dim
		case l.Begins == "  - ":
			sign, style = "  "+g.Note+" ", paint.Dim
		default:
			sign, style = l.Begins, paint.Bold
		}
		if l.Begins == "" {
			body = style
		}
		if l.Text == "" {
			out = append(out, nil)
		}
		for j, text := range term.Wrap(term.Safe(l.Text), min(w-6, 100), 0, "") {
			if j > 0 {
				sign = term.Pad("", term.Width(sign))
			}
			out = append(out, paint.Line{style.Text(sign), body.Text(text)})
		}
	}
	return out
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
