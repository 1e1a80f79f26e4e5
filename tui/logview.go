package tui

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// logView shows what the connection had to say, newest first.
func logView() *view {
	return &view{name: "log", key: "0", what: "what the connection had to say",
		title: func(*App, *page) string { return "log" }, fill: fillLog,
		empty: func(*App, *page) string { return "nothing was logged" }}
}

func fillLog(a *App, _ *page) []item {
	if a.opts.Log == nil {
		return nil
	}
	lines := a.opts.Log()
	out := make([]item, 0, len(lines))
	for i := len(lines) - 1; i >= 0; i-- {
		text := term.Safe(lines[i])
		out = append(out, item{id: "l" + strconv.Itoa(i), text: text, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { return t.Cells(w, paint.Cell{Text: text}) }})
	}
	return out
}
