package layer

import (
	"sort"
	"strings"

	"github.com/agnivade/levenshtein"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Palette is the line in which a command is typed. It remembers what was run.
type Palette struct {
	Commands func() []Command
	Paths    func() []string // what a path can be completed to

	host *Host
	text widget.Field
	back int      // how far back in past the text was taken from; 0: it was typed
	past []string // what was run before, oldest first
	done bool
}

// Command is something that can be typed after a colon.
type Command struct {
	Name    string
	Aliases []string
	Arg     string          // what follows, for the help; empty: nothing
	Values  func() []string // Optional; what can follow
	What    string          // one line
	Short   bool            // one of many of a sort: the help does not list it
	Run     func(arg string) tea.Cmd
}

// maxCommand is how many characters a command may have.
const maxCommand = 400

// Open begins a command.
func (p *Palette) Open(h *Host) {
	p.host, p.text, p.back, p.done = h, widget.NewField(maxCommand), 0, false
}

// Done reports whether the command was run, or given up.
func (p *Palette) Done() bool { return p.done }

// Typing reports that keys are text.
func (p *Palette) Typing() bool { return true }

// Key takes a key.
func (p *Palette) Key(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.Type == tea.KeyEsc:
		p.done = true
	case msg.Type == tea.KeyEnter:
		return p.run()
	case msg.Type == tea.KeyTab:
		p.complete()
	case msg.Type == tea.KeyUp:
		p.recall(1)
	case msg.Type == tea.KeyDown:
		p.recall(-1)
	case msg.Type == tea.KeyBackspace && p.text.Value() == "":
		p.done = true
	default:
		p.text.Key(msg)
	}
	return nil
}

// recall walks through what was run before.
func (p *Palette) recall(by int) {
	p.back = max(0, min(p.back+by, len(p.past)))
	if p.back == 0 {
		p.text.Set("")
		return
	}
	p.text.Set(p.past[len(p.past)-p.back])
}

// complete finishes the word that is typed: a command, then a path or what else can follow.
func (p *Palette) complete() {
	word, arg, more := strings.Cut(p.text.Value(), " ")
	list := p.candidates(word)
	switch {
	case !more && len(list) > 0:
		text := list[0].Name
		if list[0].Arg != "" {
			text += " "
		}
		p.text.Set(text)
	case more && strings.HasPrefix(arg, "/"):
		if paths := thoseWith(p.Paths(), arg); len(paths) > 0 {
			p.text.Set(word + " " + common(paths))
		}
	case more && len(list) > 0 && list[0].Values != nil:
		if values := thoseWith(list[0].Values(), arg); len(values) > 0 {
			p.text.Set(word + " " + common(values))
		}
	}
}

// thoseWith lists in order the texts that begin with another.
func thoseWith(all []string, prefix string) (out []string) {
	for _, text := range all {
		if strings.HasPrefix(text, prefix) {
			out = append(out, text)
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

func (p *Palette) run() tea.Cmd {
	p.done = true
	text := strings.TrimSpace(p.text.Value())
	if text == "" {
		return nil
	}
	p.past = append(p.past[max(0, len(p.past)-50):], text)
	word, arg, _ := strings.Cut(text, " ")
	list := p.candidates(word)
	if len(list) == 0 {
		p.host.Say("no command "+word+p.meant(word)+"; tab completes, ? lists them", paint.Warn)
		return nil
	}
	return list[0].Run(strings.TrimSpace(arg))
}

// meant asks whether a command was meant that is spelled nearly so; empty: none is.
func (p *Palette) meant(word string) string {
	best, least := "", 3
	for _, c := range p.Commands() {
		if d := levenshtein.ComputeDistance(word, c.Name); d < least && d < len(word) {
			best, least = c.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// Draw draws the line in place of the bottom row.
func (p *Palette) Draw(below func() []string, w, _ int) []string {
	text := p.text.Value()
	word, arg, more := strings.Cut(text, " ")
	parts := []paint.Line{append(paint.Line{paint.Accent.Text(" :")}, append(p.text.Draw(p.host.Theme, paint.Plain, w-4), paint.Plain.Text("   "))...)}
	list := p.candidates(word)
	if more && len(list) > 0 {
		if list[0].Values != nil {
			parts = append(parts, paint.Line{paint.Accent.Text(strings.Join(thoseWith(list[0].Values(), arg), " ") + "   ")})
		}
		return bottom(p.host.Theme, below(), w, append(parts, paint.Line{paint.Dim.Text(list[0].Arg + ": " + list[0].What)})...)
	}
	if len(list) == 1 || word != "" && len(list) > 0 && strings.HasPrefix(list[0].Name, word) {
		c := list[0]
		what := paint.Clauses(c.What, w-term.Width(text+c.Name+c.Arg)-14)
		parts = append(parts, paint.Line{paint.Accent.Text(c.Name + " " + c.Arg)}, paint.Line{paint.Dim.Text("  " + what + "   ")})
		list = list[1:]
	}
	for _, c := range list {
		parts = append(parts, paint.Line{paint.Dim.Text(c.Name + " ")})
	}
	return bottom(p.host.Theme, below(), w, parts...)
}

// bottom puts a line in place of the last of the rows: as many of its parts as there is room for.
func bottom(t *paint.Theme, rows []string, w int, parts ...paint.Line) []string {
	c := paint.NewCanvas(t, w, 1)
	c.Add(paint.Whole(w, parts...))
	rows[len(rows)-1] = c.Rows[0]
	return rows
}

// candidates are the commands that a typed word may stand for, the best first.
func (p *Palette) candidates(word string) []Command {
	var starts, rest []Command
	word = strings.ToLower(word)
	for _, c := range p.Commands() {
		switch hit := c.match(word); {
		case hit == exactly:
			return []Command{c}
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

func (c Command) match(word string) likeness {
	best := unlike
	for _, n := range append([]string{c.Name}, c.Aliases...) {
		switch {
		case n == word:
			return exactly
		case strings.HasPrefix(n, word):
			best = begins
		case best == unlike && widget.InOrder(n, word):
			best = resembles
		}
	}
	return best
}
