package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// help shows every key that does something in the present view.
func (a *App) help() {
	a.stack.Open(&a.host, &layer.Sheet{Title: "keys", Lines: a.helpLines})
}

func (a *App) helpLines(w int) []paint.Line {
	t := &a.shown.Theme
	var out []paint.Line
	row := func(keys, what string) {
		out = append(out, paint.Line{paint.Accent.Text("    " + term.Pad(keys, 16)), paint.Plain.Text(term.Cut(what, w-20, t.Ellipsis))})
	}
	for _, s := range a.shown.Keys.Sections() {
		out = append(out, paint.Line{paint.Bold.Text("  " + s.Title)})
		for _, b := range s.Keys {
			row(keys.Spelled(b.Keys()), b.Help().Desc)
		}
		out = append(out, nil)
	}
	out = append(out, paint.Line{paint.Bold.Text("  type")})
	for _, b := range widget.EditKeys() {
		row(b.Help().Key, b.Help().Desc)
	}
	out = append(out, nil, paint.Line{paint.Bold.Text("  views")})
	for _, v := range view.All {
		if v.Key != "" {
			row(v.Key+"  :"+v.Name, v.What)
		}
	}
	out = append(out, nil, paint.Line{paint.Bold.Text("  commands")})
	for _, c := range a.commands() {
		if v := view.Named(c.Name); v == nil || v.Key == "" {
			row(":"+c.Name+" "+c.Arg, c.What)
		}
	}
	return append(out, a.marksHelp()...)
}

func (a *App) marksHelp() []paint.Line {
	t := &a.shown.Theme
	return []paint.Line{nil, {paint.Bold.Text("  marks")},
		paint.PlainLine(fmt.Sprintf("    behind 0004 %s   its session is seen watching that claim", t.Seen)),
		paint.PlainLine(fmt.Sprintf("    behind 0004 %s   it should be waiting; nobody could be asked", t.Likely)),
		paint.PlainLine(fmt.Sprintf("    behind 0004 %s   every server says that it does not watch: a lost waiter", t.Refuted)),
		paint.PlainLine(fmt.Sprintf("    %s /locks/a   it has come a moment ago    %s /locks/a   it has gone, and is shown a moment longer, or while it is selected", widget.CameSign, widget.GoneSign)),
		paint.PlainLine(fmt.Sprintf("    %s urgent: someone is stuck, or two may act at once    %s warning: misleads, or fails later    %s note", t.Alert, t.Warn, t.Note))}
}
