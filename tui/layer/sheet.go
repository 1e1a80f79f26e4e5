package layer

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Sheet is a text over the whole screen, to read and leave: the keys, why something is stuck.
type Sheet struct {
	Title string
	Lines func(w int) []paint.Line
	Copy  func() tea.Cmd               // copies it; nil: that cannot be
	Acts  func() []key.Binding         // Optional; the keys that act on what it tells of, worth a hint
	Act   func(msg tea.KeyMsg) tea.Cmd // Optional; does what such a key does

	host *Host
	at   viewport.Model // where in the text the screen is
	done bool

	find    widget.Field // what is looked for in the text
	finding bool         // it is being typed
	hit     int          // the line of the last one found; -1: none
}

// Open starts the sheet.
func (s *Sheet) Open(h *Host) {
	s.host, s.at, s.find, s.hit = h, viewport.New(0, 0), widget.NewField(maxFilter), -1
	s.fit(h.Size())
}

// fit lays the text out for a screen of w×h cells, and returns its lines.
func (s *Sheet) fit(w, h int) []paint.Line {
	lines := s.Lines(w)
	s.at.Width, s.at.Height = w, h-2
	s.at.SetContent(strings.Repeat("\n", max(0, len(lines)-1))) // what it keeps is where the screen is in it; the styles are ours
	s.at.SetYOffset(s.at.YOffset)                               // on a taller screen it begins earlier
	return lines
}

// Done reports whether it was closed.
func (s *Sheet) Done() bool { return s.done }

// Scroll moves the text by so many lines.
func (s *Sheet) Scroll(by int) {
	if by > 0 {
		s.at.ScrollDown(by)
	} else {
		s.at.ScrollUp(-by)
	}
}

// Typing reports that keys are text: what is looked for is being typed.
func (s *Sheet) Typing() bool { return s.finding }

// look takes a key of what is looked for; enter goes to the first line that has it, esc forgets it.
func (s *Sheet) look(msg tea.KeyMsg) {
	switch msg.Type {
	case tea.KeyEnter:
		s.finding = false
		s.next(1)
	case tea.KeyEsc:
		s.finding, s.hit = false, -1
		s.find.Set("")
	default:
		s.find.Key(msg)
	}
}

// next goes to the next line that has what is looked for, or to the one before; behind the last comes the first.
func (s *Sheet) next(by int) {
	want := strings.ToLower(s.find.Value())
	w, h := s.host.Size()
	lines := s.fit(w, h)
	n := len(lines)
	for i := 1; i <= n && want != ""; i++ {
		at := ((s.hit+by*i)%n + n) % n
		if strings.Contains(strings.ToLower(lines[at].Text()), want) {
			s.hit = at
			s.at.SetYOffset(max(0, at-s.at.Height/2))
			return
		}
	}
	s.hit = -1
	s.host.Say("not found: "+s.find.Value(), paint.Warn)
}

// Key takes a key.
func (s *Sheet) Key(msg tea.KeyMsg) tea.Cmd {
	if s.finding {
		s.look(msg)
		return nil
	}
	k := s.host.Keys
	if by, moves := k.Step(msg, max(1, (s.at.Height+2)/2)); moves {
		s.Scroll(by)
		return nil
	}
	switch {
	case key.Matches(msg, k.Filter):
		s.finding = true
	case s.find.Value() != "" && key.Matches(msg, k.NextHit):
		s.next(1)
	case s.find.Value() != "" && key.Matches(msg, k.PrevHit):
		s.next(-1)
	case key.Matches(msg, k.Copy) && s.Copy != nil:
		return s.Copy()
	case s.Act != nil && key.Matches(msg, k.Revoke, k.Break, k.Act, k.Vote):
		s.done = true // it acts on what the text names, whatever is selected or marked below
		return s.Act(msg)
	case key.Matches(msg, k.Quit):
		return s.host.Quit()
	case key.Matches(msg, k.Help), key.Matches(msg, k.Why), msg.Type == tea.KeyEsc, msg.Type == tea.KeyEnter:
		s.done = true
	}
	return nil
}

// Draw draws the text over the whole screen.
func (s *Sheet) Draw(_ func() []string, w, h int) []string {
	lines := s.fit(w, h)
	c := paint.NewCanvas(s.host.Theme, w, h)
	c.Add(paint.Line{paint.Title.Text(" zkscope "), paint.Bold.Text(" " + s.Title)})
	top := s.at.YOffset
	for i := range h - 2 {
		switch at := top + i; {
		case at >= len(lines):
			c.Add(nil)
		case at == s.hit:
			c.Add(s.host.Theme.Picked(lines[at], w))
		default:
			c.Add(lines[at])
		}
	}
	foot := s.hints(!s.at.AtBottom(), w)
	if told := s.host.Told(); told != "" {
		foot = " " + told
	}
	if s.finding {
		c.Add(append(paint.Line{paint.Accent.Text(" /")}, s.find.Draw(s.host.Theme, paint.Plain, w-4)...))
		return c.Rows
	}
	c.Add(paint.Line{paint.Dim.Text(foot)})
	return c.Rows
}

// hints names the keys of a sheet, as many as there is room for; more: not all of it is on the screen.
func (s *Sheet) hints(more bool, w int) string {
	k := s.host.Keys
	hints := []string{"esc closes"}
	if more {
		hints = append(hints, k.Down.Help().Key+" for more")
	}
	hints = append(hints, k.Filter.Help().Key+" searches")
	if s.find.Value() != "" {
		hints = append(hints, k.NextHit.Help().Key+" "+k.PrevHit.Help().Key+" next, before")
	}
	if s.Acts != nil {
		for _, b := range s.Acts() {
			hints = append(hints, b.Help().Key+" "+keys.Word(b))
		}
	}
	if s.Copy != nil {
		hints = append(hints, k.Copy.Help().Key+" copies it")
	}
	out := ""
	for _, h := range hints {
		if term.Width(out)+term.Width(h)+3 <= w {
			out += "   " + h
		}
	}
	return strings.TrimPrefix(out, "  ")
}
