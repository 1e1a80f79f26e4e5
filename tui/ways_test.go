package tui

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
)

// Kinds and paths narrow the table, by the names that people type elsewhere, and :all undoes that.
func TestKindsAndPathsNarrowTheTable(t *testing.T) {
	d := drive(t, city(), 120, 40)
	type1 := func(command string) *driver { return d.Press(":").Type(command).Press("enter") }
	type1("elections").See("1 recipe of", "election scheduler").SeeNot("lock /locks/orders")
	if d.app.shown.Filter.Text != "=election" {
		t.Error(d.app.shown.Filter.Text)
	}
	type1("shared-locks").See("rwlock").SeeNot("election")
	type1("ns /locks").See("lock nightly batch-1", "lock orders web-1").SeeNot("election", "/rw")
	type1("ns locks").See("a path begins with /")
	d.Press("4")
	type1("queues").See("[1 Recipes]", "queue")
	type1("all").See("15 recipes").SeeNot("recipes of")
	type1("elektions").See("no command elektions, did you mean elections?")
}

// What stands at a path answers for it, what only begins like it does not.
func TestBelowAPath(t *testing.T) {
	s := lines(1, 2)
	s.add("/prod/locks2/"+curator("6")+"lock-0000000001", 0x130, time.Minute, "other")
	d := drive(t, s, 120, 40)
	d.Press(":").Type("ns /prod/locks/").Press("enter").See("2 recipes of 3").SeeNot("locks2")
	d.Press(":").Type("ns /prod/locks/l1").Press("enter").See("1 recipe of 3", "l1 app-1")
}

// A picture of the screen is written from wherever one is: what lies on it is in it, and nothing of it acts on a browser.
func TestAPictureOfTheScreen(t *testing.T) {
	s := town()
	s.add("/locks/<b>&/"+curator("3")+"lock-0000000001", sB, time.Minute, "<script>")
	d := drive(t, s, 120, 40)
	d.Press("b")
	_, cmd := d.app.Update(tea.KeyMsg{Type: tea.KeyCtrlP})
	d.run(cmd)
	d.See("wrote")
	files, err := filepath.Glob(filepath.Join(d.app.opts.SaveDir, "zkscope-*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v %v", files, err)
	}
	text, err := os.ReadFile(files[1])
	if err != nil || !strings.Contains(string(text), "which of these?") || strings.Contains(string(text), "\x1b") {
		t.Errorf("%v %s", err, text)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := ""
	for x := xml.NewDecoder(f); ; {
		tok, err := x.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if n := tok.Name.Local; n != "svg" && n != "rect" && n != "text" {
				t.Errorf("an element %s", n)
			}
		case xml.CharData:
			all += string(tok)
		}
	}
	if !strings.Contains(all, "<b>&") || !strings.Contains(all, "which of these?") {
		t.Errorf("not in it: %s", all)
	}
}

// A probe takes a place, lets go the moment that it is granted, and says how long that took.
func TestAProbeMeasuresTheWait(t *testing.T) {
	d, j := joining(t, town())
	d.Press("/").Type("nightly").Press("enter", ":").Type("probe").Press("enter").See("Probe /locks/nightly", "You let go the moment it is granted")
	d.Press("tab", "enter")
	if len(j.taken) != 1 || j.taken[0].want.Path != "/locks/nightly" || !strings.Contains(j.taken[0].want.Reason, "probe") {
		t.Fatalf("%+v", j.taken)
	}
	d.Wait(3 * time.Second)
	d.moves(j.taken[0], func(st *actions.JoinState) { st.Phase, st.Since = actions.JoinHolding, d.stage.now })
	d.See("probe of /locks/nightly: granted after 3s, and let go")
	d.Press("1", ":").Type("elections").Press("enter", ":").Type("probe").Press("enter").See("cannot probe an election")
}
