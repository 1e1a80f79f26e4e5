package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// reader is a still picture whose source can read a znode by itself.
type reader struct {
	still
	read *[]string
}

func (r reader) Read(path string) { *r.read = append(*r.read, path) }

// partly is a console on a picture with a directory that may not be listed and one that is known by name; the paths that
// it has read by themselves are noted.
func partly(t *testing.T) (*App, *[]string) {
	const alone = znode.NameOnly | znode.NoStat | znode.Unreadable | znode.NotListed
	crowd := &znode.Node{Name: "crowd", NumChildren: 2, Flags: znode.NamesRead, Children: []*znode.Node{
		{Name: "0123456789abcdef0123456789abcdef__lock__0000000001", Owner: 1, Czxid: 9, Ctime: 1, Data: []byte("job-1")},
		{Name: "0123456789abcdef0123456789abcdef__lock__0000000002", Flags: alone}}}
	vault := &znode.Node{Name: "vault", NumChildren: 1, Flags: znode.Unreadable | znode.NotListed}
	s := newStage()
	snap := &znode.Snapshot{Root: &znode.Node{Children: []*znode.Node{crowd, vault}, NumChildren: 2}, Base: "/", TakenAt: s.now,
		Partial: []string{"/vault: no permission to list its 1 children"}, Ephemerals: map[znode.SessionID][]string{7: {"/vault/lock", "/vault/member"}}}
	asked := new([]string)
	a := New(context.Background(), Options{Source: reader{still{s, snap}, asked}, Operator: s, Theme: paint.New(term.Unicode(), termenv.Ascii),
		Location: time.UTC, Recipes: everyRecipe()})
	t.Cleanup(a.Close)
	a.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
	return a, asked
}

func sees(t *testing.T, a *App, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if frame := a.View(); !strings.Contains(frame, text) {
			t.Errorf("no %q on the screen:\n%s", text, frame)
		}
	}
}

func TestWhatWasNotReadIsNotSaidToBeAbsent(t *testing.T) {
	a, asked := partly(t)
	a.goPath("/vault/lock")
	sees(t, a, "/vault/lock was not read: no permission to list /vault; zkscope show /vault/lock reads it by itself")
	a.goPath("/none")
	sees(t, a, "nothing is at /none")
	a.show("tree", "/vault/lock")
	sees(t, a, "/vault/lock was not read: no permission to list /vault")
	a.show("tree", "/vault")
	sees(t, a, "no permission to list its 1 child")
	const name = "/crowd/0123456789abcdef0123456789abcdef__lock__0000000002"
	a.show("tree", name)
	sees(t, a, "nothing but its name was read")
	if len(*asked) == 0 || (*asked)[0] != name {
		t.Errorf("read by itself: %q", *asked)
	}
}

func TestSessionsCountWhatOnlyServersTell(t *testing.T) {
	a, _ := partly(t)
	a.show("sessions", "")
	sees(t, a, "0x7", "0+2")
	a.show("session", "0x7")
	sees(t, a, "ephemeral znodes that the servers list for it, but that were not read", "/vault/member")
}

// A claim of which only the name was read is not called persistent, and nothing is done to it.
func TestAClaimKnownByNameIsNotActedOn(t *testing.T) {
	a, _ := partly(t)
	a.goPath("/crowd/0123456789abcdef0123456789abcdef__lock__0000000002")
	if frame := a.View(); strings.Contains(frame, "persistent") {
		t.Errorf("it is said to be persistent:\n%s", frame)
	}
	a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("b")})
	sees(t, a, "could not be read, so it cannot be pinned")
}
