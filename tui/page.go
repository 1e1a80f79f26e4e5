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
	filled bool // it has had its first lines
	view   *view
	arg    string                    // what it is about: a session, a path; empty where there is one of its kind only
	list   widget.List[string, item] // loose: the selection stays with the newest
	filter widget.Filter
	hex    bool // data is shown in hexadecimal
}

// item is one line of a page. One without an id is a heading or a text.
type item struct {
	id   string
	draw func(t *paint.Theme, now time.Time, w int) paint.Line
	text string // what the filter looks at
	to   target
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

// goneItem is a line of a page that went away.
type goneItem = widget.Gone[string, item]

func newPage(a *App, v *view, arg string) *page {
	p := &page{app: a, view: v, arg: arg, list: widget.NewList[string, item](func(it *item) (string, bool) { return it.id, it.id != "" })}
	p.list.Hold = true
	return p
}

// refill makes the page's lines anew; the selection stays with what it was on.
func (p *page) refill() {
	a := p.app
	now, all := a.asOf(), p.view.fill(a, p)
	if p.view.fades {
		p.list.News(all, func(it *item) bool { return it.quiet }, now)
	}
	p.list.Expire(now)
	p.list.Fill(all, p.keep(), now)
	p.filled = true
}

// keep says which lines the filter keeps; nil: all.
func (p *page) keep() func(*item) bool {
	if p.filter.Empty() {
		return nil
	}
	return func(it *item) bool {
		return it.id != "" && p.filter.Keeps(func(m func(string) bool) bool { return m(it.text) })
	}
}

// current returns the selected item, whether it is there or gone, or nil.
func (p *page) current() *item {
	it, _ := p.list.Current()
	return it
}

// lost reports whether the selected line is gone.
func (p *page) lost() bool {
	_, gone := p.list.Current()
	return gone != nil
}

// lines draws the page in w×h cells.
func (p *page) lines(w, h int) []paint.Line {
	a := p.app
	if p.list.Len() == 0 {
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
	return p.list.Draw(widget.Look[string, item]{Theme: &a.theme, Now: a.asOf(), Focus: true, Signs: true, Both: true, Marked: a.markedItem,
		Row: func(it *item, gone *goneItem, _ bool) paint.Line {
			if gone != nil { // its ages stand still
				return paint.Dimmed(append(paint.Line{paint.Dim.Text(widget.GoneSign)}, paint.TrimLead(it.draw(&a.theme, gone.At, w))...))
			}
			return it.draw(&a.theme, a.asOf(), w)
		}}, w, h)
}

// count is how many lines the page has, without those that are gone.
func (p *page) count() int { return len(p.list.Rows()) }
