package tui

import (
	"slices"
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
		{Name: "history", Arg: "[PATH]", What: "who waited and held when in a recipe", Run: a.openHistory},
		{Name: "go", Aliases: []string{"recipe", "cd"}, Arg: "PATH", What: "the recipe or znode at a path", Run: a.goPath},
		{Name: "filter", Arg: "TEXT", What: "keep what matches: word, !not, ~fuzzy, =whole, ^path, /expression/", Run: func(arg string) tea.Cmd { a.setFilter(arg); return nil }},
		{Name: "all", What: "all recipes, whatever was filtered", Run: func(string) tea.Cmd { return a.narrow("") }},
		{Name: "ns", Aliases: []string{"in"}, Arg: "PATH", What: "only what lies below a path", Run: a.below},
		{Name: "sort", Arg: "COLUMN", What: "order of what is shown, by " + a.orders(), Run: a.desk.SortBy},
		{Name: "columns", Arg: "[+-]NAME", What: "columns of the recipes, of " + strings.Join(view.ColumnNames, ", ") + "; usual brings the first ones back", Run: a.columns},
		{Name: "kind", Arg: "KIND", What: "read the selected path as this kind of recipe", Run: a.hint},
		{Name: "snapshot", Aliases: []string{"save"}, Arg: "[FILE]", What: "write what is shown to a file", Run: a.save},
		{Name: "why", What: "why the selected is stuck, to paste", Run: plain(silent(a.why))},
		{Name: "join", What: "take a place in the selected recipe", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.JoinHere) }},
		{Name: "probe", What: "join the selected, and let go the moment it is granted, to measure the wait", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.ProbeHere) }},
		{Name: "picture", What: "write the screen to a file, as SVG and as text", Run: plain(a.picture)},
		{Name: "vote", What: "vote for a site of the selected transaction", Run: func(string) tea.Cmd { return a.desk.Aimed(a.hand.VoteHere) }},
		{Name: "goto", Aliases: []string{"at"}, Arg: "TIME", What: "a recording as it was: at 10:09:30, 2026-11-27T10:09:30, +90s later, -5m earlier", Run: a.goTime},
		{Name: view.Profiles, Aliases: []string{"ensembles"}, What: "the ensembles of all profiles, and how each stands; enter changes to one", Run: func(string) tea.Cmd { return a.open(view.Profiles, "") }},
		{Name: "profile", Arg: "NAME", Values: a.profileNames, What: "change to the ensemble of another profile", Run: a.changeTo},
		{Name: "pause", Aliases: []string{"play"}, What: "hold the picture, or go on; play a recording, or stop", Run: plain(a.togglePause)},
		{Name: "arm", Aliases: []string{"disarm"}, What: "let keys act, or not any more", Run: plain(silent(a.hand.ToggleArm))},
		{Name: "mouse", What: "let the mouse scroll and select, or leave it to the terminal", Run: plain(a.toggleMouse)},
		{Name: "keys", Aliases: []string{"help"}, What: "the keys of this view", Run: plain(silent(a.help))},
		{Name: "quit", Aliases: []string{"q", "exit"}, What: "leave", Run: plain(a.quit)},
	}...)
}

// orders are what the lines of the page that is shown can be sorted by, else the recipes.
func (a *App) orders() string {
	names := view.OrderNames[:]
	if p := a.page(); p != nil && p.Order() != nil {
		names, _ = p.Orders()
	}
	return strings.Join(names, ", ")
}

// columns chooses the columns of the table of recipes; without a name it says which there are.
func (a *App) columns(text string) tea.Cmd {
	if text != "" {
		chosen, err := a.shown.Columns.Choose(text)
		if err != nil {
			a.say(err.Error(), paint.Warn)
			return nil
		}
		a.shown.Columns = chosen
	}
	names := slices.Clone(view.ColumnNames)
	for i, name := range names {
		if slices.Contains(a.shown.Columns.Names(), name) {
			names[i] = "[" + name + "]"
		}
	}
	a.say("columns: "+strings.Join(names, " "), paint.Plain)
	return nil
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
