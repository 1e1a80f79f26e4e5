package view

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// logView shows what the connection had to say, newest first.
func logView() *View {
	return &View{Name: "log", Key: "0", What: "what the connection had to say",
		Title: func(*Shown, *Page) string { return "log" }, Fill: fillLog,
		empty: func(*Shown, *Page) string { return "nothing was logged" }}
}

func fillLog(sh *Shown, _ *Page) []Item {
	if sh.Logged == nil {
		return nil
	}
	lines := sh.Logged()
	out := make([]Item, 0, len(lines))
	for i := len(lines) - 1; i >= 0; i-- {
		text := term.Safe(lines[i])
		out = append(out, Item{ID: "l" + strconv.Itoa(i), text: text, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { return t.Cells(w, paint.Plain.Cell(text, 0)) }})
	}
	return out
}
