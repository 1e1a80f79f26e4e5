package tui

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// View draws the whole screen: exactly as many lines as the terminal has, none wider.
func (a *App) View() string { return term.Frame(a.frame()) }

func (a *App) frame() string {
	s := a.size
	switch {
	case s.W == 0 || s.H == 0:
		return ""
	case s.TooSmall:
		return a.tooSmall()
	case a.mode == reading:
		return a.sheetScreen()
	}
	rows := a.screen()
	switch a.mode {
	case asking:
		rows = a.dialog.overlay(&a.theme, rows, s.W)
	case filling:
		if f := a.form; f.says != nil {
			f.told = f.says(a, f.values())
		}
		rows = a.form.overlay(&a.theme, rows, s.W)
	case choosing:
		rows = a.menu.overlay(&a.theme, rows, s.W)
	}
	return strings.Join(rows, "\n")
}

// pageRect is where a page's lines are drawn.
func (a *App) pageRect() Rect { return Rect{1, 2, a.size.W - 2, a.size.H - 4} }

func (a *App) pageScreen(c *canvas, p *page) []string {
	t, r := &a.theme, a.pageRect()
	c.rule(t.TopLeft, t.TopRight, ruleTitle{text: p.view.title(a, p), note: a.tabs(p), style: Bold})
	c.area(p.lines(a, r.W, r.H), r.W, r.H)
	c.rule(t.BottomLeft, t.BottomRight, ruleTitle{})
	c.add(a.keyBar())
	return c.rows
}

// tabs names the views and their keys.
func (a *App) tabs(p *page) string {
	var b strings.Builder
	for _, v := range a.views {
		if v.key != "" && v != p.view {
			b.WriteString(" " + v.key + " " + v.name)
		}
	}
	return b.String()
}

func (a *App) tooSmall() string {
	c := newCanvas(&a.theme, a.size.W, a.size.H)
	c.add(plain(fmt.Sprintf("terminal too small (need %dx%d)", minW, minH)))
	for len(c.rows) < a.size.H {
		c.add(nil)
	}
	return strings.Join(c.rows, "\n")
}

// layout is where everything stands now: where the panel stands below the list, the one that has the focus gets
// all the room when it is the claims.
func (a *App) layout() Layout {
	s := a.size
	if s.Stacked && a.focus == onClaims {
		s.Stacked, s.Single = false, true
		s.Panel = Rect{1, 2, s.W - 2, s.List.H + 1 + s.Panel.H}
	}
	return s
}

func (a *App) screen() []string {
	t, s := &a.theme, a.layout()
	c := newCanvas(t, s.W, s.H)
	c.add(a.titleBar())
	if p := a.page(); p != nil {
		return a.pageScreen(c, p)
	}
	list, panel := a.listTitle(), a.panelTitle()
	switch {
	case s.Single && a.focus == onClaims:
		c.rule(t.TopLeft, t.TopRight, panel)
		c.area(a.panelArea(), s.Panel.W, s.Panel.H)
	case s.Single:
		c.rule(t.TopLeft, t.TopRight, list)
		c.area(a.listArea(), s.List.W, s.List.H)
	case s.Stacked:
		c.rule(t.TopLeft, t.TopRight, list)
		c.area(a.listArea(), s.List.W, s.List.H)
		c.rule(t.TeeRight, t.TeeLeft, panel)
		c.area(a.panelArea(), s.Panel.W, s.Panel.H)
	default:
		list.w, list.join = s.List.W, t.TeeDown
		c.rule(t.TopLeft, t.TopRight, list, panel)
		c.areas(a.listArea(), s.List.W, a.panelArea(), s.Panel.W, s.List.H)
	}
	a.bottom(c)
	return c.rows
}

// bottom draws what stands below the panes: the events where there is room, the lower border, the keys.
func (a *App) bottom(c *canvas) {
	t, s := &a.theme, a.layout()
	between := ruleTitle{w: s.List.W, join: t.TeeUp} // where the border between the panes ends
	foot := []ruleTitle{{}}
	if s.W >= sideBySide {
		foot = []ruleTitle{between, {}}
	}
	if s.Events.H > 0 {
		foot[0].text, foot[0].style = "events", Bold
		if a.paused {
			foot[0].text = "events, going on"
		}
		if a.filter.text != "" {
			foot[0].text += " with " + term.Safe(a.filter.text)
		}
		c.rule(t.TeeRight, t.TeeLeft, foot...)
		c.area(a.eventLines(s.Events.H), s.Events.W, s.Events.H)
		foot = []ruleTitle{{}}
	}
	c.rule(t.BottomLeft, t.BottomRight, foot...)
	c.add(a.keyBar())
}

func (a *App) listTitle() ruleTitle {
	high, medium := 0, 0
	for i := range a.list.rows {
		switch f := a.list.rows[i].finding; {
		case f == nil || a.list.rows[i].late != nil:
		case f.Severity == model.High:
			high++
		case f.Severity == model.Medium:
			medium++
		}
	}
	text := number(a.list.recipes) + " recipes"
	if a.list.recipes == 1 {
		text = "1 recipe"
	}
	if a.order != byPath || a.reverse {
		text += " by " + orderNames[a.order]
		if a.reverse {
			text += ", reversed"
		}
	}
	style := Plain
	if a.focus == onList {
		style = Bold
	}
	if told := weighed(high, medium); told != "" {
		text += " " + a.theme.Dot + " " + told
	}
	return ruleTitle{text: text, style: style}
}

func (a *App) panelTitle() ruleTitle {
	m := a.model()
	if gone := a.goneModel(); gone != nil {
		return ruleTitle{text: term.Safe(gone.Path), note: a.goneWord(), style: Plain}
	}
	if m == nil {
		return ruleTitle{}
	}
	style := Plain
	if a.focus == onClaims {
		style = Bold
	}
	note := fmt.Sprintf("%s %s %s", m.Kind, a.theme.Dot, m.Dialect)
	if m.Confidence < 0.7 {
		note += fmt.Sprintf(" (%.0f%% sure)", m.Confidence*100)
	}
	return ruleTitle{text: term.Safe(m.Path), note: note, style: style}
}

func (a *App) listArea() []line {
	s := a.size.List
	if len(a.list.rows) == 0 {
		return a.nothing(s.W)
	}
	h := s.H
	if len(a.list.rows) > h {
		h-- // the last line says how many more there are
	}
	rows, first := a.list.window(h)
	out := make([]line, 0, len(rows)+1)
	for i := range rows {
		r := &rows[i]
		p := Panel{}
		if r.model != nil {
			p = a.panel(r.model.Kind)
		}
		l := a.theme.rowLine(r, p, a.rowSign(r), a.asOf(), s.W)
		if r.model != nil && a.fades.fresh(r, a.asOf()) {
			l = brightened(l)
		}
		if r.model != nil && len(a.marks) > 0 && a.markedIn(r.model) {
			l[0] = span{a.theme.Mark, Accent}
		}
		if first+i == a.list.at {
			l[0].text = a.theme.Cursor
			if a.focus == onList {
				l = a.theme.picked(l, s.W)
			}
		}
		out = append(out, l)
	}
	if rest := len(a.list.rows) - first - len(rows); rest > 0 || h < s.H {
		out = append(out, line{{fmt.Sprintf("  %s %s more below, %s above", a.theme.Ellipsis, number(rest), number(first)), Dim}})
	}
	return out
}

// nothing says what is known when there is no row to show.
func (a *App) nothing(w int) []line {
	snap := a.res.Snapshot
	say := func(style Style, text string) (out []line) {
		out = append(out, nil)
		for _, s := range term.Wrap(text, w-2, 0, "") {
			out = append(out, line{{" " + s, style}})
		}
		return out
	}
	switch {
	case a.link.Err != nil:
		return say(Alert, term.Safe(a.link.Err.Error()))
	case a.filter.text != "" && a.res.Models.Len() > 0:
		if a.filter.wrong != "" {
			return say(Warn, a.filter.wrong+"; esc clears it")
		}
		return say(Dim, "no recipe matches the filter; esc clears it")
	case !snap.LostSince.IsZero():
		return say(Warn, "not connected, and nothing was read before; trying on: "+term.Safe(a.link.Cause))
	case !snap.Complete && len(snap.Partial) == 0:
		return say(Dim, fmt.Sprintf("reading the tree: %s znodes so far", number(count(snap.Root))))
	}
	if len(snap.Partial) > 0 {
		return say(Warn, "no recipe found in what was read; not everything was: "+term.Safe(strings.Join(snap.Partial, "; ")))
	}
	return say(Dim, fmt.Sprintf("no recipe found among %s znodes below %s. An empty lock leaves nothing to see; it appears when somebody claims it.",
		number(count(snap.Root)), term.Safe(snap.Base)))
}

func count(n *znode.Node) int {
	total := 1
	for _, c := range n.Children {
		total += count(c)
	}
	return total
}

func (a *App) panelArea() []line {
	m, s := a.model(), a.layout().Panel
	if gone := a.goneModel(); gone != nil {
		return a.goneArea(gone, s.W)
	}
	if m == nil {
		return nil
	}
	a.claims.marked = func(id model.ClaimID) bool { return a.marked(m.Path, id) }
	pic := picture{Theme: &a.theme, m: m, now: a.asOf(), w: s.W, h: s.H, past: a.past.of(m.Path)}
	pic.ended = a.endedText()
	pic.spans = a.spanningOf(m)
	pic.remedies = a.remedies(pic.spans)
	if n := a.res.Snapshot.At(m.Path); n != nil {
		pic.data = n.Data
	}
	if a.claims.at < len(m.Claims) {
		pic.said = a.said(m, &m.Claims[a.claims.at])
	}
	return a.theme.panelLines(a.panel(m.Kind), pic, &a.claims, a.focus == onClaims && !a.claims.whole)
}

// said is the data of a claim's znode in one line; empty where it is shown elsewhere.
func (a *App) said(m *model.Model, c *model.Claim) string {
	n := a.res.Snapshot.At(c.Path())
	if n == nil || len(n.Data) == 0 || c.Path() == m.Path {
		return ""
	}
	text := strings.Join(readable(n.Data), " ")
	if text == term.Safe(c.Owner()) || text == voteWord(c) {
		return ""
	}
	return "data " + text
}

// eventLines shows the newest events, newest first.
func (a *App) eventLines(h int) []line {
	if len(a.log.events) == 0 {
		return []line{{{" nothing has changed since the console started", Dim}}}
	}
	out := make([]line, 0, h)
	for i := len(a.log.events) - 1; i >= 0 && len(out) < h; i-- {
		e := &a.log.events[i].Event
		if !a.filter.keepsEvent(e) {
			continue
		}
		style := Plain
		if strings.HasPrefix(e.Text, "you: ") {
			style = Bold
		} else if e.What == story.EventAlarm {
			style = Alert
		}
		path := term.Safe(e.Path)
		width := max(16, min(32, a.size.Events.W/4))
		out = append(out, line{{" " + a.clock(e.At) + "  ", Dim}, {term.FitLeft(path, width, a.theme.Ellipsis) + "  ", Plain}, {term.Safe(e.Told(a.clock)), style}})
	}
	if len(out) == 0 {
		return []line{{{" nothing has changed in what the filter keeps", Dim}}}
	}
	return out
}
