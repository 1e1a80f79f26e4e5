package command

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// Ground is what a theme is drawn on, by its name; auto, or none, is what dark tells of the terminal, and so is safe. The library asks
// the terminal when the program starts, once, for a bounded time, and neither below tmux and screen nor without a
// terminal; here only the answer is looked up.
func Ground(name string, dark func() bool) (paint.Ground, error) {
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

// ASCII reports whether the terminal shows ASCII characters only, or is said to.
func (c *Line) ASCII() bool { return c.Flags.ascii || term.WantsASCII(c.Getenv) }

// Spelled is a text of ours as the terminal can show it. What programs read stays UTF-8.
func (c *Line) Spelled(text string) string {
	if c.ASCII() && (c.Flags.Output == "" || c.Flags.Output == "table") {
		return term.Spelled(text)
	}
	return text
}
