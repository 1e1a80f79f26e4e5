package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/paint"
)

// still is a source that shows one picture.
type still struct {
	*stage
	snap *znode.Snapshot
}

func (s still) Take() (*znode.Snapshot, backend.Link) { return s.snap, s.link }

// crowd is a console that shows one recipe of a kind, with n claims.
func crowd(tb testing.TB, kind layout.Kind, n int) *App {
	name := map[layout.Kind]string{layout.Queue: "queue-%010d", layout.TwoPhase: "site_%08d", layout.Membership: "m%08d",
		layout.Lock: "_c_00000000-0000-4000-8000-000000000000-lock-%010d", layout.Election: "_c_00000000-0000-4000-8000-000000000000-latch-%010d"}[kind]
	dir := &znode.Node{Name: "crowd", Czxid: 1, NumChildren: int32(n), Children: make([]*znode.Node, n)}
	for i := range dir.Children {
		dir.Children[i] = &znode.Node{Name: fmt.Sprintf(name, i), Czxid: znode.Zxid(i + 2), Ctime: 1, Data: []byte("x")}
		if kind != layout.Queue && kind != layout.TwoPhase {
			dir.Children[i].Owner = znode.SessionID(i + 1)
		}
	}
	s := newStage()
	src := still{s, &znode.Snapshot{Root: &znode.Node{Children: []*znode.Node{dir}, NumChildren: 1}, Base: "/", Complete: true, TakenAt: s.now}}
	a := New(context.Background(), Options{Source: src, Operator: s, Theme: paint.New(term.Unicode(), termenv.Ascii), Location: time.UTC,
		Recipes: everyRecipe(), Armed: true, Hints: model.Hints{Rules: []model.Hint{{Path: "/crowd", Kind: kind}}}})
	tb.Cleanup(a.Close)
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if m := a.desk.Model(); m == nil || m.Kind != kind || len(m.Claims) != n {
		tb.Fatalf("no %s of %d claims", kind, n)
	}
	return a
}

// BenchmarkKeysInACrowd presses a key on a recipe of 100,000 claims, draws the answer, and closes it: the time in which
// the console takes no other key.
func BenchmarkKeysInACrowd(b *testing.B) {
	for _, kind := range []layout.Kind{layout.Queue, layout.Lock, layout.Election, layout.TwoPhase, layout.Membership} {
		a := crowd(b, kind, 100_000)
		for _, k := range []string{"a", "r", "b", " ", "j", "w"} {
			b.Run(fmt.Sprintf("%s/%q", kind, k), func(b *testing.B) {
				for b.Loop() {
					a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
					a.View()
					a.hand.Marks = nil
					for act.Busy(&a.stack) {
						a.Update(tea.KeyMsg{Type: tea.KeyEsc})
					}
				}
			})
		}
	}
}

// long is a console that shows a lock with names of 64 kB and data of 60 kB, each in one word.
func long(tb testing.TB, letter string) *App {
	s := newStage()
	text := strings.Repeat(letter, 60_000/len(letter))
	for i := range 4 {
		s.add(fmt.Sprintf("/locks/%s/_c_00000000-0000-4000-8000-000000000000-lock-%010d", text, i), znode.SessionID(i+1), time.Minute, text)
	}
	a := New(context.Background(), Options{Source: s, Operator: s, Theme: paint.New(term.Unicode(), termenv.Ascii), Location: time.UTC, Recipes: everyRecipe(), Armed: true})
	tb.Cleanup(a.Close)
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if m := a.desk.Model(); m == nil || len(m.Claims) != 4 {
		tb.Fatal("no lock of four claims")
	}
	return a
}

// BenchmarkKeysOnLongWords presses a key where names and data are long, and draws the answer.
func BenchmarkKeysOnLongWords(b *testing.B) {
	for _, letter := range []string{"x", "é", "世", "\x1b", "e\u0301"} {
		a := long(b, letter)
		for _, k := range []string{"j", "a", "b", "w", "i", "5", "6", "2", "1"} {
			b.Run(fmt.Sprintf("%q/%q", letter, k), func(b *testing.B) {
				for b.Loop() {
					a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
					a.View()
					for act.Busy(&a.stack) {
						a.Update(tea.KeyMsg{Type: tea.KeyEsc})
					}
				}
			})
		}
	}
}
