package keys

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Map is every key of the console. The help and the documentation are made from it.
type Map struct {
	Up, Down, PageUp, PageDown, Top, Bottom, NextKind, PrevKind key.Binding
	Open, Back, Next, Session, Events, Znode                    key.Binding
	Filter, Command, Help, Why, Pause, Follow, Sort, Reverse    key.Binding
	Copy, Notify, Save, Picture, Hex, NextHit, PrevHit          key.Binding
	StepOn, StepBack, EventOn, EventBack, HandOn, HandBack      key.Binding
	FindingOn, FindingBack, Bookmark, MarkOn, MarkBack          key.Binding
	Closer, Wider, History                                      key.Binding
	Arm, Revoke, Break, Restore, Act, Mark, Unmark              key.Binding
	Join, Vote, Finish, GiveBack                                key.Binding
	Quit, Abort, Suspend, Redraw                                key.Binding
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

// Default returns the keys as they are documented.
func Default() Map {
	k := Map{
		Up:       bind("k", "up", "k", "up"),
		Down:     bind("j", "down", "j", "down"),
		PageUp:   bind("ctrl+u", "half a page up", "ctrl+u", "pgup"),
		PageDown: bind("ctrl+d", "half a page down", "ctrl+d", "pgdown"),
		Top:      bind("g", "first", "g", "home"),
		Bottom:   bind("G", "last", "G", "end"),
		NextKind: bind("]", "next kind of recipe", "]"),
		PrevKind: bind("[", "kind of recipe before", "["),
		Open:     bind("enter", "open: move into the claims, or follow the line", "enter", "l", "right"),
		Back:     bind("esc", "back by one view; then clear the filter; never quits", "esc", "h", "left"),
		Next:     bind("tab", "other pane", "tab", "shift+tab"),
		Session:  bind("i", "session: everything of the selected claim's session", "i"),
		Events:   bind("e", "events of the selected recipe, with hold and wait times", "e"),
		Znode:    bind("z", "znode: the selected as it is, with stat and data", "z"),
		Quit:     bind("q", "quit", "q"),
		Abort:    bind("ctrl+c", "quit from anywhere", "ctrl+c"),
		Suspend:  bind("ctrl+z", "suspend: to the shell; fg comes back, disarmed", "ctrl+z"),
		Redraw:   bind("ctrl+l", "redraw the screen, and sort by what is known now", "ctrl+l"),
	}
	k.look()
	k.act()
	return k
}

// look are the keys that change what is seen.
func (k *Map) look() {
	k.Filter = bind("/", "filter what is listed: word, !not, ~fuzzy, =whole, ^path, /expression/", "/")
	k.Command = bind(":", "command: views and more by name, tab completes", ":")
	k.Help = bind("?", "keys", "?")
	k.Why = bind("w", "why it is stuck, to read and to paste", "w")
	k.Pause = bind("p", "pause the picture, or go on; play a recording, or stop", "p")
	k.Follow = bind("F", "follow: stay with whoever is first, or with the newest", "F")
	k.Sort = bind("o", "order of what is shown, by the next column", "o")
	k.Reverse = bind("O", "that order reversed", "O")
	k.Copy = bind("y", "copy a path, a session, a row, JSON", "y")
	k.Notify = bind("n", "notify: ring when the selected recipe is free, changes hands or is decided", "n")
	k.Save = bind("ctrl+s", "save what is shown to a file", "ctrl+s")
	k.Picture = bind("ctrl+p", "picture of the screen, as SVG and as text, for a ticket", "ctrl+p")
	k.StepOn = bind(".", "next state of a recording", ".")
	k.StepBack = bind(",", "state before, of a recording", ",")
	k.EventOn = bind(">", "next event of a recording", ">")
	k.EventBack = bind("<", "event before, of a recording", "<")
	k.HandOn = bind("}", "next time in a recording that the selected recipe changes hands", "}")
	k.HandBack = bind("{", "the time before that it did", "{")
	k.FindingOn = bind(")", "next time in a recording that something urgent is found", ")")
	k.FindingBack = bind("(", "the time before that something was", "(")
	k.Bookmark = bind("m", "mark this moment of a recording, or take its mark away", "m")
	k.MarkOn = bind("'", "next moment that is marked", "'")
	k.MarkBack = bind("\"", "marked moment before", "\"")
	k.Closer = bind("+", "closer, in a history; elsewhere faster, where a recording is played", "+", "=")
	k.Wider = bind("-", "wider, in a history; elsewhere slower", "-")
	k.History = bind("H", "history: who waited and held when in the selected recipe, and the line at any moment; left and right move in time", "H")
	k.NextHit = bind("n", "next line with what was looked for, in a text that is open", "n")
	k.PrevHit = bind("N", "the line before, with the same", "N")
	k.Hex = bind("x", "data as text or hexadecimal, in a znode", "x")
}

// act are the keys that can lead to a change.
func (k *Map) act() {
	k.Arm = bind("W", "arm the console to act, or disarm", "W")
	k.Revoke = bind("r", "revoke: ask the holder to let go", "r")
	k.Break = bind("b", "break: delete one claim", "b")
	k.Restore = bind("u", "undo a revoke: restore the data that it overwrote", "u")
	k.Act = bind("a", "act: everything that can be done to the selected", "a")
	k.Mark = bind("space", "mark the claim and move on, to act on several", " ")
	k.Unmark = bind("U", "unmark all", "U")
	k.Join = bind("J", "join: take a place in the selected recipe", "J")
	k.Vote = bind("v", "vote for a site of the selected transaction", "v")
	k.Finish = bind("f", "finish what you hold, with success, in a place of yours", "f")
	k.GiveBack = bind("c", "give back what you hold: return the item, vote abort, let go; leave a line", "c")
}

// Section is a group of keys in the help.
type Section struct {
	Title string
	Keys  []key.Binding
}

// Sections lists every key of the map, grouped.
func (k Map) Sections() []Section {
	return []Section{
		{"move", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.NextKind, k.PrevKind, k.Next}},
		{"go", []key.Binding{k.Open, k.Back, k.Session, k.Events, k.History, k.Znode}},
		{"look", []key.Binding{k.Filter, k.Command, k.Why, k.Pause, k.Follow, k.Sort, k.Reverse, k.Copy, k.Notify, k.Save, k.Picture, k.Hex}},
		{"act", []key.Binding{k.Arm, k.Act, k.Revoke, k.Break, k.Restore, k.Mark, k.Unmark}},
		{"take part", []key.Binding{k.Join, k.Vote, k.Finish, k.GiveBack}},
		{"leave", []key.Binding{k.Help, k.Quit, k.Abort, k.Suspend, k.Redraw}},
		{"in a text", []key.Binding{k.NextHit, k.PrevHit}},
		{"replay", []key.Binding{k.StepOn, k.StepBack, k.EventOn, k.EventBack, k.HandOn, k.HandBack, k.FindingOn, k.FindingBack, k.Bookmark, k.MarkOn, k.MarkBack, k.Closer, k.Wider}},
	}
}

// Names lists what keys can be bound to, as a configuration file names it: page-up, next-kind.
func (k Map) Names() []string {
	var out []string
	t := reflect.TypeOf(k)
	for i := range t.NumField() {
		out = append(out, NameOf(t.Field(i).Name))
	}
	slices.Sort(out)
	return out
}

// Bind replaces keys by the names of what they do. A name that is not known, or a key that then would do two
// things, is an error; the digits open the views.
func (k *Map) Bind(keys map[string][]string) error {
	v := reflect.ValueOf(k).Elem()
	fields := map[string]*key.Binding{}
	for i := range v.NumField() {
		fields[NameOf(v.Type().Field(i).Name)] = v.Field(i).Addr().Interface().(*key.Binding)
	}
	for name, to := range keys {
		b := fields[name]
		if b == nil {
			return fmt.Errorf("keys: nothing is called %s; there are %s", name, strings.Join(k.Names(), ", "))
		}
		if len(to) == 0 {
			return fmt.Errorf("keys: %s has no key", name)
		}
		for i, s := range to {
			if s == "space" {
				to[i] = " "
			}
		}
		help := to[0]
		if help == " " {
			help = "space"
		}
		*b = bind(help, b.Help().Desc, to...)
	}
	owner := map[string]string{}
	for digit := '0'; digit <= '9'; digit++ {
		owner[string(digit)] = "view-" + string(digit)
	}
	for name, b := range fields {
		if name == "next-hit" || name == "prev-hit" { // they count in a text alone, where what has that key elsewhere does not
			continue
		}
		for _, s := range b.Keys() {
			if other := owner[s]; other != "" {
				return fmt.Errorf("keys: %s would do two things, %s and %s", Spelled([]string{s}), min(name, other), max(name, other))
			}
			owner[s] = name
		}
	}
	return nil
}

// NameOf writes a field's name as a configuration does.
func NameOf(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Acts reports whether a key acts on the selection, or opens a form or a box about it.
func (k *Map) Acts(msg tea.KeyMsg) bool {
	return key.Matches(msg, k.Revoke, k.Break, k.Restore, k.Act, k.Mark, k.Unmark, k.Join, k.Vote, k.Copy, k.Notify, k.Sort, k.Reverse, k.Hex)
}

// Far is how many lines a key moves that goes to the first line or the last.
const Far = 1 << 30

// Step is how many lines a key moves, where half a page is so many; false: it moves none.
func (k *Map) Step(msg tea.KeyMsg, page int) (by int, moves bool) {
	for _, s := range []struct {
		key.Binding
		by int
	}{{k.Up, -1}, {k.Down, 1}, {k.PageUp, -page}, {k.PageDown, page}, {k.Top, -Far}, {k.Bottom, Far}} {
		if key.Matches(msg, s.Binding) {
			return s.by, true
		}
	}
	return 0, false
}

// AboutRecipe reports whether a key is about the selected recipe, whatever is selected of it.
func (k *Map) AboutRecipe(msg tea.KeyMsg) bool { return key.Matches(msg, k.Join, k.Notify) }

// Spelled joins the keys of a binding.
func Spelled(keys []string) string {
	text := strings.Join(keys, " ")
	if text == " " {
		return "space"
	}
	return text
}

// Word is the first word of a binding's help.
func Word(b key.Binding) string {
	word, _, _ := strings.Cut(b.Help().Desc, " ")
	return strings.TrimRight(word, ":,")
}
