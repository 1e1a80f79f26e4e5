package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// page is a view over the whole screen: lines that scroll, some of which can be selected.
type page struct {
	app    *App
	closed bool
	view   *view
	arg    string // what it is about: a session, a path; empty where there is one of its kind only
	items  []item
	sel    string // the selected item, by identity
	at     int    // its index; -1: nothing can be selected
	top    int
	filter widget.Filter
	hex    bool // data is shown in hexadecimal
	tail   bool // the selection stays with the newest

	known map[string]time.Time // when each line came; zero: it was there from the start
	last  []item               // as they were filled last
	gone  []goneItem
}

// item is one line of a page. One without an id is a heading or a text.
type item struct {
	id   string
	draw func(t *paint.Theme, now time.Time, w int) paint.Line
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
func tell(s paint.Style, text string) item {
	return item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { return paint.Line{s.Text(" " + text)} }, text: text}
}

// paragraphs makes lines of a text that is wrapped to w cells.
func paragraphs(s paint.Style, text string, w int) (out []item) {
	for _, l := range term.Wrap(text, w-2, 0, "") {
		out = append(out, tell(s, l))
	}
	return out
}

// Key takes a key: first what is the same everywhere, then what moves in the page.
func (p *page) Key(msg tea.KeyMsg) tea.Cmd { return p.app.browseKey(msg) }

// Draw draws the page over the whole screen.
func (p *page) Draw(func() []string, int, int) []string { return p.app.pageScreen(p) }

// Done reports whether it was closed.
func (p *page) Done() bool { return p.closed }

// refill makes the page's lines anew; the selection stays with what it was on.
func (p *page) refill() {
	a := p.app
	all := p.news(p.view.fill(a, p), a.asOf())
	p.items = all[:0:0]
	for _, it := range all {
		if it.id == "" && !it.late && p.filter.Empty() || (it.id != "" || it.late) && p.filter.Keeps(func(m func(string) bool) bool { return m(it.text) }) {
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
func (p *page) lines(w, h int) []paint.Line {
	a := p.app
	if len(p.items) == 0 {
		text := "no line matches the filter; esc clears it"
		if p.filter.Empty() && p.view.empty != nil {
			text = p.view.empty(a, p)
		}
		out := []paint.Line{nil}
		for _, it := range paragraphs(paint.Dim, text, w) {
			out = append(out, it.draw(&a.theme, a.asOf(), w))
		}
		return out
	}
	room := h
	if len(p.items) > h {
		room--
	}
	p.top = paint.Scroll(p.top, p.at, len(p.items), room)
	out := make([]paint.Line, 0, h)
	for i := p.top; i < min(len(p.items), p.top+room); i++ {
		l := p.items[i].draw(&a.theme, a.asOf(), w)
		if i == p.at {
			l = a.theme.Picked(append(paint.Line{paint.Plain.Text(a.theme.Cursor)}, paint.TrimLead(l)...), w)
		} else if a.markedItem(&p.items[i]) {
			l = append(paint.Line{paint.Accent.Text(a.theme.Mark)}, paint.TrimLead(l)...)
		} else if p.fresh(p.items[i].id, a.asOf()) {
			l = paint.Brightened(append(paint.Line{paint.Accent.Text(cameSign)}, paint.TrimLead(l)...))
		}
		out = append(out, l)
	}
	if rest := len(p.items) - p.top - room; room < h {
		out = append(out, paint.Line{paint.Dim.Text("  " + a.theme.Ellipsis + " " + paint.Number(max(0, rest)) + " more below, " + paint.Number(p.top) + " above")})
	}
	return out
}
