package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// eventsView is what changed, newest first: of everything, or of one recipe with its hold and wait times.
func eventsView() *view {
	return &view{name: "events", key: "5", what: "what changed, newest first, with how long claims were held and waited for",
		title: func(a *App, p *page) string {
			switch {
			case p.arg != "":
				return "events of " + term.Safe(p.arg)
			case a.filter.text != "":
				return "events with " + term.Safe(a.filter.text) + ", as the recipes are filtered"
			}
			return "events"
		},
		fill: fillEvents,
		empty: func(a *App, _ *page) string {
			return "nothing has changed since the console started; what happened before is not known"
		}}
}

func fillEvents(a *App, p *page) []item {
	var out []item
	if p.arg != "" {
		out = a.spans(p.arg)
	}
	n := len(a.events)
	for i := n - 1; i >= 0; i-- {
		if e := &a.events[i]; p.arg == "" && a.filter.keepsEvent(e) || e.Path == p.arg {
			out = append(out, a.eventItem(e, a.dropped+i))
		}
	}
	return out
}

func (a *App) eventItem(e *inspect.Event, number int) item {
	style := Plain
	switch {
	case strings.HasPrefix(e.Text, "you: "):
		style = Bold
	case e.What == "lost" || e.What == "deadlock":
		style = Warn
	}
	took := ""
	switch {
	case e.Held > 0:
		took = "held " + inspect.Age(e.Held)
	case e.Waited > 0:
		took = "waited " + inspect.Age(e.Waited)
	}
	at := a.clock(e.At)
	return item{id: "e" + strconv.Itoa(number), text: e.Path + " " + e.Text + " " + e.What + " " + string(e.Kind), past: true, to: target{recipe: e.Path, claim: e.Claim},
		draw: func(t *Theme, _ time.Time, w int) line {
			return t.cells(w, cell{text: at, w: 8, style: Dim}, cell{text: term.Safe(e.Path), w: max(16, min(36, w/4)), path: true},
				cell{text: term.Safe(e.Text), style: style}, cell{text: took, w: 13, style: Dim})
		}}
}

// spans says how long the claims of a recipe were held and waited for, as far as it was seen.
func (a *App) spans(path string) []item {
	var held, waited []time.Duration
	for i := range a.events {
		if e := &a.events[i]; e.Path == path {
			if e.Held > 0 {
				held = append(held, e.Held)
			}
			if e.Waited > 0 {
				waited = append(waited, e.Waited)
			}
		}
	}
	return []item{say(Plain, "held    "+percentiles(held)), say(Plain, "waited  "+percentiles(waited)), say(Plain, "")}
}

// percentiles says in one line how a number of durations spread.
func percentiles(d []time.Duration) string {
	if len(d) == 0 {
		return "not seen to its end yet"
	}
	slices.Sort(d)
	at := func(p int) string { return inspect.Age(d[(len(d)*p+99)/100-1]) }
	return fmt.Sprintf("%s times: half within %s, 95 of 100 within %s, longest %s", number(len(d)), at(50), at(95), inspect.Age(d[len(d)-1]))
}
