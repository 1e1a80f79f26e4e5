package tui

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// bar draws part of whole as w cells. Something is never drawn as nothing, and not yet all never as all.
func (t *Theme) bar(part, whole, w int) string {
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

// spark draws values as a line of bars, the newest at the right, at most w of them. The scale begins at zero.
func (t *Theme) spark(values []int, w int) string {
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

// row begins a drawing's line with what the line is about.
func (p picture) row(label string, spans ...span) line {
	const w = 9
	return append(line{{" " + term.Fit(label, w, p.Ellipsis) + " ", Dim}}, spans...)
}

// names joins the owners of claims, as many as fit in w cells; how many more there are is said.
func (t *Theme) names(claims []model.Claim, between string, w int) string {
	text := ""
	for i := range claims {
		name := shortOwner(&claims[i])
		if claims[i].Mine {
			name = "you"
		}
		if i > 0 {
			name = between + name
		}
		more := ""
		if rest := len(claims) - i - 1; rest > 0 {
			more = between + "+" + number(rest)
		}
		if i > 0 && term.Width(text)+term.Width(name)+term.Width(more) > w {
			return text + between + "+" + number(len(claims)-i)
		}
		text += name
	}
	return text
}

// holding counts the claims at the head of the line that hold.
func holding(m *model.Model) (n int) {
	for n < len(m.Claims) && holdsRole(m.Claims[n].Role()) {
		n++
	}
	return n
}

// chain draws a line of claims as one waiting behind the other.
func (p picture) chain(label string) []line {
	n := holding(p.m)
	if n == 0 || len(p.m.Claims) < 2 {
		return nil
	}
	held := p.names(p.m.Claims[:n], " "+p.Dot+" ", p.w-12)
	out := p.row(label, span{held, Good})
	arrow := " " + p.Behind + " "
	if rest := p.w - 12 - term.Width(held) - term.Width(arrow); rest > 8 && n < len(p.m.Claims) {
		out = append(out, span{arrow + p.names(p.m.Claims[n:], arrow, rest), Plain})
	}
	return []line{out}
}

// phases draws the steps that a recipe goes through, the present one in bold.
func (p picture) phases(now string, all ...string) []span {
	var out []span
	for i, s := range all {
		if i > 0 {
			out = append(out, span{" " + p.Arrow + " ", Dim})
		}
		style := Dim
		if s == now {
			style = Bold
		}
		out = append(out, span{s, style})
	}
	return out
}
