package tui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
)

// nasty are names and data that would act on a terminal, or bend its columns, if they reached it raw.
var nasty = []string{"evil\x1b]52;c;b3duZWQ=\x07", "\x1b[2J\x1b[1;1H", "a\rb", "a\nb\tc\x0bd\x0ce", "\x9b31m", "\u009b31m", "\u0085", "\x7f",
	"\xff\xfe\x00A", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁锁", "cafe\u0301", "a\u200bb", "⚡️👩‍🔬", "e" + strings.Repeat("\u0301", 40),
	"\ufeffx", "\u202eabc", "\u2066x\u2069", "مرحبا بالعالم", "[red]x[-] %s %!d(MISSING) {{.Name}}", strings.Repeat("x", 5000), " ", "", "\u2028", "\U000e0001"}

func hostileStage() *stage {
	s := newStage()
	for i, n := range nasty {
		dir := "/locks/" + strings.ReplaceAll(n, "/", "_") + "z"
		for j := range 3 {
			owner := znode.SessionID(0x10000a1b2c30000 + int64(j))
			s.add(fmt.Sprintf("%s/_c_0a1b2c3d-0000-4000-8000-00000000%04d-lock-%010d", dir, j, j), owner, time.Duration(i+j)*time.Minute, n)
		}
		s.add(dir+"/"+n+"foreign", 0, time.Hour, n)
	}
	s.link.Ensemble = nasty[0]
	return s
}

// sgr matches the sequences that styles are made of.
var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// squared fails unless a frame has exactly h lines, each exactly as wide as it should be, and no byte in it is
// a control byte other than those of our own styles.
func squared(t interface {
	Fatalf(string, ...any)
}, frame string, w, h int) {
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines on a screen of %d×%d", len(lines), w, h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("line %d takes %d cells on a screen of %d×%d: %q", i, n, w, h, l)
		}
		for _, b := range sgr.ReplaceAllString(l, "") {
			if b < 0x20 || b == 0x7f || b >= 0x80 && b < 0xa0 || b == 0xfffd || b >= 0x202a && b <= 0x202e || b == 0x200b || b == 0xfeff {
				t.Fatalf("line %d holds %U: %q", i, b, l)
			}
		}
	}
}

func TestEveryFrameIsSquare(t *testing.T) {
	stages := []*stage{town(), hostileStage(), newStage(), asked(city()), asked(hostileStage())}
	themes := []paint.Theme{paint.New(term.Unicode(), termenv.ANSI), paint.New(term.ASCII(), termenv.Ascii)}
	scripts := [][]string{{}, {"enter"}, {"enter", "G"}, {"?"}, {"/", "x"}, {"b"}, {"r"}, {"W"}, {"p"}, {"j", "j", "j", "enter", "b"},
		{"2"}, {"3"}, {"3", "G"}, {"4"}, {"4", "enter"}, {"5"}, {"6"}, {"7", "j", "enter"}, {"8"}, {"9"}, {"0"}, {"w"}, {"y"}, {"a"}, {":", "s"}, {"z"}, {"z", "x"}, {"e"},
		{"2", "j", "enter"}, {" ", "b"}, {"J"}, {"4", "/", "x"}}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(20, 250).Draw(rt, "w"), rapid.IntRange(5, 70).Draw(rt, "h")
		s := stages[rapid.IntRange(0, len(stages)-1).Draw(rt, "stage")]
		d := driveTheme(t, s, w, h, themes[rapid.IntRange(0, 1).Draw(rt, "theme")])
		defer d.app.Close()
		d.app.hand.Armed = rapid.Bool().Draw(rt, "armed")
		d.app.hand.Means.Joiner = &seats{}
		d.Press(scripts[rapid.IntRange(0, len(scripts)-1).Draw(rt, "script")]...)
		squared(rt, d.app.View(), w, h)
	})
}

func TestResizingNeverPanics(t *testing.T) {
	d := drive(t, hostileStage(), 80, 24)
	d.Press("enter", "b")
	for _, s := range [][2]int{{1, 1}, {0, 0}, {20, 5}, {200, 60}, {60, 12}, {96, 18}, {95, 17}} {
		d.app.Update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		if s[0] > 0 {
			squared(t, d.app.View(), s[0], s[1])
		}
	}
}

func TestTheHolderCannotBeForged(t *testing.T) {
	s := newStage()
	s.add("/locks/a/"+curator("1")+"lock-0000000001", sA, time.Minute, "host-a")
	s.add("/locks/a/"+curator("2")+"lock-0000000002", sB, time.Minute, "host-b\x1b[1A\x1b[2K HOLD host-b")
	d := drive(t, s, 240, 30)
	for _, l := range strings.Split(d.Text(), "\n") {
		if strings.Contains(l, "HOLD host-b") && !strings.Contains(l, `\x1b[1A`) {
			t.Errorf("a forged holder: %s", l)
		}
	}
	d.See("host-a 0001", `host-b\x1b[1A`)
}

// BenchmarkFrame draws a screen of 200×60 with 100,000 recipes listed.
func BenchmarkFrame(b *testing.B) {
	d := big(b)
	b.ReportAllocs()
	for b.Loop() {
		d.View()
	}
}

// BenchmarkMove presses a key and draws, as above.
func BenchmarkMove(b *testing.B) {
	d := big(b)
	b.ReportAllocs()
	for b.Loop() {
		d.Update(tea.KeyMsg{Type: tea.KeyDown})
		d.View()
	}
}

func big(b *testing.B) *App {
	b.Helper()
	s := newStage()
	for i := range 100_000 {
		s.add(fmt.Sprintf("/locks/l%06d/%slock-%010d", i, curator("1"), 1), sA, time.Minute, "web-1")
	}
	app := New(context.Background(), Options{Source: s, Operator: s, Theme: paint.New(term.Unicode(), termenv.ANSI), Recipes: []panel.Recipe{panel.Lock()}})
	b.Cleanup(app.Close)
	app.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	return app
}
