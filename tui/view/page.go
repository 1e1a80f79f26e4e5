package view

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/widget"
)

// Page is a view over the whole screen: lines that scroll, some of which can be selected.
type Page struct {
	Press  func(tea.KeyMsg) tea.Cmd // takes its keys
	Screen func() []string          // draws it over the whole screen
	Closed bool
	filled bool // it has had its first lines
	shown  *Shown
	View   *View
	Arg    string                    // what it is about: a session, a path; empty where there is one of its kind only
	List   widget.List[string, Item] // loose: the selection stays with the newest
	Filter widget.Filter
	Times  Times                // of a history
	lanes  lanes                // of that
	seen   *chronicle.Chronicle // what was seen of its recipe, until the page is filled again
	Hex    bool                 // data is shown in hexadecimal
}

// Item is one line of a page. One without an id is a heading or a text.
type Item struct {
	ID   string
	draw func(t *paint.Theme, now time.Time, w int) paint.Line
	text string // what the filter looks at
	To   target
	Past bool // it tells what was: no key acts on whoever is there now

	Finding *model.Finding // that it tells of, or nil
	quiet   bool           // that it leaves the page is no news: what it tells of is still there
}

// target is what a line is about, and where it leads.
type target struct {
	Recipe  string
	Claim   model.ClaimID
	Session znode.SessionID
	Znode   string
	View    string // a view to open
	Arg     string // and what about
}

// View is a kind of page.
type View struct {
	Name  string // as it is called in a command
	Key   string // that opens it; empty: none
	What  string // one line for the help
	Title func(sh *Shown, p *Page) string
	Fill  func(sh *Shown, p *Page) []Item
	cols  func(p *Page, w int) []paint.Column // Optional; its columns on w cells
	empty func(sh *Shown, p *Page) string
	// Optional; what its lines can be sorted by: first the view's own order, then columns by their titles.
	orders []string
	fades  bool // lines that come and go stand out for a moment
}

// tell makes a line that cannot be selected.
func tell(s paint.Style, text string) Item {
	return Item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { return paint.Line{s.Text(" " + text)} }, text: text}
}

// paragraphs makes lines of a text that is wrapped to w cells.
func paragraphs(s paint.Style, text string, w int) (out []Item) {
	for _, l := range term.Wrap(text, w-2, 0, "") {
		out = append(out, tell(s, l))
	}
	return out
}

// Key takes a key.
func (p *Page) Key(msg tea.KeyMsg) tea.Cmd { return p.Press(msg) }

// Draw draws the page over the whole screen.
func (p *Page) Draw(func() []string, int, int) []string { return p.Screen() }

// Done reports whether it was closed.
func (p *Page) Done() bool { return p.Closed }

// goneItem is a line of a page that went away.
type goneItem = widget.Gone[string, Item]

// NewPage makes a page of a view; its keys and its screen are the application's.
func NewPage(sh *Shown, v *View, arg string) *Page {
	p := &Page{shown: sh, View: v, Arg: arg, List: widget.NewList[string, Item](func(it *Item) (string, bool) { return it.ID, it.ID != "" })}
	p.List.Hold = true
	return p
}

// Refill makes the page's lines anew; the selection stays with what it was on.
func (p *Page) Refill() {
	now, all := p.shown.AsOf(), p.View.Fill(p.shown, p)
	if p.View.fades {
		p.List.News(all, func(it *Item) bool { return it.quiet }, now)
	}
	p.List.Expire(now)
	p.List.Fill(all, p.keep(), now)
	p.filled = true
}

// keep says which lines the filter keeps; nil: all.
func (p *Page) keep() func(*Item) bool {
	if p.Filter.Empty() {
		return nil
	}
	return func(it *Item) bool {
		return it.ID != "" && p.Filter.Keeps(func(m func(string) bool) bool { return m(it.text) })
	}
}

// Current returns the selected item, whether it is there or gone, or nil.
func (p *Page) Current() *Item {
	it, _ := p.List.Current()
	return it
}

// Lost reports whether the selected line is gone.
func (p *Page) Lost() bool {
	_, gone := p.List.Current()
	return gone != nil
}

// Lines draws the page in w×h cells.
func (p *Page) Lines(w, h int, marked func(*Item) bool) []paint.Line {
	sh := p.shown
	if p.List.Len() == 0 {
		text := "no line matches the filter; esc clears it"
		if p.Filter.Empty() && p.View.empty != nil {
			text = p.View.empty(sh, p)
		}
		out := []paint.Line{nil}
		for _, it := range paragraphs(paint.Dim, text, w) {
			out = append(out, it.draw(&sh.Theme, sh.AsOf(), w))
		}
		return out
	}
	var head paint.Line
	if p.View.cols != nil {
		head = p.head(w)
	}
	return p.List.Draw(widget.Look[string, Item]{Head: head, Theme: &sh.Theme, Now: sh.AsOf(), Focus: true, Signs: true, Both: true, Marked: marked,
		Row: func(it *Item, gone *goneItem, _ bool) paint.Line {
			if gone != nil { // its ages stand still
				return paint.Dimmed(append(paint.Line{paint.Dim.Text(widget.GoneSign)}, paint.TrimLead(it.draw(&sh.Theme, gone.At, w))...))
			}
			return it.draw(&sh.Theme, sh.AsOf(), w)
		}}, w, h)
}

// RowText is the selected line w cells wide with all its columns, a tab between them; empty: there is none.
func (p *Page) RowText(w int) string {
	it := p.Current()
	if it == nil || it.draw == nil || p.Lost() {
		return ""
	}
	return it.draw(&p.shown.Theme, p.shown.AsOf(), w).Fields()
}

// Count is how many lines the page has, without those that are gone.
func (p *Page) Count() int { return len(p.List.Rows()) }

// Choose selects the line in a row of the page, if there is one.
func (p *Page) Choose(y int) {
	if p.View.cols != nil {
		y--
	}
	if y >= 0 && p.List.Choose(p.List.Top+y) {
		p.List.Loose = false
	}
}
