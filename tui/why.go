package tui

import (
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// why shows one paragraph about the selected recipe, to be read and pasted: what is stuck, the evidence, what is
// not known, and the exact next command.
func (a *App) why() {
	m, _ := a.subject()
	if m == nil {
		if gone := a.goneModel(); gone != nil {
			a.say(a.misaimed(), Warn)
			return
		}
		a.say("select a recipe or a claim to ask about", Warn)
		return
	}
	q := &question{path: m.Path}
	q.ask(a)
	a.read(&sheet{title: "why: " + term.Safe(m.Path), about: m.Path, copy: func(*App) string { return q.story.Text },
		steps: func() []*inspect.NextStep { return []*inspect.NextStep{q.story.Next, q.story.Then} },
		lines: func(a *App, w int) []line {
			q.ask(a)
			return q.lines(a, w)
		}})
}

// question is what was asked about a recipe, and the answer: the text and the evidence are of one moment.
type question struct {
	path   string
	of     *inspect.Result // that the answer is from
	at     time.Time
	gone   bool
	story  *inspect.Story
	holder string // whom the evidence is on; empty: nobody
	signs  []inspect.Sign
}

// ask answers anew where the picture or the time has moved on. Of a recipe that is gone the last answer stays.
func (q *question) ask(a *App) {
	at, m := a.asOf(), a.res.ByPath(q.path)
	if q.gone = m == nil; q.gone || q.of == a.res && q.at.Equal(at) {
		return
	}
	waits := a.waits.AsOf(at)
	q.of, q.at, q.story, q.holder, q.signs = a.res, at, inspect.Why(waits, m), "", nil
	if c := firstHolder(m); c != nil {
		q.holder, q.signs = c.Owner(), inspect.Signs(waits.Result, m, c)
	}
}

// lines draws the answer.
func (q *question) lines(a *App, w int) []line {
	out := []line{nil}
	if q.gone {
		out = append(out, line{{"  " + a.goneWord() + ": this is how it stood at " + a.clock(q.at), Warn}}, nil)
	}
	for _, l := range term.Wrap(term.Safe(q.story.Text), min(w-4, 100), 0, "") {
		out = append(out, line{{"  " + l, Plain}})
	}
	return append(out, q.evidence(w)...)
}

// evidence lists what speaks for and against the first holder being alive.
func (q *question) evidence(w int) []line {
	if q.holder == "" {
		return nil
	}
	const label = 18
	out := []line{nil, {{"  evidence on " + term.Safe(q.holder), Bold}}}
	for _, s := range q.signs {
		means, style := leaning(s.Leans)
		for i, l := range term.Wrap(term.Safe(s.Line(q.at)), min(w-label-4, 90), 0, "") {
			out = append(out, line{{"  " + term.Pad(onFirst(i, means), label), Dim}, {l, style}})
		}
	}
	return out
}

// leaning says in words where a piece of evidence points; one that points nowhere needs no word.
func leaning(l inspect.Leaning) (string, Style) {
	switch l {
	case inspect.PointsStale:
		return "speaks for stale", Warn
	case inspect.PointsAlive:
		return "speaks for alive", Good
	case inspect.PointsUnknown:
		return "not known", Dim
	}
	return "", Plain
}

// firstHolder is who holds or leads first, or nil.
func firstHolder(m *inspect.Model) *inspect.Claim {
	if len(m.Claims) == 0 || !holdsRole(m.Claims[0].Role()) {
		return nil
	}
	return &m.Claims[0]
}

// onFirst is a label on the first line of a paragraph only.
func onFirst(i int, s string) string {
	if i > 0 {
		return ""
	}
	return s
}
