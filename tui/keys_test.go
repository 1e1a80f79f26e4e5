package tui

import (
	"os"
	"path/filepath"
	"testing"

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
}

func TestProductionIsUnmistakable(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.app.hand.Means.Production = "prod"
	d.See("prod [PRODUCTION]").Press("W").See("this is production", "type prod").Press("tab", "enter", "esc")
	if d.app.hand.Armed {
		t.Fatal("armed without typing the name")
	}
	d.Press("W").Type("prod").Press("enter").See("ARMED")
}
