package tui

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/tui/keys"
)

func TestTheKeysAreDocumented(t *testing.T) {
	file := filepath.Join("..", "docs", "keys.md")
	if *update {
		if err := os.WriteFile(file, []byte(KeysDocument()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != KeysDocument() {
		t.Errorf("docs/keys.md is not what the key map says: go test ./tui -run KeysAreDocumented -update writes it anew (%v)", err)
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

func TestKeysCanBeReplaced(t *testing.T) {
	k := keys.Default()
	if err := k.Bind(map[string][]string{"quit": {"Q"}, "page-down": {"ctrl+f", "ctrl+d"}}); err != nil {
		t.Fatal(err)
	}
	s := town()
	d := drive(t, s, 120, 40)
	d.app.shown.Keys = k
	if d.Press("q"); d.quit {
		t.Error("q quits still")
	}
	if d.Press("Q"); !d.quit {
		t.Error("Q does not quit")
	}
	for want, pressed := range map[string]map[string][]string{
		"nothing is called qit; there are abort, act,": {"qit": {"Q"}},
		"b would do two things, break and quit":        {"quit": {"b"}},
		"quit has no key":                              {"quit": {}},
		"space would do two things, mark and notify":   {"notify": {"space"}},
	} {
		k := keys.Default()
		if err := k.Bind(pressed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", pressed, err)
		}
	}
}

func TestProductionIsUnmistakable(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.app.hand.Means.Production = "prod"
	d.See("PRODUCTION prod").Press("W").See("this is production", "type prod to confirm").Press("tab", "enter", "esc")
	if d.app.hand.Armed {
		t.Fatal("armed without typing the name")
	}
	d.Press("W").Type("prod").Press("enter", "enter").See("ARMED")
}
