package tui

import (
	"strings"
	"testing"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/backend"
)

// foul sets a title, clears the screen, reorders and hides, and speaks in C1.
const foul = "\x1b]0;P\x07\x1b[2J\u202e\u200b\u009b31m\u0085"

// foulStage has that in every string that a server, a file or a log can bring.
type foulStage struct{ *stage }

func (s foulStage) Take() (*znode.Snapshot, backend.Link) {
	snap, link := s.stage.Take()
	out := *snap
	out.Partial, out.Complete = []string{foul}, false
	link.Ensemble, link.Server, link.Cause, link.Advice = foul, foul, foul, []string{foul}
	return &out, link
}

func (s foulStage) Servers() []waits.ServerState {
	f := foul
	return []waits.ServerState{{Addr: f, Role: f, Mode: f, Version: f, Tier: f, Admin: &f, Err: &f, Latency: &f, Zxid: &f, Buffer: &f, Up: true,
		Advice: []waits.ServerAdvice{{Line: f, Gives: f}}}, {Addr: f, Err: &f}}
}
func (s foulStage) Extra() []model.Finding {
	return []model.Finding{{Code: "servers-disagree", Severity: model.High, Text: foul, Paths: []string{"/" + foul}}}
}
func (s foulStage) Refresh() {}

// Nothing that any view draws can act on a terminal, whatever field it came in.
func TestNothingFoulIsDrawn(t *testing.T) {
	s := newStage()
	yes := true
	for path, data := range map[string]string{"/locks/" + foul + "/x-lock-0000000001": foul, "/locks/a/" + foul + "-lock-0000000002": foul,
		"/el/leader" + foul: foul, "/app/tx1/s_" + foul: "commit" + foul, "/app/tx1/s_1": "commit", "/config/" + foul: foul, "/members/m/" + foul: foul} {
		s.add(path, sA, time.Minute, data)
	}
	s.servers = []znode.Server{{Addr: foul, Mode: foul, Tier: foul, Answered: true}}
	s.sessions = map[znode.SessionID]znode.Session{sA: {ID: sA, Addr: foul, Server: foul, Connected: &yes}, sB: {ID: sB, Addr: foul, Server: foul}}
	s.watch = map[string][]znode.SessionID{"/locks/" + foul: {sA}}
	s.log = []string{foul}
	s.done = []actions.Record{{At: noon, Stage: foul, User: foul, Host: foul, Ensemble: foul, Verb: foul, Kind: foul, Recipe: foul, Path: foul, Name: foul, Reason: foul, Text: foul, OldData: []byte(foul)}}
	d := drive(t, s, 160, 50)
	d.app.Close()
	src := foulStage{s}
	d.app = New(t.Context(), Options{Source: src, Operator: s, Theme: d.app.shown.Theme, Location: time.UTC, Recipes: everyRecipe(), Clock: func() time.Time { return d.clock },
		Audit: s.readAudit, Log: func() []string { return s.log }, Me: foul})
	d.app.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	check := func(where string) {
		t.Helper()
		for _, r := range ansi.Strip(d.app.frame()) {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s draws %U", where, r)
				return
			}
		}
		if v := d.app.frame(); strings.Contains(v, "\x1b]") || strings.Contains(v, "\x1b[2J") {
			t.Errorf("%s acts on the terminal", where)
		}
	}
	for _, keys := range []string{"", "G", "1", "2", "2 j enter", "3", "4", "4 enter", "5", "6", "7", "7 j enter", "8", "9", "0", "w", "z", "e", "i", "a", "b", "y", "?", "enter", "enter G"} {
		d.Press("g").Press(strings.Fields(keys)...)
		check("after " + keys)
		d.Press("esc", "esc", "esc", "1")
		for range 12 {
			d.Press("j").Press("w")
			check("why")
			d.Press("esc")
			check("a row")
		}
	}
}
