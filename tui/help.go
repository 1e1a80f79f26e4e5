package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// help shows every key, what does something here first, and what the signs mean.
func (a *App) help() {
	a.stack.Open(&a.host, &layer.Sheet{Title: "help: " + a.viewNow().Name, Lines: a.helpLines})
}

// chapter is a block of the help: a title, and rows of a key or a sign with its meaning.
type chapter struct {
	title string
	rows  [][2]paint.Span
}

func (c *chapter) add(style paint.Style, sign, means string) {
	c.rows = append(c.rows, [2]paint.Span{style.Text(sign), paint.Plain.Text(means)})
}

// helpLines draws the chapters in as many columns as there is room for.
func (a *App) helpLines(w int) []paint.Line {
	all := a.helpChapters()
	n := max(1, min(3, w/38))
	cols, total := make([][]paint.Line, n), 0
	drawn := make([][]paint.Line, len(all))
	for i := range all {
		drawn[i] = all[i].lines(w/n-2, a.shown.Theme.Ellipsis)
		total += len(drawn[i])
	}
	at := 0
	for i := range drawn {
		if at < n-1 && len(cols[at]) > 0 && len(cols[at])+len(drawn[i])/2 > total/n {
			at++
		}
		cols[at] = append(cols[at], drawn[i]...)
	}
	return beside(cols, w/n)
}

// beside puts columns side by side, each w cells wide.
func beside(cols [][]paint.Line, w int) (out []paint.Line) {
	for i := 0; ; i++ {
		var row paint.Line
		more := false
		for _, c := range cols {
			if i < len(c) {
				row, more = append(row, paint.Shortened(c[i], w, "")...), true
			} else {
				row = append(row, paint.Plain.Text(term.Blank(w)))
			}
		}
		if !more {
			return out
		}
		out = append(out, row)
	}
}

// lines draws a chapter in w cells.
func (c *chapter) lines(w int, ellipsis string) []paint.Line {
	signW := 9
	for _, r := range c.rows {
		if n := term.Width(r[0].Text) + 1; n <= max(9, w*2/5) {
			signW = max(signW, n)
		}
	}
	out := []paint.Line{{paint.Bold.Text(" " + c.title)}}
	for _, r := range c.rows {
		if term.Width(r[0].Text) >= signW { // it has a line to itself
			out = append(out, paint.Line{r[0].Style.Text(" " + term.Cut(r[0].Text, w-2, ellipsis))})
			r[0].Text = ""
		}
		for i, s := range term.Wrap(r[1].Text, w-signW-2, 0, "") {
			out = append(out, paint.Line{r[0].Style.Text(" " + term.Fit(paint.OnFirst(i, r[0].Text), signW, ellipsis)), paint.Plain.Text(s)})
		}
	}
	return append(out, nil)
}

// helpChapters are the keys worth pressing here, all keys, the views, the signs, and what can be typed.
func (a *App) helpChapters() []chapter {
	here := chapter{title: "HERE AND NOW"}
	first, rest := a.usefulKeys()
	for _, b := range append(first[:len(first):len(first)], rest...) {
		here.add(paint.Accent, b.Help().Key, keys.Word(b))
	}
	out := []chapter{here, a.helpSigns()} // on the first screen
	var later []chapter
	for _, s := range a.shown.Keys.Sections() {
		if s.Title == "replay" && a.player() == nil {
			later = append(later, keyChapter(s.Title, s.Keys))
			continue
		}
		out = append(out, keyChapter(s.Title, s.Keys))
	}
	views, commands := chapter{title: "VIEWS"}, chapter{title: "COMMANDS"}
	for _, v := range view.All {
		if v.Key != "" {
			views.add(paint.Accent, v.Key+" :"+v.Name, v.What)
		}
	}
	for _, c := range a.commands() {
		if v := view.Named(c.Name); !c.Short && (v == nil || v.Key == "") {
			commands.add(paint.Accent, strings.TrimSpace(":"+c.Name+" "+c.Arg), c.What)
		}
	}
	commands.add(paint.Accent, ":locks :queues", "only recipes of one kind; tab completes the others")
	out = append(out, a.ownHelp()...)
	return append(append(out, views, commands, keyChapter("type", widget.EditKeys())), later...)
}

func keyChapter(title string, all []key.Binding) chapter {
	c := chapter{title: strings.ToUpper(title)}
	for _, b := range all {
		c.add(paint.Accent, keys.Spelled(b.Keys()), b.Help().Desc)
	}
	return c
}

// helpSigns are the signs, each as it is drawn.
func (a *App) helpSigns() chapter {
	t := &a.shown.Theme
	c := chapter{title: "SIGNS"}
	for _, s := range []struct {
		style paint.Style
		sign  string
		means string
	}{
		{paint.Alert, t.Alert, "urgent: someone is stuck, or two may act at once"}, {paint.Warn, t.Warn, "warning: misleads, or fails later"}, {paint.Dim, t.Note, "a note"},
		{paint.Good, t.Seen, "seen: the waiter's session watches that claim"}, {paint.Dim, t.Likely, "likely: follows from the order; no server was asked, or not all answered"},
		{paint.Warn, t.Refuted, "every server says that it does not watch: a lost waiter"},
		{paint.Plain, t.Behind, "whoever is right of it waits for whoever is left"}, {paint.Plain, t.Each, "they wait for each other"},
		{paint.Plain, t.Arrow, "from one owner to the next"}, {paint.Plain, t.Times + "3 +2", "3 of this sort; and 2 more"}, {paint.Plain, t.SortUp + "2 " + t.SortDown + "1", "2 above, 1 below, not in sight"},
		{paint.Accent, widget.CameSign, "came a moment ago"}, {paint.Dim, widget.GoneSign, "gone; shown a moment longer, or while it is selected"},
		{paint.Accent, t.Cursor, "selected"}, {paint.Accent, t.Mark, "marked"}, {paint.Accent, t.Bell, "notification: the terminal rings when it is free, changes hands or is decided"},
		{paint.Plain, t.AtMost + "4m", "at most: it began unseen"}, {paint.Plain, t.Spelled("≥") + "4m", "at least: it was there when the console came"},
		{paint.Plain, t.SortDown + " " + t.SortUp, "the table is sorted by this column"}, {paint.Plain, t.SortOld, "sorted as it was when you asked; ctrl+l sorts by what is known now"},
		{paint.Plain, t.Ellipsis, "cut to fit"}, {paint.Plain, "- ?", "does not apply; not known"},
	} {
		c.add(s.style, s.sign, s.means)
	}
	return c
}
