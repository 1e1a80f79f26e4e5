package tui

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// why shows one paragraph about the selected recipe, to be read and pasted: what is stuck, the evidence, what is
// not known, and the exact next command.
func (a *App) why() {
	m, _ := a.subject()
	if m == nil {
		a.say("select a recipe or a claim to ask about", Warn)
		return
	}
	asOf := a.asOf()
	story := inspect.Why(a.waits.AsOf(asOf), m)
	text, evidence := term.Safe(story.Text), a.signs(m)
	a.read(&sheet{title: "why: " + term.Safe(m.Path), acts: true, copy: func(*App) string { return story.Text },
		lines: func(a *App, w int) []line {
			out := []line{nil}
			for _, l := range term.Wrap(text, min(w-4, 100), 0, "") {
				out = append(out, line{{"  " + l, Plain}})
			}
			return append(out, a.evidenceLines(m, evidence, asOf, w)...)
		}})
}

// signs are the evidence on who holds.
func (a *App) signs(m *inspect.Model) []inspect.Sign {
	if c := firstHolder(m); c != nil {
		return inspect.Signs(a.res, m, c)
	}
	return nil
}

// evidenceLines lists what speaks for and against the first holder being alive.
// It is of one moment, that of the text above it.
func (a *App) evidenceLines(m *inspect.Model, evidence []inspect.Sign, asOf time.Time, w int) []line {
	c := firstHolder(m)
	if c == nil {
		return nil
	}
	out := []line{nil, {{"  evidence on " + term.Safe(c.Owner()), Bold}}}
	for _, s := range evidence {
		style := Plain
		switch s.Leans {
		case inspect.PointsStale:
			style = Warn
		case inspect.PointsAlive:
			style = Good
		case inspect.PointsUnknown:
			style = Dim
		}
		for i, l := range term.Wrap(term.Safe(s.Line(asOf)), min(w-20, 90), 0, "") {
			out = append(out, line{{"  " + term.Pad(onFirst(i, fmt.Sprint(s.Leans)), 9), Dim}, {l, style}})
		}
	}
	return out
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
