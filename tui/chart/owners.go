package chart

import (
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// ownersMost is how many of those who had it are listed.
const ownersMost = 5

// Owners lists who had it, the newest first; where it changes hands all the time, who has it how often.
func (p Pen) Owners(title, held string) []paint.Line {
	if p.W < wide || len(p.Past.Turns) < 2 {
		return nil
	}
	if p.Past.Hot(p.Now) {
		return p.shares()
	}
	third, last, tell := "WAITED", "UNTIL", p.turnTold
	if p.Model.Kind.Leads() {
		third, last, tell = "VACANT", "ELECTED", p.termTold
	}
	cols := []paint.Column{{W: 1}, {Title: title, Min: 12, Path: true}, {Title: held, W: 7, Right: true}, {Title: third, W: 7, Right: true, Rank: 2}, {Title: last, W: 8}, {Title: "ENDED BY", W: 15, Rank: 3}}
	leave := map[int]bool{3: third == "VACANT" && !p.Past.vacated(), 5: third != "VACANT" || !p.Past.ended()} // columns that nothing is in
	pick := func(i int) bool { return !leave[i] }
	g := p.Grid(p.W, those(cols, pick)...)
	out := []paint.Line{g.Head()}
	for i := len(p.Past.Turns) - 1; i >= 0 && len(out) <= ownersMost; i-- {
		t := &p.Past.Turns[i]
		if t.Name == "" || t.Name == readers {
			continue
		}
		between, when := tell(i)
		out = append(out, g.Row(those([]paint.Span{paint.Dim.Text(p.sign(p.letter(t))), paint.Plain.Text(term.Safe(t.Name)), paint.Plain.Text(p.heldText(i)),
			paint.Plain.Text(between), paint.Dim.Text(when), paint.Plain.Text(t.Ended)}, pick)...))
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// those are the elements of a list whose places are picked.
func those[T any](all []T, pick func(i int) bool) (out []T) {
	for i, x := range all {
		if pick(i) {
			out = append(out, x)
		}
	}
	return out
}

// ended reports whether it is known how a turn ended.
func (p *Past) ended() bool {
	return slices.ContainsFunc(p.Turns, func(t Turn) bool { return t.Ended != "" })
}

// turnTold is how long whoever had it had waited, and until when it was.
func (p Pen) turnTold(i int) (waited, until string) {
	if end := p.Past.end(i); !end.IsZero() {
		return p.waitedText(&p.Past.Turns[i]), p.ClockText(end)
	}
	return p.waitedText(&p.Past.Turns[i]), "now"
}

// termTold is for how long nobody led after a term, and when the term began.
func (p Pen) termTold(i int) (vacant, elected string) {
	if t := &p.Past.Turns[i]; !t.Unseen {
		return p.vacantAfter(i), p.ClockText(t.From)
	}
	return p.vacantAfter(i), "?"
}

// vacated reports whether nobody had it after somebody did.
func (p *Past) vacated() bool {
	for i := 1; i < len(p.Turns); i++ {
		if p.Turns[i].Name == "" {
			return true
		}
	}
	return false
}

// sign is the letter of somebody, where there is a strip that it stands in.
func (p Pen) sign(letter byte) string {
	if !p.Striped() {
		return ""
	}
	return string(letter)
}

// heldText is how long a turn lasted, as far as that was seen.
func (p Pen) heldText(i int) string {
	t, end := &p.Past.Turns[i], p.Past.end(i)
	sign := ""
	switch {
	case t.Unseen && !end.IsZero() && p.Past.Turns[i+1].Unseen:
		return "?"
	case end.IsZero():
		end = p.Now
	case p.Past.Turns[i+1].Unseen:
		sign = p.AtMost
	}
	if t.Unseen {
		sign = p.Spelled("≥")
	}
	return sign + say.Fine(end.Sub(t.From))
}

func (p Pen) waitedText(t *Turn) string {
	switch {
	case t.Unseen:
		return "?"
	case t.Waited == 0:
		return "-"
	}
	return say.Fine(t.Waited)
}

// vacantAfter is for how long nobody had it after a turn.
func (p Pen) vacantAfter(i int) string {
	if i+1 >= len(p.Past.Turns) || p.Past.Turns[i+1].Name != "" {
		return "-"
	}
	end := p.Past.end(i + 1)
	if end.IsZero() {
		end = p.Now
	}
	return say.Fine(end.Sub(p.Past.Turns[i+1].From))
}

// share is how often somebody had it.
type share struct {
	name   string
	letter byte
	held   []Lasted
	last   time.Time // when it was over; zero: it goes on
}

// shares lists who had it how often, who had it most first.
func (p Pen) shares() []paint.Line {
	of, all := map[string]*share{}, 0
	var list []*share
	for i := range p.Past.Turns {
		t := &p.Past.Turns[i]
		if t.Name == "" {
			continue
		}
		x := of[t.Name]
		if x == nil {
			x = &share{name: t.Name}
			of[t.Name], list = x, append(list, x)
		}
		all++
		end := p.Past.end(i)
		if x.letter, x.last = p.letter(t), end; !end.IsZero() {
			x.held = append(x.held, Lasted{For: end.Sub(t.From)})
		}
	}
	slices.SortStableFunc(list, func(a, b *share) int { return len(b.held) - len(a.held) })
	g := p.Grid(p.W, paint.Column{W: 1}, paint.Column{Title: "OWNERS, LAST " + say.Age(p.Now.Sub(p.Past.seen())), Min: 12, Path: true}, paint.Column{Title: "HOLDS", W: 6, Right: true, Rank: 1},
		paint.Column{Title: "SHARE", W: 5, Right: true}, paint.Column{Title: "p50", W: 6, Right: true}, paint.Column{Title: "p95", W: 6, Right: true, Rank: 2})
	out := []paint.Line{g.Head()}
	for _, x := range list[:min(len(list), ownersMost)] {
		n := len(x.held) + paint.BoolInt(x.last.IsZero())
		s := SpreadOf(x.held)
		out = append(out, g.Row(paint.Dim.Text(p.sign(x.letter)), paint.Plain.Text(term.Safe(x.name)), paint.Plain.Text(paint.Number(n)),
			paint.Plain.Text(fmt.Sprintf("%d%%", (100*n+all/2)/all)), paint.Plain.Text(say.Fine(s.p50)), paint.Plain.Text(say.Fine(s.P95))))
	}
	return out
}
