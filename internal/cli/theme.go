package cli

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// ground is what a theme is drawn on, by its name; auto, or none, is what dark tells of the terminal, and so is safe. The library asks
// the terminal when the program starts, once, for a bounded time, and neither below tmux and screen nor without a
// terminal; here only the answer is looked up.
func ground(name string, dark func() bool) (paint.Ground, error) {
	light := dark != nil && !dark()
	switch at := slices.Index(paint.GroundNames[:], name); {
	case at >= 0:
		return paint.Ground(at), nil
	case name == "safe" && light:
		return paint.SafeLight, nil
	case name == "safe":
		return paint.SafeDark, nil
	case (name == "" || name == "auto") && light:
		return paint.Light, nil
	case name == "" || name == "auto":
		return paint.Dark, nil
	}
	return paint.Dark, world.Fail(world.ExitUsage, "theme %s: there are auto, safe and %s", say.Printable(name), strings.Join(paint.GroundNames[:], ", "))
}

// ascii reports whether the terminal shows ASCII characters only, or is said to.
func (c *Line) ascii() bool { return c.flags.ascii || term.WantsASCII(c.Getenv) }

// spelled is a text of ours as the terminal can show it. What programs read stays UTF-8.
func (c *Line) spelled(text string) string {
	if c.ascii() && (c.flags.output == "" || c.flags.output == "table") {
		return term.Spelled(text)
	}
	return text
}
