package tui

import (
	"bytes"
	"encoding/json"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// copyMenu offers what can be copied of the selected.
func (a *App) copyMenu() {
	m, c := a.desk.Subject()
	it := a.pageItem()
	var out []layer.Entry
	add := func(key, label, what, text string) {
		if text != "" {
			out = append(out, layer.Entry{Key: key, Label: label, Run: func() tea.Cmd { return a.copyText(what, text) }})
		}
	}
	if c != nil && c.Path() != m.Path {
		add("y", "claim's path   "+term.Safe(c.Path()), "the claim's path", c.Path())
	}
	if m != nil {
		add("p", "recipe's path  "+term.Safe(m.Path), "the recipe's path", m.Path)
	}
	session := znode.SessionID(0)
	if it != nil {
		add("z", "znode's path   "+term.Safe(it.To.Znode), "the znode's path", it.To.Znode)
		session = it.To.Session
	}
	if c != nil {
		session = c.Session
	}
	if session != 0 {
		add("s", "session        "+session.String(), "the session", session.String())
	}
	if m != nil {
		add("J", "recipe as JSON, as show -o json prints it", "the recipe as JSON", a.asJSON(m))
	}
	if c != nil && c.Path() != m.Path {
		add("Y", "claim's path, quoted for a shell", "the claim's path", term.Quoted(c.Path()))
	}
	if m != nil {
		add("P", "recipe's path, quoted for a shell", "the recipe's path", term.Quoted(m.Path))
	}
	add("r", "row, a tab between its columns", "the row", a.desk.RowText())
	if len(out) == 0 {
		a.say("nothing is selected that could be copied", paint.Warn)
		return
	}
	a.stack.Open(&a.host, &layer.Menu{Title: "Copy", Entries: out})
}

func (a *App) asJSON(m *model.Model) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if e.Encode(story.NewReportOf(a.shown.Result, m.Path, m)) != nil {
		return ""
	}
	return b.String()
}

// maxCopy is what terminals take at once.
const maxCopy = 74_000

// copyText hands a text to the terminal's clipboard, through tmux where we are in one. Whether the terminal
// obeys is not known: none answers.
func (a *App) copyText(what, text string) tea.Cmd {
	if a.opts.Terminal == nil {
		a.say("this terminal cannot be asked to copy", paint.Warn)
		return nil
	}
	if len(text) > maxCopy {
		a.say("too long for a terminal's clipboard; zkscope show -o json prints it", paint.Warn)
		return nil
	}
	seq := ansi.SetSystemClipboard(text)
	if a.opts.Tmux {
		seq = ansi.TmuxPassthrough(seq) + seq // whichever of the two this tmux lets through
	}
	a.say("asked the terminal to copy "+what, paint.Good)
	return a.emit(seq)
}

// emit writes a sequence that moves nothing on the screen.
func (a *App) emit(seq string) tea.Cmd {
	out := a.opts.Terminal
	if out == nil {
		return nil
	}
	return func() tea.Msg {
		_, _ = out.Write([]byte(seq)) // a terminal that is gone ends the program by itself
		return nil
	}
}
