package keys_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/keys"
)

func TestStepsOfTheMovementKeys(t *testing.T) {
	k := keys.Default()
	for _, c := range []struct {
		msg   tea.KeyMsg
		by    int
		moves bool
	}{
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j")}, 1, true},
		{tea.KeyMsg{Type: tea.KeyUp}, -1, true},
		{tea.KeyMsg{Type: tea.KeyPgDown}, 12, true},
		{tea.KeyMsg{Type: tea.KeyCtrlU}, -12, true},
		{tea.KeyMsg{Type: tea.KeyHome}, -keys.Far, true},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("G")}, keys.Far, true},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("b")}, 0, false},
	} {
		if by, moves := k.Step(c.msg, 12); by != c.by || moves != c.moves {
			t.Errorf("%s moves %d, %t; want %d, %t", c.msg, by, moves, c.by, c.moves)
		}
	}
}

func TestKeysThatAct(t *testing.T) {
	k := keys.Default()
	for key, acts := range map[string]bool{"b": true, "r": true, "a": true, "J": true, "x": true, "j": false, "w": false, "/": false} {
		if got := k.Acts(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}); got != acts {
			t.Errorf("%s acts: %t", key, got)
		}
	}
}

func TestEveryKeyIsInTheHelp(t *testing.T) {
	k := keys.Default()
	shown := map[string]bool{}
	for _, s := range k.Sections() {
		for _, b := range s.Keys {
			shown[b.Help().Desc] = true
		}
	}
	v := reflect.ValueOf(k)
	for i := range v.NumField() {
		if b := v.Field(i).Interface().(key.Binding); !shown[b.Help().Desc] || len(b.Keys()) == 0 {
			t.Errorf("%s is not in the help", v.Type().Field(i).Name)
		}
	}
}

func TestNoKeyDoesTwoThings(t *testing.T) {
	for want, pressed := range map[string]map[string][]string{
		"nothing is called qit; there are abort, act,": {"qit": {"Q"}},
		"b would do two things, break and quit":        {"quit": {"b"}},
		"quit has no key":                              {"quit": {}},
		"space would do two things, mark and notify":   {"notify": {"space"}},
		"3 would do two things, sort and view-3":       {"sort": {"3"}},
	} {
		k := keys.Default()
		if err := k.Bind(pressed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", pressed, err)
		}
	}
}
