package tui

import "github.com/charmbracelet/bubbles/key"

// KeyMap is every key of the console. The help screen and the documentation are made from it.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
	Open, Back, Next                        key.Binding
	Filter, Help, Pause                     key.Binding
	Arm, Revoke, Break, Restore             key.Binding
	Quit, Abort, Redraw                     key.Binding
}

// DefaultKeys returns the keys as they are documented.
func DefaultKeys() KeyMap {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return KeyMap{
		Up:       bind("k", "up", "k", "up"),
		Down:     bind("j", "down", "j", "down"),
		PageUp:   bind("ctrl+u", "half a page up", "ctrl+u", "pgup"),
		PageDown: bind("ctrl+d", "half a page down", "ctrl+d", "pgdown"),
		Top:      bind("g", "first", "g", "home"),
		Bottom:   bind("G", "last", "G", "end"),
		Open:     bind("enter", "open: move into the claims", "enter", "l", "right"),
		Back:     bind("esc", "back; then clear the filter", "esc", "h", "left"),
		Next:     bind("tab", "other pane", "tab"),
		Filter:   bind("/", "filter recipes by path, owner, kind or finding", "/"),
		Help:     bind("?", "keys", "?"),
		Pause:    bind("p", "pause the picture, or go on", "p"),
		Arm:      bind("W", "arm the console to act, or disarm", "W"),
		Revoke:   bind("r", "revoke: ask the holder to let go", "r"),
		Break:    bind("b", "break: delete one claim", "b"),
		Restore:  bind("u", "restore the data that a revoke overwrote", "u"),
		Quit:     bind("q", "quit", "q"),
		Abort:    bind("ctrl+c", "quit from anywhere", "ctrl+c"),
		Redraw:   bind("ctrl+l", "draw the screen anew", "ctrl+l"),
	}
}

// Section is a group of keys in the help screen.
type Section struct {
	Title string
	Keys  []key.Binding
}

// Sections lists every key of the map, grouped.
func (k KeyMap) Sections() []Section {
	return []Section{
		{"move", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Open, k.Back, k.Next}},
		{"look", []key.Binding{k.Filter, k.Pause, k.Help, k.Redraw}},
		{"act", []key.Binding{k.Arm, k.Revoke, k.Break, k.Restore}},
		{"leave", []key.Binding{k.Quit, k.Abort}},
	}
}
