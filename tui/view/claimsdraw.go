package view

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/widget"
)

// sight is how many of those who wait, and of those who hold, stay in sight however low the panel is.
const sight = 3

// claimsDraw is one drawing of the claims.
type claimsDraw struct {
	c      *Claims
	p      panel.Panel
	pen    chart.Pen
	sheet  panel.Sheet
	focus  bool
	marked func(model.ClaimID) bool
	out    []paint.Line

	held, ended int // lines of those who hold, and how many of these are gone
	rest        int // lines of the others
}

// Lines draws a recipe in an area of w×h cells: how it stands, what is wrong, who holds, who waits, then pictures of how that
// came about, and the selected claim. What is further down gives way; the holder and the first who wait never do.
func (c *Claims) Lines(p panel.Panel, pen chart.Pen, focus bool, marked func(model.ClaimID) bool) []paint.Line {
	pen.Twins, pen.Ages = &c.twins, &c.ages
	pen = pen.Ready()
	d := claimsDraw{c: c, p: p, pen: pen, sheet: panel.NewSheet(p, pen), focus: focus, marked: marked}
	d.count()
	least := d.least()
	d.head(pen.H - least)
	spare := pen.H - len(d.out) - least
	if spare > 2 && len(d.out) > 1 {
		d.out = append(d.out, nil)
		spare--
	}
	rows, blocks := d.share(spare)
	d.tables(rows)
	for i, b := range blocks {
		if i == 0 || d.airy() {
			d.out = append(d.out, nil)
		}
		d.out = append(d.out, b...)
	}
	d.bottom()
	return d.out
}

// RowText is a claim's row with all its columns, a tab between them.
func (c *Claims) RowText(p panel.Panel, pen chart.Pen, claim *model.Claim) string {
	pen.Twins, pen.Ages = &c.twins, &c.ages
	s := panel.NewSheet(p, pen.Ready())
	return s.Row(claim).Fields()
}

// count counts the lines of the two tables.
func (d *claimsDraw) count() {
	l := &d.c.List
	d.held = l.Head()
	d.rest = l.Len() - d.held
	for i := range d.held {
		if _, gone := l.Line(i); gone != nil {
			d.ended++
		}
	}
}

// heldMost is how many of those who hold are shown; those who are gone are not counted.
func (d *claimsDraw) heldMost() int { return min(d.held-d.ended, max(sight, d.pen.H/4)) }

// spared is how many lines are kept free for one who holds no more: what stands below does not move when somebody goes.
func (d *claimsDraw) spared() int {
	return paint.BoolInt(d.held > 0 && d.rest > 0 && d.pen.H >= 16)
}

// titled reports whether there is room for titles, and for those of both tables.
func (d *claimsDraw) titled() (any, both bool) {
	return d.pen.H > 6, d.pen.H > 9 && d.held > 0
}

// airy reports whether there is room for blank lines between pictures.
func (d *claimsDraw) airy() bool { return d.pen.H >= 24 }

// least is how many lines the tables take at least.
func (d *claimsDraw) least() int {
	any, both := d.titled()
	n := d.heldMost() + max(d.spared(), d.ended) + min(d.rest, sight) + paint.BoolInt(any) + paint.BoolInt(both && d.rest > 0)
	return max(1, min(n, d.pen.H-1))
}

// head draws how the recipe stands, and what was found about it.
func (d *claimsDraw) head(room int) {
	pen, t := d.pen, d.pen.Theme
	for _, s := range term.Wrap(term.Safe(pen.Model.Summary(pen.Now)), pen.W-1, 1+paint.BoolInt(pen.H >= 16), t.Ellipsis) {
		d.out = append(d.out, paint.Line{paint.Bold.Text(" " + s)})
	}
	found := pen.Findings(max(1, min(room-len(d.out), 1+pen.H/5, 6)))
	if len(found) > 0 && room < len(d.out)+len(found) { // of the two what is wrong tells more
		d.out = nil
	}
	d.out = append(d.out, found...)
}

// share divides the lines that are free: pictures first, as many as fit whole, then rows; rows first where the claims have
// the focus.
func (d *claimsDraw) share(spare int) (rows int, blocks [][]paint.Line) {
	more := max(0, d.rest-sight)
	if d.focus {
		rows = min(more, spare*2/3)
		spare -= rows
	}
	if d.p.Draw != nil {
		all := d.p.Draw(d.pen)
		for i, b := range all {
			blank := paint.BoolInt(len(blocks) == 0 || d.airy())
			if room := spare - blank; d.p.List && i == len(all)-1 && room > 2 {
				b = b[:min(len(b), room)]
			}
			if n := len(b) + blank; len(b) > 0 && n <= spare {
				blocks = append(blocks, b)
				spare -= n
			}
		}
	}
	if add := min(more-rows, spare); add > 0 {
		rows += add
		spare -= add
	}
	return rows, blocks
}

// tables draws those who hold, and so many more of the others than stay in sight.
func (d *claimsDraw) tables(more int) {
	c := d.c
	any, both := d.titled()
	if c.held, c.heldH, c.Height = 0, 0, 0; c.List.Len() == 0 {
		return // which the first line tells in the kind's own words
	}
	n := d.heldMost() + d.ended
	if n > 0 {
		switch {
		case any && !both && d.rest > 0:
			d.out = append(d.out, d.sheet.BothHead())
		case any:
			d.out = append(d.out, d.sheet.HeldHead())
		}
		lines := d.holders(n)
		c.held, c.heldH = len(d.out), len(lines)
		d.out = append(d.out, lines...)
		for i := d.ended; i < d.spared(); i++ {
			d.out = append(d.out, nil)
		}
	}
	if d.rest == 0 {
		return
	}
	if both || any && n == 0 {
		d.out = append(d.out, d.sheet.Head())
	}
	d.others(min(d.rest, max(sight, sight+more-max(0, d.ended-d.spared()))))
}

// holders draws those who hold in at most h lines.
func (d *claimsDraw) holders(h int) (out []paint.Line) {
	room := h
	if d.held > h && h > 1 {
		room--
	}
	var last widget.HeadLine
	for _, last = range d.c.List.DrawHead(d.look(), d.pen.W, room) {
		out = append(out, last.Line)
	}
	if room < h {
		out = append(out, paint.Line{paint.Dim.Text("   " + d.pen.Ellipsis + " " + paint.More(last.Alike, last.Above))})
	}
	return out
}

// others draws those who do not hold in h lines; of a queue that does not fit the last one too.
func (d *claimsDraw) others(h int) {
	c := d.c
	look := d.look()
	tail := d.rest > h && h > sight && d.pen.Model.Kind.Items()
	look.Bare = h <= sight // no row is given up to say how many more there are, then
	h -= paint.BoolInt(tail)
	c.table, c.Height = len(d.out), h
	rows := c.List.Draw(look, d.pen.W, h)
	if more := d.rest - h; look.Bare && more > 0 && h > 0 {
		rows[h-1] = paint.Noted(rows[h-1], d.pen.W, paint.Dim.Text("+"+paint.Number(more)+" more"), d.pen.Ellipsis)
	}
	d.out = append(d.out, rows...)
	if claims := d.pen.Model.Claims; tail {
		d.out = append(d.out, paint.Dimmed(d.sheet.Row(&claims[len(claims)-1])))
	}
}

// look is how claims are drawn.
func (d *claimsDraw) look() widget.Look[model.ClaimID, model.Claim] {
	return widget.Look[model.ClaimID, model.Claim]{Theme: d.pen.Theme, Now: d.pen.Now, Focus: d.focus || d.c.Lost() != nil,
		Marked: func(c *model.Claim) bool { return d.marked(c.ID()) },
		Row: func(r *model.Claim, gone *goneClaim, fresh bool) paint.Line {
			if gone != nil {
				return panel.Signed(d.sheet.Gone(r, gone.At, say.Age(d.pen.Now.Sub(gone.At))+" ago"), widget.GoneSign)
			}
			l := d.sheet.Row(r)
			if fresh {
				l = panel.Signed(l, widget.CameSign)
			}
			return l
		}}
}

// bottom draws the selected claim, and what does not belong, at the end of the panel as far as there is room.
func (d *claimsDraw) bottom() {
	room := d.pen.H - len(d.out) - 1
	var foreign []paint.Line
	if len(d.pen.Model.Foreign) > 0 && room > 0 {
		foreign = []paint.Line{chart.ForeignLine(d.pen.Theme, d.pen.Model.Foreign, d.pen.W)}
	}
	end := append(d.detail(room-len(foreign)), foreign...)
	for len(d.out)+len(end) < d.pen.H {
		d.out = append(d.out, nil)
	}
	d.out = append(d.out, end...)
}

// detail says about the selected claim what its row has no room for, in at most h lines.
func (d *claimsDraw) detail(h int) []paint.Line {
	t, c := d.pen.Theme, d.c.Selected(d.pen.Model)
	if c == nil || h < 3 {
		return nil
	}
	var out []paint.Line
	for _, text := range []string{chart.WhyText(t, c), term.CutMiddle(term.Safe(c.Node()), d.pen.W-4, t.Ellipsis), chart.ClaimFacts(d.pen.Model.Kind, c), d.pen.Said} {
		if text == "" {
			continue
		}
		for i, s := range term.Wrap(text, d.pen.W-3, 2, t.Ellipsis) {
			out = append(out, paint.Line{paint.Dim.Text(" " + paint.OnFirst(i, t.Dot) + term.Blank(1+i) + s)})
		}
	}
	return out[:min(len(out), h)]
}
