package paint

import (
	"math"
	"strconv"
	"testing"
)

// Two palettes that terminals have: xterm's own, and that of VGA's text mode, which Windows' console, PuTTY and the Linux
// console come with.
var terminals = map[string][16]uint32{
	"xterm": {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	"VGA":   {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff},
}

// luminance is the relative luminance of WCAG 2.
func luminance(rgb uint32) float64 {
	part := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Whatever has a colour of its own can be read, on both palettes: 4.5 to 1 is what WCAG asks of text.
func TestEveryColourCanBeRead(t *testing.T) {
	paper := [grounds]uint32{Dark: 0x000000, Light: 0xffffff, SafeDark: 0x000000, SafeLight: 0xffffff}
	for name, colours := range terminals {
		for style, all := range palette {
			for on, l := range all {
				if l.text == "" {
					continue
				}
				of := func(s string) uint32 { n, _ := strconv.Atoi(s); return colours[n] }
				back := paper[on]
				if l.ground != "" {
					back = of(l.ground)
				}
				ratio := contrast(of(l.text), back)
				t.Logf("%s, %s, style %d: %.1f", name, GroundNames[on], style, ratio)
				if ratio < 4.5 {
					t.Errorf("%s, %s, style %d: %.1f", name, GroundNames[on], style, ratio)
				}
			}
		}
	}
}

// Where red and green look alike, what is wrong and what is well still differ by how light they are, or by being bold.
func TestSafeColoursDoNotRestOnRedAndGreen(t *testing.T) {
	for _, on := range []Ground{SafeDark, SafeLight} {
		alert, warn, good := palette[Alert][on], palette[Warn][on], palette[Good][on]
		for _, l := range []look{alert, warn, good} {
			if l.text == "2" || l.text == "10" || on == SafeDark && (l.text == "1" || l.text == "9") {
				t.Errorf("%s uses colour %s", GroundNames[on], l.text)
			}
		}
		if alert == good || warn == good || alert == warn {
			t.Errorf("%s: two styles look the same", GroundNames[on])
		}
	}
}
