package say_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/say"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"web-1":                           "web-1",
		"锁-0000000001":                    "锁-0000000001",
		"Ünïcödé Ωλ":                      "Ünïcödé Ωλ",
		"\x1b]52;c;b3duZWQ=\x07":          `\x1b]52;c;b3duZWQ=\x07`,
		"\x1b]0;x\x07":                    `\x1b]0;x\x07`,
		"\x1b]8;;http://x\x1b\\":          `\x1b]8;;http://x\x1b\`,
		"host-b\x1b[1A\x1b[2K HOLDER":     `host-b\x1b[1A\x1b[2K HOLDER`,
		"evil\rhost-a":                    `evil\rhost-a`,
		"\x9b31m":                         `\x9b31m`,
		"\u009b31m":                       `\u009b31m`,
		"\u0085":                          `\u0085`,
		"\x7f":                            `\x7f`,
		"A\x00B":                          `A\x00B`,
		"a\nb\tc\x0bd\x0ce\r\nf":          `a\nb\tc\x0bd\x0ce\r\nf`,
		"\xff\xfe":                        `\xff\xfe`,
		"\xc3":                            `\xc3`,
		"\xc0\xaf":                        `\xc0\xaf`,
		"\xed\xa0\x80":                    `\xed\xa0\x80`,
		"\u202eabc\u2066":                 `\u202eabc\u2066`,
		"\u061c\u200e\u200f":              `\u061c\u200e\u200f`,
		"a\u200bb":                        `a\u200bb`,
		"a\u200c\u200d\u2060":             `a\u200c\u200d\u2060`,
		"\ufeffx":                         `\ufeffx`,
		"a\u2028b\u2029":                  `a\u2028b\u2029`,
		"a\u00a0b\u3000":                  `a\u00a0b\u3000`,
		"\u00ad\u115f\u3164\u2800":        `\u00ad\u115f\u3164\u2800`,
		"\ue000\U000f0000":                `\ue000\U000f0000`,
		"\U000e0041":                      `\U000e0041`,
		"\u0378":                          `\u0378`, // unassigned
		"⚡\ufe0f👩\u200d🔬":                 `⚡\ufe0f👩\u200d🔬`,
		"cafe\u0301":                      "cafe\u0301",
		"\u0301x":                         `\u0301x`,
		"e" + strings.Repeat("\u0301", 6): "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`,
		"[red]x[-] %s %!d {{.Name}} \\n":  "[red]x[-] %s %!d {{.Name}} \\n",
		"a%2Fb":                           "a%2Fb",
		"\ufffd":                          "\ufffd",
	} {
		if got := say.Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Whatever goes in, what comes out is valid, holds nothing that acts on a terminal, is stable, and tells
// different texts apart unless one of them spells an escape out.
func TestPrintableProperties(t *testing.T) {
	anything := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()),
		func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		a, b := anything.Draw(t, "a"), anything.Draw(t, "b")
		p := say.Printable(a)
		checkPrintable(t, a)
		if a != b && !strings.Contains(a+b, `\`) && p == say.Printable(b) {
			t.Fatalf("%q and %q are both %q", a, b, p)
		}
	})
}

func checkPrintable(t interface{ Fatalf(string, ...any) }, in string) {
	p := say.Printable(in)
	if !utf8.ValidString(p) {
		t.Fatalf("%q: invalid %q", in, p)
	}
	for _, r := range p {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) ||
			r == 0x2028 || r == 0x2029 {
			t.Fatalf("%q: %U in %q", in, r, p)
		}
	}
	if say.Printable(p) != p {
		t.Fatalf("%q: %q is escaped again", in, p)
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[2J\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) { checkPrintable(t, s) })
}

func TestPrintablePlainDoesNotAllocate(t *testing.T) {
	s := strings.Repeat("web-1 ", 10)
	if n := testing.AllocsPerRun(100, func() { say.Printable(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
