package tui

import (
	"strings"

	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// tab is the name of a view in the bar that all screens have. None moves or changes its width, whichever is shown.
type tab struct {
	view *view.View
	line paint.Line
}

// tabs are the views that have a key. Where there is no room for the keys of all, their names stand alone, and where there
// is none for these the keys do.
func (a *App) tabs() (out []tab) {
	now := a.viewNow()
	for _, form := range []func(v *view.View) string{
		func(v *view.View) string { return v.Key + " " + titled(v.Name) }, func(v *view.View) string { return titled(v.Name) },
		func(v *view.View) string {
			if v == now {
				return v.Key + " " + titled(v.Name)
			}
			return v.Key
		}} {
		w := 0
		out = nil
		for _, v := range view.All {
			if v.Key != "" {
				out = append(out, tab{v, a.tabLine(v, form(v), v == now)})
				w += out[len(out)-1].line.Width()
			}
		}
		if w <= a.shown.Size.W {
			break
		}
	}
	return out
}

// viewNow is the view that is shown, or from which a detail was opened.
func (a *App) viewNow() *view.View {
	if all := a.pages(); len(all) > 0 {
		return all[0].View
	}
	return view.All[0]
}

func (a *App) tabLine(v *view.View, text string, now bool) paint.Line {
	if now {
		return paint.Line{paint.Bold.Text("[" + text + "]")}
	}
	style := paint.Dim
	if v.Name == "waits" && len(a.shown.Waits.Cycles) > 0 {
		style = paint.Plain
	}
	return paint.Line{style.Text(" " + text + " ")}
}

// titled is a name with a capital.
func titled(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
