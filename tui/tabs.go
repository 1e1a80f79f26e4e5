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
	for _, form := range tabForms {
		w := 0
		out = out[:0]
		for i, v := range tabViews {
			t := tab{v, a.tabLine(v, form[i], v == now)}
			if form[i] == v.Key && v == now {
				t.line = a.tabLine(v, tabForms[0][i], true)
			}
			out = append(out, t)
			w += t.line.Width()
		}
		if w <= a.shown.Size.W {
			break
		}
	}
	return out
}

// tabViews are the views in the bar, and tabForms how they are called there: by key and name, by name, and by key.
var tabViews, tabForms = func() (views []*view.View, forms [3][]string) {
	for _, v := range view.All {
		if v.Key != "" {
			views = append(views, v)
			for i, text := range []string{v.Key + " " + titled(v.Name), titled(v.Name), v.Key} {
				forms[i] = append(forms[i], text)
			}
		}
	}
	return views, forms
}()

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
	sign, style := a.tabSign(v)
	return paint.Line{paint.Dim.Text(" " + text), style.Text(sign)}
}

// tabSign is what stands behind a view's name where it has something to say.
func (a *App) tabSign(v *view.View) (string, paint.Style) {
	switch {
	case v.Name == "recipes" && a.desk.Urgent(), v.Name == "waits" && view.Deadlocks(a.shown.Waits) > 0:
		return a.shown.Theme.Alert, paint.Alert
	case v.Name == "joined" && a.hand.TakesPart():
		return a.shown.Theme.Mark, paint.Accent
	}
	return " ", paint.Plain
}

// titled is a name with a capital.
func titled(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
