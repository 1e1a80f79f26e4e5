package console

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// theme chooses glyphs and colours for the terminal.
func (c *consoleRun) theme() paint.Theme {
	glyphs := term.Unicode()
	if c.ASCII() {
		glyphs = term.ASCII()
	}
	profile := termenv.ANSI
	if c.Getenv("NO_COLOR") != "" {
		profile = termenv.Ascii
	}
	on, _ := command.Ground(c.Flags.Theme, func() bool { // it was checked with the command line
		return !c.InTTY || !c.OutTTY || lipgloss.HasDarkBackground()
	})
	return paint.On(on, glyphs, profile)
}
