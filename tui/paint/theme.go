package paint

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
	Stale  // what is shown is not what is
	Badge  // how the console was started
	Mine   // what is ours
	styles
)

// Theme turns styled text into bytes. It draws only with the terminal's own sixteen colours.
type Theme struct {
	term.Glyphs
	Border        Style // of the frame; Plain unless it warns
	before, after [styles]string
	Bell          string // the sign of a recipe that rings
}

// Ground is what a theme is drawn on.
type Ground uint8

// The grounds.
const (
	Dark  Ground = iota
	Light        // yellow and cyan, which many palettes make pale, are not used
	Mono         // no colour: bold, faint and reversed text only
)

// New makes a theme for a dark terminal with the given glyphs and colour profile.
func New(g term.Glyphs, p termenv.Profile) Theme { return On(Dark, g, p) }

// On makes a theme for a terminal with the given ground, glyphs and colour profile.
func On(on Ground, g term.Glyphs, p termenv.Profile) Theme {
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
	badge := func(text, ground string) lipgloss.Style { // both, so that it can be read on any ground
		if on == Mono {
			return r.NewStyle().Reverse(true)
		}
		return r.NewStyle().Foreground(lipgloss.Color(text)).Background(lipgloss.Color(ground))
	}
	look := [styles]lipgloss.Style{
		Plain: r.NewStyle(), Dim: colour("7", ""), Bold: r.NewStyle().Bold(true),
		Title: r.NewStyle().Bold(true), Alert: colour("9", "1").Bold(true), Warn: colour("11", "5"), Good: colour("10", "4"),
		Accent: colour("14", "4"), Picked: r.NewStyle().Reverse(true), Armed: badge("15", "1").Bold(true), Stale: badge("0", "11"), Badge: badge("0", "7"), Mine: badge("0", "14"),
	}
	t := Theme{Glyphs: g, Bell: "♪"}
	if g.Ellipsis == term.ASCII().Ellipsis {
		t.Bell = "n"
	}
	for i, s := range look {
		t.before[i], t.after[i], _ = strings.Cut(s.Render("x"), "x")
	}
	return t
}

// Spelled is a text as the terminal can show it.
func (t *Theme) Spelled(text string) string {
	if t.AtMost == term.ASCII().AtMost {
		return term.Spelled(text)
	}
	return text
}

// Reverses reports whether the theme can draw reversed text.
func (t *Theme) Reverses() bool { return t.before[Picked] != "" }
