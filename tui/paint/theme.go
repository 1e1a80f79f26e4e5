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
	ascii         bool   // the terminal shows ASCII alone
}

// Ground is what a theme is drawn on, and for whose eyes.
type Ground uint8

// The grounds.
const (
	Dark      Ground = iota
	Light            // yellow and cyan, which many palettes make pale, are not used
	Mono             // no colour: bold and reversed text only
	Contrast         // the terminal's own two colours, with bold, underlined and reversed text, on any ground
	SafeDark         // no two styles differ by red and green alone: yellow, white and cyan on dark
	SafeLight        // the same on light: red that is bold, black that is bold, and blue
	grounds
)

// GroundNames are what the grounds are called where one is chosen.
var GroundNames = [grounds]string{"dark", "light", "mono", "contrast", "safe-dark", "safe-light"}

// look is how a style is drawn: one of the terminal's sixteen colours, or its own where that is empty.
type look struct {
	text, ground             string
	bold, reverse, underline bool
}

// looks are those of a style on each ground, in the order of the grounds.
type looks [grounds]look

// badge is text on a ground of its own, so that it can be read on any; where there is no colour it is reversed.
func badge(text, ground string) looks {
	on, off := look{text: text, ground: ground, bold: true}, look{reverse: true, bold: true}
	return looks{on, on, off, off, on, on}
}

var (
	danger  = badge("15", "1")
	warns   = looks{{text: "11"}, {text: "5"}, {}, {bold: true, underline: true}, {text: "15", bold: true}, {text: "0", bold: true}}
	palette = [styles]looks{
		Dim:    {Dark: {text: "7"}, SafeDark: {text: "7"}},
		Bold:   {{bold: true}, {bold: true}, {bold: true}, {bold: true}, {bold: true}, {bold: true}},
		Title:  {{bold: true}, {bold: true}, {bold: true}, {bold: true}, {bold: true}, {bold: true}},
		Alert:  {{text: "9", bold: true}, {text: "1", bold: true}, {bold: true}, {reverse: true, bold: true}, {text: "11", bold: true}, {text: "1", bold: true}},
		Warn:   warns,
		Good:   {{text: "10"}, {text: "4"}, {}, {bold: true}, {text: "14"}, {text: "4"}},
		Accent: {{text: "14"}, {text: "4"}, {}, {bold: true}, {text: "14"}, {text: "4"}},
		Picked: {{reverse: true}, {reverse: true}, {reverse: true}, {reverse: true}, {reverse: true}, {reverse: true}},
		Armed:  {danger[Dark], danger[Light], danger[Mono], danger[Contrast], {text: "0", ground: "11", bold: true}, {text: "0", ground: "11", bold: true}},
		Stale:  badge("0", "11"),
		Badge:  badge("0", "7"),
		Mine:   badge("0", "14"),
	}
)

// New makes a theme for a dark terminal with the given glyphs and colour profile.
func New(g term.Glyphs, p termenv.Profile) Theme { return On(Dark, g, p) }

// On makes a theme for a terminal with the given ground, glyphs and colour profile.
func On(on Ground, g term.Glyphs, p termenv.Profile) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(true) // the ground is known; this only stops a query
	t := Theme{Glyphs: g, Bell: "♪", ascii: g.Ellipsis == term.ASCII().Ellipsis}
	if t.ascii {
		t.Bell = "n"
	}
	for i, all := range palette {
		l := all[on]
		s := r.NewStyle().Bold(l.bold).Reverse(l.reverse).Underline(l.underline)
		if l.text != "" {
			s = s.Foreground(lipgloss.Color(l.text))
		}
		if l.ground != "" {
			s = s.Background(lipgloss.Color(l.ground))
		}
		t.before[i], t.after[i], _ = strings.Cut(s.Render("x"), "x")
	}
	return t
}

// Spelled is a text as the terminal can show it.
func (t *Theme) Spelled(text string) string {
	if t.ascii {
		return term.Spelled(text)
	}
	return text
}

// Reverses reports whether the theme can draw reversed text.
func (t *Theme) Reverses() bool { return t.before[Picked] != "" }
