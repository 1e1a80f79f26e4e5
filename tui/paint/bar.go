package paint

import (
	"strings"
)

// Bar draws part of whole as w cells. Something is never drawn as nothing, and not yet all never as all.
func (t *Theme) Bar(part, whole, w int) string {
	if whole <= 0 || w <= 0 {
		return ""
	}
	part = max(0, min(part, whole))
	n := part * w / whole
	if n == 0 && part > 0 {
		n = 1
	}
	if n == w && part < whole {
		n = w - 1
	}
	return strings.Repeat(t.Full, n) + strings.Repeat(t.Gap, w-n)
}

// Spark draws values as a line of bars, the newest at the right, at most w of them. The scale begins at zero.
func (t *Theme) Spark(values []int, w int) string {
	values = values[max(0, len(values)-w):]
	most := 0
	for _, v := range values {
		most = max(most, v)
	}
	var b strings.Builder
	top := len(t.Levels) - 1
	for _, v := range values {
		level := 0
		if most > 0 && v > 0 {
			level = max(1, v*top/most)
		}
		b.WriteString(t.Levels[level])
	}
	return b.String()
}
