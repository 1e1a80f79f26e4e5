package tui

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/internal/term"
)

// Style is how a piece of text looks. Meaning never rests on it alone: words and marks carry it too.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Dim
	Bold
	Title
	Alert  // someone is stuck, or two may act
	Warn   // likely to mislead
	Good   // holds, connected
	Accent // what can be pressed
	Picked // the selected row
	Armed  // keys can change the ensemble
	styles
)

// Theme turns styled text into bytes. It draws only with the terminal's own sixteen colours.
type Theme struct {
	term.Glyphs
	Border        Style // of the frame; Plain unless it warns
	before, after [styles]string
	bell          string // the sign of a recipe that rings
}

// Ground is what a theme is drawn on.
type Ground uint8

// The grounds.
const (
	Dark  Ground = iota
	Light        // yellow and cyan, which many palettes make pale, are not used
	Mono         // no colour: bold, faint and reversed text only
)

// NewTheme makes a theme for a dark terminal with the given glyphs and colour profile.
func NewTheme(g term.Glyphs, p termenv.Profile) Theme { return ThemeOn(Dark, g, p) }

// ThemeOn makes a theme for a terminal with the given ground, glyphs and colour profile.
func ThemeOn(on Ground, g term.Glyphs, p termenv.Profile) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(true) // the ground is known; this only stops a query
	colour := func(dark, light string) lipgloss.Style {
		switch on {
		case Mono:
			return r.NewStyle()
		case Light:
			dark = light
		}
		return r.NewStyle().Foreground(lipgloss.Color(dark))
	}
	look := [styles]lipgloss.Style{
		Plain: r.NewStyle(), Dim: r.NewStyle().Faint(true), Bold: r.NewStyle().Bold(true),
		Title: r.NewStyle().Bold(true), Alert: colour("9", "1").Bold(true), Warn: colour("3", "5"), Good: colour("2", "2"),
		Accent: colour("6", "4"), Picked: r.NewStyle().Reverse(true), Armed: colour("1", "1").Reverse(true).Bold(true),
	}
	t := Theme{Glyphs: g, bell: "♪"}
	if g.Ellipsis == term.ASCII().Ellipsis {
		t.bell = "n"
	}
	for i, s := range look {
		t.before[i], t.after[i], _ = strings.Cut(s.Render("x"), "x")
	}
	return t
}

// spelled is a text as the terminal can show it.
func (t *Theme) spelled(text string) string {
	if t.AtMost == term.ASCII().AtMost {
		return term.Spelled(text)
	}
	return text
}

// span is a piece of text in one style. Its text must have passed through term.Safe.
type span struct {
	text  string
	style Style
}

// line is one row of an area, left to right.
type line []span

func plain(text string) line { return line{{text, Plain}} }

// draw appends the line to b, cut or padded to exactly w cells.
func (t *Theme) draw(b *strings.Builder, l line, w int) {
	for _, s := range l {
		if w <= 0 {
			return
		}
		text := term.Cut(t.spelled(s.text), w, t.Ellipsis)
		w -= term.Width(text)
		b.WriteString(t.before[s.style])
		b.WriteString(text)
		b.WriteString(t.after[s.style])
	}
	if w > 0 {
		b.WriteString(strings.Repeat(" ", w))
	}
}

// picked draws the line as the selected row: one style over its whole width.
func (t *Theme) picked(l line, w int) line {
	var text strings.Builder
	for _, s := range l {
		text.WriteString(s.text)
	}
	return line{{term.Fit(text.String(), w, t.Ellipsis), Picked}}
}
