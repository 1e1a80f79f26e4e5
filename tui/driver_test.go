package tui

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/panel"
	"github.com/zkscope/zkscope/tui/picture"
)

var update = flag.Bool("update", false, "write golden frames anew")

// noon is when every scenario begins.
var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// stage is a tree of znodes that a scenario sets up and changes.
type stage struct {
	nodes map[string]*znode.Node // by path, without children
	zxid  znode.Zxid
	now   time.Time
	link  backend.Link
	lost  time.Time
	gap   znode.Gap
	watch map[string][]znode.SessionID

	servers  []znode.Server
	askedAt  time.Time // when servers were asked; zero: before each picture
	sessions map[znode.SessionID]znode.Session
	apply    func(actions.Plan) actions.Result
	hints    model.Hints
	log      []string
	lacks    string // the right that every plan lacks
	done     []actions.Record
}

func newStage() *stage {
	return &stage{nodes: map[string]*znode.Node{}, zxid: 100, now: noon,
		link: backend.Link{Ensemble: "zk1,zk2,zk3/prod", Server: "zk2:2181", Session: 0x10000a1b2c3ffff, Requests: 42, Watches: 1}}
}

// add makes a znode, owned by a session when that is not zero, created so long before now.
func (s *stage) add(path string, owner znode.SessionID, age time.Duration, data string) *stage {
	_, name := znode.Split(path)
	s.zxid++
	at := znode.Millis(s.now.Add(-age).UnixMilli())
	s.nodes[path] = &znode.Node{Name: name, Owner: owner, Czxid: s.zxid, Mzxid: s.zxid, Pzxid: s.zxid, Ctime: at, Mtime: at,
		Data: []byte(data), DataLength: int32(len(data)), HasCversion: true}
	return s
}

func (s *stage) del(path string) *stage {
	delete(s.nodes, path)
	return s
}

func (s *stage) set(path, data string) *stage {
	n := *s.nodes[path]
	n.Data, n.DataLength = []byte(data), int32(len(data))
	n.Version++
	s.nodes[path] = &n
	return s
}

// Take builds the snapshot: every missing ancestor is an old persistent znode.
func (s *stage) Take() (*znode.Snapshot, backend.Link) {
	all := map[string]*znode.Node{}
	for p, n := range s.nodes {
		c := *n
		all[p] = &c
		for p != "/" {
			p, _ = znode.Split(p)
			if all[p] == nil && s.nodes[p] == nil {
				_, name := znode.Split(p)
				all[p] = &znode.Node{Name: name, Czxid: 1, Mzxid: 1, Pzxid: 1}
			}
		}
	}
	if all["/"] == nil {
		all["/"] = &znode.Node{}
	}
	paths := make([]string, 0, len(all))
	for p := range all {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		if p != "/" {
			dir, _ := znode.Split(p)
			d := all[dir]
			d.Children = append(d.Children, all[p])
			d.NumChildren++
			d.Cversion++
		}
	}
	for _, n := range all {
		sort.Slice(n.Children, func(i, j int) bool { return n.Children[i].Name < n.Children[j].Name })
	}
	return &znode.Snapshot{Root: all["/"], Base: "/", TakenAt: s.now, Complete: true, LostSince: s.lost, Gap: s.gap, Watches: s.watch,
		Servers: s.servers, Sessions: s.sessions, AskedAt: s.askedAt}, s.link
}

func (s *stage) Changed() <-chan struct{} { return nil }
func (s *stage) Now() time.Time           { return s.now }

func (s *stage) Scene(r *model.Result, m *model.Model, c *model.Claim, now time.Time) actions.Scene {
	return actions.Scene{Result: r, Model: m, Claim: c, Now: now}
}

func (s *stage) Rights(context.Context, actions.Plan) (string, error) { return s.lacks, nil }

func (s *stage) readAudit() ([]actions.Record, error) { return s.done, nil }

func (s *stage) Apply(_ context.Context, p actions.Plan) actions.Result { return s.apply(p) }

func (s *stage) Forbidden() string {
	if s.link.ReadOnly {
		return "the console was started read-only"
	}
	return ""
}

// driver plays the person at the keyboard.
type driver struct {
	t     *testing.T
	stage *stage
	app   *App
	clock time.Time // of the keyboard
	quit  bool
	sent  bytes.Buffer // to the terminal, past the frames
}

func drive(t *testing.T, s *stage, w, h int) *driver {
	return driveTheme(t, s, w, h, paint.New(term.Unicode(), termenv.Ascii))
}

func driveTheme(t *testing.T, s *stage, w, h int, theme paint.Theme) *driver {
	t.Helper()
	d := &driver{t: t, stage: s, clock: noon}
	d.app = New(context.Background(), Options{Source: s, Operator: s, Theme: theme, Hints: s.hints, Location: time.UTC,
		Recipes: everyRecipe(), Clock: func() time.Time { return d.clock },
		SaveDir: t.TempDir(), Terminal: &d.sent, Audit: s.readAudit, Log: func() []string { return s.log }})
	t.Cleanup(d.app.Close)
	d.app.Update(tea.WindowSizeMsg{Width: w, Height: h})
	d.app.desk.List.Loose = false // what is on top is selected, as after the first key
	return d
}

// Fresh is the console before the first key: nothing is selected.
func (d *driver) Fresh() *driver {
	d.app.desk.List.Loose = true
	return d
}

// Wait lets time pass, on the wall and at the keyboard.
func (d *driver) Wait(by time.Duration) *driver {
	d.stage.now = d.stage.now.Add(by)
	d.clock = d.clock.Add(by)
	d.app.Update(picture.Tick{Link: d.stage.link, Now: d.stage.now})
	return d
}

// Sync shows the console what the stage looks like now.
func (d *driver) Sync() *driver {
	m := picture.Take(d.stage, d.app.opts.Hints, d.app.shown.LiveWaits)
	m.Gen, m.Aside = d.app.hints, true
	_, cmd := d.app.Update(m)
	d.run(cmd)
	return d
}

// Press presses keys, named as Bubble Tea names them, half a second apart.
func (d *driver) Press(keys ...string) *driver {
	for _, k := range keys {
		d.clock = d.clock.Add(500 * time.Millisecond)
		d.key(k)
	}
	return d
}

// Hammer presses keys without any time between them.
func (d *driver) Hammer(keys ...string) *driver {
	for _, k := range keys {
		d.key(k)
	}
	return d
}

// Type presses the key of every character.
func (d *driver) Type(text string) *driver {
	for _, r := range text {
		d.Press(string(r))
	}
	return d
}

var named = map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "ctrl+s": tea.KeyCtrlS, "ctrl+l": tea.KeyCtrlL, "shift+tab": tea.KeyShiftTab, "ctrl+g": tea.KeyCtrlG, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, " ": tea.KeySpace}

func (d *driver) key(k string) {
	msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
	if typ, ok := named[k]; ok {
		msg = tea.KeyMsg{Type: typ}
		if typ == tea.KeySpace {
			msg.Runes = []rune{' '}
		}
	} else if k == "alt+esc" {
		msg = tea.KeyMsg{Type: tea.KeyEsc, Alt: true}
	}
	places := len(d.app.shown.Places)
	_, cmd := d.app.Update(msg)
	if len(d.app.shown.Places) > places {
		return // the command waits for news of the new place, which a test brings itself
	}
	d.run(cmd)
}

// run carries out a command, and what comes of it.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch out := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, one := range out {
			d.run(one)
		}
	default:
		_, next := d.app.Update(out)
		if _, view := out.(picture.Next); !view { // what follows a view waits for the next one
			d.run(next)
		}
	}
}

// Text is the frame without styles.
func (d *driver) Text() string { return ansi.Strip(d.app.View()) }

// collapsed is a text in which the width of a gap does not matter: that of columns is what golden frames hold.
func collapsed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// See fails unless every text is on the screen.
func (d *driver) See(texts ...string) *driver {
	d.t.Helper()
	for _, s := range texts {
		if text := collapsed(d.Text()); !strings.Contains(text, collapsed(s)) && !strings.Contains(text, collapsed(titled(s))) {
			d.t.Fatalf("not on the screen: %q\n%s", s, d.Text())
		}
	}
	return d
}

// SeeNot fails when any text is on the screen.
func (d *driver) SeeNot(texts ...string) *driver {
	d.t.Helper()
	for _, s := range texts {
		if strings.Contains(collapsed(d.Text()), collapsed(s)) {
			d.t.Fatalf("on the screen: %q\n%s", s, d.Text())
		}
	}
	return d
}

// Frame compares the screen with testdata/golden/NAME.txt.
func (d *driver) Frame(name string) *driver {
	d.t.Helper()
	golden(d.t, name, d.Text())
	return d
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	var b bytes.Buffer
	for _, l := range strings.Split(got, "\n") {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("frame %s differs; got:\n%s\nwant:\n%s", name, b.String(), want)
	}
}

func everyRecipe() []panel.Recipe {
	return []panel.Recipe{panel.Lock(), panel.SharedLock(), panel.Election(), panel.Semaphore(), panel.Barrier(), panel.DoubleBarrier(),
		panel.Queue(), panel.PriorityQueue(), panel.DelayQueue(), panel.TwoPhase(), panel.Membership(), panel.Service(),
		panel.Config(), panel.Rendezvous(), panel.Counter(), panel.Lease()}
}

// subjectClaim is the claim that a key would act on.
func subjectClaim(a *App) *model.Claim {
	_, c := a.desk.Subject()
	return c
}

// box is the plan that is asked about, or nil.
func (a *App) box() *act.PlanBox { return layer.Top[*act.PlanBox](&a.stack) }

// boxed is the text in the box whose upper border begins with head.
func (d *driver) boxed(head string) string {
	d.t.Helper()
	from, to, out := -1, -1, ""
	for _, l := range strings.Split(d.Text(), "\n") {
		if i := strings.Index(l, head); i >= 0 {
			from = ansi.StringWidth(l[:i])
			to = from + ansi.StringWidth(l[i:i+strings.Index(l[i:], "┐")])
		}
		if from >= 0 {
			out += ansi.Cut(l, from+1, to) + "\n"
		}
	}
	if from < 0 {
		d.t.Fatalf("no box %q\n%s", head, d.Text())
	}
	return out
}
