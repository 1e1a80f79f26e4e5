package tui

import (
	"sort"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// palette is the line in which a command is typed.
type palette struct {
	text string
	back int      // how far back in past the text was taken from; 0: it was typed
	past []string // what was run before, oldest first
}

// command is something that can be typed after a colon.
type command struct {
	name    string
	aliases []string
	arg     string // what follows, for the help; empty: nothing
	what    string // one line
	run     func(a *App, arg string) tea.Cmd
}

// commands lists what can be typed: every view, and the rest.
func (a *App) commands() []command {
	var out []command
	for _, v := range a.views {
		if v.key == "" {
			continue
		}
		out = append(out, command{name: v.name, what: v.what, run: func(a *App, _ string) tea.Cmd { return a.open(v.name, "") }})
	}
	return append(out, []command{
		{name: "session", arg: "ID", what: "everything of one session", run: func(a *App, arg string) tea.Cmd { return a.openSession(arg) }},
		{name: "go", aliases: []string{"recipe", "cd"}, arg: "PATH", what: "the recipe or znode at a path", run: func(a *App, arg string) tea.Cmd { return a.goPath(arg) }},
		{name: "filter", arg: "TEXT", what: "keep what answers: word, !not, ~fuzzy, /expression/", run: func(a *App, arg string) tea.Cmd { a.setFilter(arg); return nil }},
		{name: "sort", arg: "path|age|behind|trouble", what: "order of the recipes", run: func(a *App, arg string) tea.Cmd { return a.sortBy(arg) }},
		{name: "kind", arg: "KIND", what: "read the selected path as this kind of recipe", run: func(a *App, arg string) tea.Cmd { return a.hint(arg) }},
		{name: "snapshot", aliases: []string{"save"}, arg: "[FILE]", what: "write what is shown to a file", run: func(a *App, arg string) tea.Cmd { return a.save(arg) }},
		{name: "why", what: "why the selected is stuck, to paste", run: func(a *App, _ string) tea.Cmd { a.why(); return nil }},
		{name: "join", what: "take a place in the selected recipe", run: func(a *App, _ string) tea.Cmd { return a.aimed((*App).joinHere) }},
		{name: "vote", what: "vote for a site of the selected transaction", run: func(a *App, _ string) tea.Cmd { return a.aimed((*App).voteHere) }},
		{name: "pause", what: "hold the picture, or go on", run: func(a *App, _ string) tea.Cmd { a.togglePause(); return nil }},
		{name: "arm", aliases: []string{"disarm"}, what: "let keys act, or not any more", run: func(a *App, _ string) tea.Cmd { a.toggleArm(); return nil }},
		{name: "mouse", what: "let the mouse scroll and select, or leave it to the terminal", run: func(a *App, _ string) tea.Cmd { return a.toggleMouse() }},
		{name: "keys", aliases: []string{"help"}, what: "the keys of this view", run: func(a *App, _ string) tea.Cmd { a.help(); return nil }},
		{name: "quit", aliases: []string{"q", "exit"}, what: "leave", run: func(a *App, _ string) tea.Cmd { return a.quit() }},
	}...)
}

// candidates are the commands that a typed word may stand for, the best first.
func (a *App) candidates(word string) []command {
	var starts, rest []command
	word = strings.ToLower(word)
	for _, c := range a.commands() {
		switch hit := c.match(word); {
		case hit == exactly:
			return []command{c}
		case hit == begins:
			starts = append(starts, c)
		case hit == resembles:
			rest = append(rest, c)
		}
	}
	return append(starts, rest...)
}

type likeness uint8

const (
	unlike likeness = iota
	resembles
	begins
	exactly
)

func (c command) match(word string) likeness {
	best := unlike
	for _, n := range append([]string{c.name}, c.aliases...) {
		switch {
		case n == word:
			return exactly
		case strings.HasPrefix(n, word):
			best = begins
		case best == unlike && inOrder(n, word):
			best = resembles
		}
	}
	return best
}

func (a *App) paletteKey(msg tea.KeyMsg) tea.Cmd {
	p := &a.palette
	switch msg.Type {
	case tea.KeyEsc:
		a.mode, p.text, p.back = browsing, "", 0
	case tea.KeyEnter:
		return a.runPalette()
	case tea.KeyTab:
		a.complete()
	case tea.KeyUp:
		p.recall(1)
	case tea.KeyDown:
		p.recall(-1)
	case tea.KeyBackspace:
		if r := []rune(p.text); len(r) > 0 {
			p.text = string(r[:len(r)-1])
		} else {
			a.mode = browsing
		}
	case tea.KeyCtrlU:
		p.text = ""
	case tea.KeyRunes, tea.KeySpace:
		if len(p.text) < 400 {
			p.text += term.Safe(string(msg.Runes))
		}
	}
	return nil
}

// recall walks through what was run before.
func (p *palette) recall(by int) {
	p.back = max(0, min(p.back+by, len(p.past)))
	if p.back == 0 {
		p.text = ""
		return
	}
	p.text = p.past[len(p.past)-p.back]
}

// complete finishes the word before the cursor: a command, then a path.
func (a *App) complete() {
	word, arg, more := strings.Cut(a.palette.text, " ")
	list := a.candidates(word)
	switch {
	case !more && len(list) > 0:
		a.palette.text = list[0].name
		if list[0].arg != "" {
			a.palette.text += " "
		}
	case more && strings.HasPrefix(arg, "/"):
		if paths := a.pathsWith(arg); len(paths) > 0 {
			a.palette.text = word + " " + common(paths)
		}
	}
}

// pathsWith lists recipes' paths that begin with a text.
func (a *App) pathsWith(prefix string) (out []string) {
	for m := range a.res.Models.All() {
		if p := term.Safe(m.Path); strings.HasPrefix(p, prefix) {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

// common is the longest beginning that texts share.
func common(texts []string) string {
	first, last := texts[0], texts[len(texts)-1]
	n := 0
	for n < len(first) && n < len(last) && first[n] == last[n] {
		n++
	}
	return first[:n]
}

func (a *App) runPalette() tea.Cmd {
	p := &a.palette
	text := strings.TrimSpace(p.text)
	a.mode, p.text, p.back = browsing, "", 0
	if text == "" {
		return nil
	}
	p.past = append(p.past[max(0, len(p.past)-50):], text)
	word, arg, _ := strings.Cut(text, " ")
	list := a.candidates(word)
	if len(list) == 0 {
		a.say("no command "+word+"; tab completes, ? lists the keys", paint.Warn)
		return nil
	}
	return list[0].run(a, strings.TrimSpace(arg))
}

// paletteBar is the bottom row while a command is typed.
func (a *App) paletteBar() paint.Line {
	word, _, more := strings.Cut(a.palette.text, " ")
	parts := []paint.Line{{paint.Accent.Text(" :"), paint.Plain.Text(a.palette.text + "_"), paint.Plain.Text("   ")}}
	list := a.candidates(word)
	if more && len(list) > 0 {
		return paint.Whole(a.size.W, append(parts, paint.Line{paint.Dim.Text(list[0].arg + ": " + list[0].what)})...)
	}
	if len(list) == 1 || word != "" && len(list) > 0 && strings.HasPrefix(list[0].name, word) {
		parts = append(parts, paint.Line{paint.Accent.Text(list[0].name + " " + list[0].arg)}, paint.Line{paint.Dim.Text("  " + paint.Clauses(list[0].what, a.size.W-term.Width(a.palette.text+list[0].name+list[0].arg)-14) + "   ")})
		list = list[1:]
	}
	for _, c := range list {
		parts = append(parts, paint.Line{paint.Dim.Text(c.name + " ")})
	}
	return paint.Whole(a.size.W, parts...)
}
