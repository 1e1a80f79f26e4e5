package chart

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// Row begins a drawing's line with what the line is about.
func (p Pen) Row(label string, spans ...paint.Span) paint.Line {
	const w = 9
	return append(paint.Line{paint.Dim.Text(" " + term.Fit(label, w, p.Ellipsis) + " ")}, spans...)
}

// names joins the owners of claims, as many as fit in w cells; how many more there are is said.
func names(t *paint.Theme, claims []model.Claim, between string, w int) string {
	text := ""
	for i := range claims {
		name := ShortOwner(&claims[i])
		if claims[i].Mine {
			name = "you"
		}
		if i > 0 {
			name = between + name
		}
		more := ""
		if rest := len(claims) - i - 1; rest > 0 {
			more = between + "+" + paint.Number(rest)
		}
		if i > 0 && term.Width(text)+term.Width(name)+term.Width(more) > w {
			return text + between + "+" + paint.Number(len(claims)-i)
		}
		text += name
	}
	return text
}

// Holding counts the claims at the head of the line that hold.
func Holding(m *model.Model) (n int) {
	for n < len(m.Claims) && HoldsRole(m.Claims[n].Role()) {
		n++
	}
	return n
}

// Chain draws a line of claims as one waiting behind the other.
func (p Pen) Chain(label string) []paint.Line {
	n := Holding(p.Model)
	if n == 0 || len(p.Model.Claims) < 2 {
		return nil
	}
	held := names(p.Theme, p.Model.Claims[:n], " "+p.Dot+" ", p.W-12)
	out := p.Row(label, paint.Good.Text(held))
	arrow := " " + p.Behind + " "
	if rest := p.W - 12 - term.Width(held) - term.Width(arrow); rest > 8 && n < len(p.Model.Claims) {
		out = append(out, paint.Plain.Text(arrow+names(p.Theme, p.Model.Claims[n:], arrow, rest)))
	}
	return []paint.Line{out}
}

// Phases draws the steps that a recipe goes through, the present one in bold.
func (p Pen) Phases(now string, all ...string) []paint.Span {
	var out []paint.Span
	for i, s := range all {
		if i > 0 {
			out = append(out, paint.Dim.Text(" "+p.Arrow+" "))
		}
		style := paint.Dim
		if s == now {
			style = paint.Bold
		}
		out = append(out, style.Text(s))
	}
	return out
}
