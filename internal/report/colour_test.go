package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Text is read on white, on a screen and in print: its contrast is 4.5 to 1 at least, and what is drawn has 3 to 1 in its
// filling or in its border.
func TestColoursAreReadable(t *testing.T) {
	text := regexp.MustCompile(`(?m)^(?:body|p\.|svg text).*?(?:[ ;]color|fill): (#[0-9a-f]{3,6})`).FindAllStringSubmatch(page, -1)
	if len(text) < 5 {
		t.Fatalf("found %q", text)
	}
	for _, m := range text {
		if c := contrast(t, m[1]); c < 4.5 {
			t.Errorf("%s: %.1f", m[0], c)
		}
	}
	for _, class := range []string{".wait", ".hold", ".unsure", ".nobody", "line.epoch", ".expired", ".asked"} {
		_, rule, found := strings.Cut(page, "\n"+class)
		rule, _, _ = strings.Cut(rule, "}")
		best := 0.0
		for _, c := range regexp.MustCompile(`#[0-9a-f]{3,6}`).FindAllString(rule, -1) {
			best = max(best, contrast(t, c))
		}
		if !found || best < 3 {
			t.Errorf("%s: %.1f", class, best)
		}
	}
}

// contrast is that of a colour on white.
func contrast(t *testing.T, colour string) float64 {
	t.Helper()
	hex := colour[1:]
	if len(hex) == 3 {
		hex = hex[:1] + hex[:1] + hex[1:2] + hex[1:2] + hex[2:] + hex[2:]
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	light := func(c uint64) float64 {
		if v := float64(c&255) / 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		} else {
			return v / 12.92
		}
	}
	return 1.05 / (0.2126*light(n>>16) + 0.7152*light(n>>8) + 0.0722*light(n) + 0.05)
}
