package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// Own is a command of the user's own, which a key runs on what is selected.
type Own struct {
	Key, Name string
	Looks     bool // it changes nothing: it runs while disarmed and in a read-only console, too
	// Run runs it, and returns what it printed. It blocks until that has ended or ctx has.
	Run func(ctx context.Context, on OwnTarget) (string, error)
}

// OwnTarget is what such a command is run on.
type OwnTarget struct {
	Recipe, Path  string // the recipe, and the claim in it; the recipe again where it has none
	Session, Addr string // of the claim's client; empty: it has none, or it is not known
}

// ownMsg is what an own command printed.
type ownMsg struct {
	name, path, out string
	err             error
}

// owns are the deeds of own commands.
func (a *App) owns() (out []deed) {
	for _, o := range a.opts.Owns {
		b := key.NewBinding(key.WithKeys(o.Key), key.WithHelp(o.Key, o.Name))
		out = append(out, deed{&b, func() tea.Cmd { return a.desk.Aimed(func() tea.Cmd { return a.runOwn(o) }) }})
	}
	return out
}

// runOwn runs an own command on what is selected, beside the console.
func (a *App) runOwn(o Own) tea.Cmd {
	m, c := a.desk.Subject()
	name := term.Safe(o.Name)
	switch {
	case m == nil:
		a.say(name+" is not run: no recipe is selected", paint.Warn)
		return nil
	case a.running != "":
		a.say(name+" is not run: "+term.Safe(a.running)+" has not ended", paint.Warn)
		return nil
	case !o.Looks && (a.shown.Link.ReadOnly || a.opts.Operator.Forbidden() != ""):
		a.say(name+" is not run: the console is read-only, and the configuration does not say that it only looks", paint.Warn)
		return nil
	case !o.Looks && !a.hand.Armed:
		a.say(name+" is not run: the console is disarmed; "+a.shown.Keys.Arm.Help().Key+" arms it", paint.Warn)
		return nil
	}
	on := targetOf(m, c)
	a.running = o.Name
	a.say("running "+name+" on "+term.Safe(on.Path), paint.Accent)
	ctx := a.ctx
	return func() tea.Msg {
		out, err := o.Run(ctx, on)
		return ownMsg{o.Name, on.Path, out, err}
	}
}

func targetOf(m *model.Model, c *model.Claim) OwnTarget {
	on := OwnTarget{Recipe: m.Path, Path: m.Path}
	if c != nil {
		on.Path, on.Addr = c.Path(), c.Addr
		if c.Session != 0 {
			on.Session = c.Session.String()
		}
	}
	return on
}

// onOwn shows what an own command printed; where something is open, it is kept for :output, since keys may be on their way
// there.
func (a *App) onOwn(m ownMsg) {
	a.running, a.output = "", &m
	text, style := term.Safe(m.name)+" has ended", paint.Good
	if m.err != nil {
		text, style = term.Safe(m.name+" failed: "+m.err.Error()), paint.Alert
	}
	if m.out == "" {
		a.say(text, style)
		return
	}
	if a.stack.Top() != nil {
		a.say(text+"; :output shows what it printed", style)
		return
	}
	a.say(text, style)
	a.showOutput()
}

// showOutput shows what the last own command printed.
func (a *App) showOutput() {
	m := a.output
	if m == nil {
		a.say("no command of your own has printed anything", paint.Warn)
		return
	}
	a.stack.Open(&a.host, &layer.Sheet{Title: term.Safe(m.name + " on " + m.path), Copy: func() tea.Cmd { return a.copyText("the output", m.out) },
		Lines: func(w int) (out []paint.Line) {
			for line := range strings.Lines(m.out) {
				text := strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
				out = append(out, paint.Shortened(paint.Line{paint.Plain.Text(term.Safe(text))}, w, a.shown.Theme.Ellipsis))
			}
			if m.err != nil {
				out = append(out, paint.Line{paint.Alert.Text(term.Safe(m.err.Error()))})
			}
			return out
		}})
}

// ownCommands are what can be typed after a colon for own commands.
func (a *App) ownCommands() (out []layer.Command) {
	if len(a.opts.Owns) > 0 {
		out = append(out, layer.Command{Name: "output", What: "what the last command of your own printed", Run: func(string) tea.Cmd { a.showOutput(); return nil }})
	}
	return out
}

// ownHelp is what the help says of own commands.
func (a *App) ownHelp() []chapter {
	if len(a.opts.Owns) == 0 {
		return nil
	}
	var all []key.Binding
	for _, d := range a.owns() {
		all = append(all, *d.key)
	}
	return []chapter{keyChapter("your own", all)}
}
