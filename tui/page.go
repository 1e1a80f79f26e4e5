package tui

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// page is a view over the whole screen: lines that scroll, some of which can be selected.
type page struct {
	view   *view
	arg    string // what it is about: a session, a path; empty where there is one of its kind only
	items  []item
	sel    string // the selected item, by identity
	at     int    // its index; -1: nothing can be selected
	top    int
	filter filter
	hex    bool // data is shown in hexadecimal
	tail   bool // the selection stays with the newest

	known map[string]time.Time // when each line came; zero: it was there from the start
	last  []item               // as they were filled last
	gone  []goneItem
}

// item is one line of a page. One without an id is a heading or a text.
type item struct {
	id   string
	draw func(t *Theme, now time.Time, w int) line
	text string // what the filter looks at
	to   target
	late bool // it is gone
	past bool // it tells what was: no key acts on whoever is there now

	finding *model.Finding // that it tells of, or nil
	quiet   bool           // that it leaves the page is no news: what it tells of is still there
}

// target is what a line is about, and where it leads.
type target struct {
	recipe  string
	claim   model.ClaimID
	session znode.SessionID
	znode   string
	view    string // a view to open
	arg     string // and what about
}

// view is a kind of page.
type view struct {
	name  string // as it is called in a command
	key   string // that opens it; empty: none
	what  string // one line for the help
	title func(a *App, p *page) string
	fill  func(a *App, p *page) []item
	empty func(a *App, p *page) string
	fades bool                                 // lines that come and go stand out for a moment
	open  func(a *App, p *page, it *item) bool // what enter does instead of following the target
}

// say makes a line that cannot be selected.
func tell(s Style, text string) item {
	return item{draw: func(t *Theme, _ time.Time, w int) line { return line{{" " + text, s}} }, text: text}
}

// paragraphs makes lines of a text that is wrapped to w cells.
func paragraphs(s Style, text string, w int) (out []item) {
	for _, l := range term.Wrap(text, w-2, 0, "") {
		out = append(out, tell(s, l))
	}
	return out
}

// refill makes the page's lines anew; the selection stays with what it was on.
func (p *page) refill(a *App) {
	all := p.news(p.view.fill(a, p), a.asOf())
	p.items = all[:0:0]
	for _, it := range all {
		if it.id == "" && !it.late && len(p.filter.terms) == 0 || (it.id != "" || it.late) && p.filter.keeps(func(m func(string) bool) bool { return m(it.text) }) {
			p.items = append(p.items, it)
		}
	}
	if p.tail {
		p.sel = ""
		p.settle(0, 1)
		return
	}
	for i := range p.items {
		if p.items[i].id == p.sel && p.sel != "" {
			p.at = i
			return
		}
	}
	p.settle(max(0, p.at), 1)
}

// settle selects the item at or nearest to index i, looking in direction step first.
func (p *page) settle(i, step int) {
	i = max(0, min(i, len(p.items)-1))
	for _, s := range []int{step, -step} {
		for j := i; j >= 0 && j < len(p.items); j += s {
			if p.items[j].id != "" {
				p.at, p.sel = j, p.items[j].id
				return
			}
		}
	}
	p.at, p.sel = -1, ""
}

// move shifts the selection by n lines; where nothing can be selected it scrolls.
func (p *page) move(n, h int) {
	if p.tail = false; p.at < 0 {
		p.top = max(0, min(p.top+n, len(p.items)-h))
		return
	}
	step := 1
	if n < 0 {
		step = -1
	}
	p.settle(p.at+n, step)
	if p.at == 0 || step < 0 && p.at <= p.top { // the headings above the first line come into sight with it
		for p.top = p.at; p.top > 0 && p.items[p.top-1].id == ""; p.top-- {
		}
	}
}

// current returns the selected item, or nil.
func (p *page) current() *item {
	if p.at < 0 || p.at >= len(p.items) {
		return nil
	}
	return &p.items[p.at]
}

// lines draws the page in w×h cells.
func (p *page) lines(a *App, w, h int) []line {
	if len(p.items) == 0 {
		text := "no line matches the filter; esc clears it"
		if len(p.filter.terms) == 0 && p.view.empty != nil {
			text = p.view.empty(a, p)
		}
		out := []line{nil}
		for _, it := range paragraphs(Dim, text, w) {
			out = append(out, it.draw(&a.theme, a.asOf(), w))
		}
		return out
	}
	room := h
	if len(p.items) > h {
		room--
	}
	p.top = scroll(p.top, p.at, len(p.items), room)
	out := make([]line, 0, h)
	for i := p.top; i < min(len(p.items), p.top+room); i++ {
		l := p.items[i].draw(&a.theme, a.asOf(), w)
		if i == p.at {
			l = a.theme.picked(append(line{{a.theme.Cursor, Plain}}, trimLead(l)...), w)
		} else if a.markedItem(&p.items[i]) {
			l = append(line{{a.theme.Mark, Accent}}, trimLead(l)...)
		} else if p.fresh(p.items[i].id, a.asOf()) {
			l = brightened(append(line{{cameSign, Accent}}, trimLead(l)...))
		}
		out = append(out, l)
	}
	if rest := len(p.items) - p.top - room; room < h {
		out = append(out, line{{"  " + a.theme.Ellipsis + " " + number(max(0, rest)) + " more below, " + number(p.top) + " above", Dim}})
	}
	return out
}

// trimLead drops the first cell of a line, which is the cursor's.
func trimLead(l line) line {
	if len(l) == 0 || l[0].text == "" {
		return l
	}
	out := append(line(nil), l...)
	if out[0].text[0] == ' ' {
		out[0].text = out[0].text[1:]
	}
	return out
}

// cells joins columns: each a text, a width and a style. A width of zero takes what is left of w.
func (t *Theme) cells(w int, cols ...cell) line {
	fixed, flex := 1, 0
	for _, c := range cols {
		if fixed += c.w + 1; c.w == 0 {
			flex++
		}
	}
	rest := max(0, w-fixed)
	out := line{{" ", Plain}}
	for _, c := range cols {
		n := c.w
		if n == 0 {
			n = rest / max(1, flex)
		}
		text := term.Fit(c.text, n, t.Ellipsis)
		switch {
		case c.right:
			text = term.PadLeft(term.Cut(c.text, n, t.Ellipsis), n)
		case c.path:
			text = term.FitLeft(c.text, n, t.Ellipsis)
		}
		out = append(out, span{text + " ", c.style})
	}
	return out
}

// cell is one column of a line. Its text must have passed through term.Safe.
type cell struct {
	text  string
	w     int
	style Style
	right bool // aligned to the right
	path  bool // cut at the left
}
