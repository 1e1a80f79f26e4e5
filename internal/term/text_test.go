package term

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCutAndFit(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{Cut("abcdef", 4, "…"), "abc…"},
		{Cut("abc", 4, "…"), "abc"},
		{Cut("锁锁锁", 4, "…"), "锁…"},
		{CutLeft("/locks/orders", 8, "…"), "…/orders"},
		{Fit("ab", 4, "…"), "ab  "},
		{PadLeft("7", 3), "  7"},
		{Cut("abc", 0, "…"), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Safe(rapid.String().Draw(t, "s"))
		w := rapid.IntRange(0, 60).Draw(t, "w")
		for _, got := range []string{Fit(s, w, "…"), FitLeft(s, w, "…")} {
			if Width(got) != w {
				t.Fatalf("%q takes %d cells, not %d", got, Width(got), w)
			}
		}
	})
}

func TestWrapKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-z ]{0,80}`).Draw(t, "s")
		w := rapid.IntRange(1, 30).Draw(t, "w")
		lines := Wrap(s, w, 0, "…")
		for _, l := range lines {
			if Width(l) > w {
				t.Fatalf("%q is wider than %d", l, w)
			}
		}
		if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(s, " ", ""); got != want {
			t.Fatalf("lost letters: %q became %q", want, got)
		}
	})
	if got := Wrap("one two three four", 9, 1, "…"); len(got) != 1 || got[0] != "one two…" {
		t.Errorf("%q", got)
	}
}

func TestWantsASCII(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LC_ALL": "C.UTF-8"}, false},
		{map[string]string{"TERM": "dumb", "LANG": "en_US.UTF-8"}, true},
		{nil, false},
	} {
		if got := WantsASCII(env(c.env)); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}

// A word of a megabyte is broken into lines in one pass: in as many as it has cells for.
func TestWrapALongWord(t *testing.T) {
	for _, x := range []struct {
		letter string
		cells  int
	}{{"x", 1}, {"é", 1}, {"e\u0301", 1}, {"世", 2}} {
		const n = 300_000
		lines := Wrap("a "+strings.Repeat(x.letter, n), 60, 0, "…")
		if want := 1 + n*x.cells/60; len(lines) != want || lines[0] != "a" || strings.Join(lines[1:], "") != strings.Repeat(x.letter, n) {
			t.Errorf("%q: %d lines, want %d", x.letter, len(lines), want)
		}
		if few := Wrap(strings.Repeat(x.letter, n), 60, 2, "…"); len(few) != 2 || !strings.HasSuffix(few[1], "…") || Width(few[1]) > 60 {
			t.Errorf("%q: %q", x.letter, few)
		}
	}
}
