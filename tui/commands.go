package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// commands lists what can be typed after a colon: every view, and the rest.
func (a *App) commands() []layer.Command {
	var out []layer.Command
	for _, v := range view.All {
		if v.Key == "" {
			continue
		}
		out = append(out, layer.Command{Name: v.Name, What: v.What, Run: func(string) tea.Cmd { return a.open(v.Name, "") }})
	}
	for _, r := range a.shown.Kinds {
		out = append(out, layer.Command{Name: strings.ReplaceAll(r.Plural, " ", "-"), What: "only " + r.Plural, Short: true,
			Run: func(string) tea.Cmd { return a.narrow("=" + string(r.Kind)) }})
	}
	out = append(out, a.ownCommands()...)
	plain := func(do func() tea.Cmd) func(string) tea.Cmd { return func(string) tea.Cmd { return do() } }
	return append(out, []layer.Command{
		{Name: "session", Arg: "ID", What: "everything of one session", Run: a.openSession},
		{Name: "go", Aliases: []string{"recipe", "cd"}, Arg: "PATH", What: "the recipe or znode at a path", Run: a.goPath},
		{Name: "filter", Arg: "TEXT", What: "keep what answers: word, !not, ~fuzzy, =whole, ^path, /expression/", Run: func(arg string) tea.Cmd { a.setFilter(arg); return nil }},
		{Name: "all", What: "all recipes, whatever was filtered", Run: func(string) tea.Cmd { return a.narrow("") }},
		{Name: "ns", Aliases: []string{"in"}, Arg: "PATH", What: "only what lies below a path", Run: a.below},
		{Name: "sort", Arg: "kind|path|holder|held|waiting|trouble", What: "order of the recipes", Run: a.desk.SortBy},
		{Name: "kind", Arg: "KIND", What: "read the selected path as this kind of recipe", Run: a.hint},
		{Name: "snapshot", Aliases: []string{"save"}, Arg: "[FILE]", What: "write what is shown to a file", Run: a.save},
		{Name: "why", What: "why the selected is stuck, to paste", Run: plain(silent(a.why))},
		{Name: "join", What: "take a place in the selected recipe", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.JoinHere) }},
		{Name: "probe", What: "join the selected, and let go the moment it is granted, to measure the wait", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.ProbeHere) }},
		{Name: "picture", What: "write the screen to a file, as SVG and as text", Run: plain(a.picture)},
		{Name: "vote", What: "vote for a site of the selected transaction", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.VoteHere) }},
		{Name: "pause", What: "hold the picture, or go on", Run: plain(silent(a.togglePause))},
		{Name: "arm", Aliases: []string{"disarm"}, What: "let keys act, or not any more", Run: plain(silent(a.hand.ToggleArm))},
		{Name: "mouse", What: "let the mouse scroll and select, or leave it to the terminal", Run: plain(a.toggleMouse)},
		{Name: "keys", Aliases: []string{"help"}, What: "the keys of this view", Run: plain(silent(a.help))},
		{Name: "quit", Aliases: []string{"q", "exit"}, What: "leave", Run: plain(a.quit)},
	}...)
}

// narrow shows the recipes that a filter keeps.
func (a *App) narrow(filter string) tea.Cmd {
	a.show("recipes", "")
	a.setFilter(filter)
	a.keepFilter()
	a.desk.List.Settle(a.desk.List.Head()) // the first recipe, not what is wrong with another
	a.desk.ShowClaims()
	return nil
}

// below shows the recipes below a path alone.
func (a *App) below(path string) tea.Cmd {
	if !strings.HasPrefix(path, "/") {
		a.say("a path begins with /: :ns /prod/billing", paint.Warn)
		return nil
	}
	if path == "/" {
		return a.narrow("")
	}
	return a.narrow("^" + path)
}
