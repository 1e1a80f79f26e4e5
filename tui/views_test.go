package tui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/desk"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/view"
)

// pairA and pairB hold one lock each and wait for the other's.
const pairA, pairB znode.SessionID = 0x20000a1b2c30005, 0x20000a1b2c30006

// asked adds what servers tell to a stage.
func asked(s *stage) *stage {
	yes, no := true, false
	s.servers = []znode.Server{{Addr: "zk1:2181", Mode: "follower", Tier: "4lw", Answered: true},
		{Addr: "zk2:2181", Mode: "leader", Tier: "admin", Answered: true}, {Addr: "zk3:2181", Tier: "none"}}
	s.sessions = map[znode.SessionID]znode.Session{
		sA: {ID: sA, Addr: "10.0.0.7:4711", Timeout: 30 * time.Second, Server: "zk1:2181", Connected: &yes},
		sB: {ID: sB, Addr: "10.0.0.8:4712", Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(12 * time.Second)},
	}
	s.watch = map[string][]znode.SessionID{"/locks/orders/" + curator("1") + "lock-0000000004": {sA, sC}, "/config/limits": {sA}}
	for i, l := range []string{"a", "b"} {
		x, y := "/locks/"+l+"/"+curator("7")+"lock-0000000000", "/locks/"+l+"/"+curator("8")+"lock-0000000001"
		first, second := pairA, pairB
		if i == 1 {
			first, second = pairB, pairA
		}
		s.watch[x] = []znode.SessionID{second}
		s.add(x, first, 200*time.Second, "pair-"+l).add(y, second, 190*time.Second, "pair-"+[]string{"b", "a"}[i])
	}
	s.log = []string{"connected to zk2:2181", "probe of zk3:2181: refused"}
	s.done = []actions.Record{
		{At: noon.Add(-time.Hour), Stage: "intent", User: "eve", Ensemble: "zk1,zk2,zk3/prod", Verb: actions.VerbBreak, Path: "/locks/orders/x", Recipe: "/locks/orders", Name: "web-9", Reason: "stuck"},
		{At: noon.Add(-time.Hour), Stage: "done", User: "eve", Ensemble: "zk1,zk2,zk3/prod", Verb: actions.VerbBreak, Path: "/locks/orders/x", Recipe: "/locks/orders", Name: "web-9", Text: "broke the claim of web-9"},
	}
	return s
}

// everyView names each view with the keys that lead to it.
var everyView = []struct {
	name string
	keys []string
	see  []string
}{
	{"overview", []string{"2"}, []string{"urgent, ", "phantom-claim", "locks", "transactions", "2 of 3 servers answered"}},
	{"waits", []string{"3"}, []string{"1 deadlock", "DEADLOCK", "suggested"}},
	{"why", []string{"w"}, []string{"why: /locks/", "Evidence"}},
	{"sessions", []string{"4"}, []string{"NOT CONNECTED, expires in 12s", "10.0.0.7:4711", "HOLDS"}},
	{"session", []string{"4", "j", "enter"}, []string{"timeout   30s", "watches"}},
	{"servers", []string{"6"}, []string{"2 of 3 answered", "zk2:2181", "leader", "AdminServer"}},
	{"tree", []string{"7", "j", "enter"}, []string{"persistent", "czxid"}},
	{"audit", []string{"9"}, []string{"broke the claim of web-9", "about to: break web-9 (stuck)"}},
	{"log", []string{"0"}, []string{"probe of zk3:2181: refused"}},
	{"history", []string{"H"}, []string{"history of /locks/nightly", "holds", "waits"}},
	{"events", []string{"5"}, []string{"nothing has changed since the console started"}},
	{"help", []string{"?"}, []string{"SIGNS", "urgent: someone"}},
	{"copy", []string{"y"}, []string{"claim's path", "recipe as JSON"}},
	{"act", []string{"a", "1"}, []string{"act on batch-1"}},
	{"command", []string{":", "s", "e"}, []string{":se_", "sessions"}},
}

func TestEveryViewAtEverySize(t *testing.T) {
	for _, v := range everyView {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
			for name, theme := range map[string]paint.Theme{"colour": paint.New(term.Unicode(), termenv.ANSI), "ascii": paint.New(term.ASCII(), termenv.Ascii)} {
				d := driveTheme(t, asked(city()), size[0], size[1], theme)
				d.Press(v.keys...)
				squared(t, d.app.View(), size[0], size[1])
				if name == "colour" && size[0] >= 120 {
					d.See(v.see...)
				}
				text := d.app.View()
				if name == "colour" {
					text = strings.ReplaceAll(text, "\x1b", "^")
				}
				golden(t, fmt.Sprintf("views/%s-%dx%d-%s", v.name, size[0], size[1], name), text)
			}
		}
	}
}

func TestEscLeadsBackByOneView(t *testing.T) {
	d := drive(t, asked(city()), 120, 40)
	d.Press("4", "enter").See("session 0x").Press("esc").See("sessions").SeeNot("in any recipe")
	d.Press("enter", "j", "j", "enter").SeeNot("timeout")
	d.Press("esc").See("timeout   30s")
	d.Press("esc", "esc").See("recipes").Press("esc", "esc", "esc")
	if d.quit {
		t.Fatal("esc quit")
	}
}

func TestAFindingLeadsToItsClaim(t *testing.T) {
	d := drive(t, city(), 120, 40)
	d.Press("2", "/").Type("phantom").Press("enter", "enter")
	if m, c := d.app.desk.Subject(); m.Path != "/locks/orders" || c.Owner() != "web-1" || d.app.desk.Focus != desk.OnClaims {
		t.Fatalf("%v %v", m.Path, c)
	}
	d.Press("esc").See("overview")
}

func TestFiltersKnowNotFuzzyAndExpressions(t *testing.T) {
	d := drive(t, city(), 120, 40)
	d.Press("/").Type("!lock").See("/app/tx1").SeeNot("/locks/orders").Press("esc")
	d.Press("/").Type("~lknght").See("/locks/nightly").SeeNot("/locks/orders").Press("esc")
	d.Press("/").Type("/^.app.*[0-9]$/").See("/app/tx1").SeeNot("/locks/orders").Press("esc")
	d.Press("/").Type("/[/").See("not a regular expression")
	d.Press("esc", "4", "/").Type("nobody").See("no line matches the filter").Press("esc")
}

func TestCommandsCompleteAndRun(t *testing.T) {
	d := drive(t, asked(city()), 160, 40)
	d.Press(":").Type("ser").See("servers").Press("enter").See("servers of")
	d.Press(":").Type("go /app").Press("tab").See("go /app/tx1_").Press("enter").See("/app/tx1", "s_1 ✓ commit")
	d.Press(":").Type("session " + sA.String()).Press("enter").See("session 0x10000a1b2c30001")
	d.Press(":").Type("nonsense").Press("enter").See("no command nonsense")
	d.Press(":", "up").See(":nonsense_").Press("esc")
	d.Press("1", ":").Type("sort behind").Press("enter").See("[waiting]", "WAITING↓")
	d.Press(":").Type("quit").Press("enter")
	if !d.quit {
		t.Fatal("did not quit")
	}
}

func TestAKindCanBeHinted(t *testing.T) {
	s := newStage()
	s.add("/app/total", 0, time.Minute, "12")
	d := drive(t, s, 120, 40)
	d.See("no recipe found").Press(":").Type("go /app/total").Press("enter", ":").Type("kind counter").Press("enter", "1").See("/app/total", "stands at 12")
	d.Press("7", ":").Type("kind nonsense").Press("enter").See("no such kind")
}

func TestTheOrderCanBeChosen(t *testing.T) {
	d := drive(t, town(), 120, 40)
	first := func() string {
		for i := range d.app.desk.List.Rows() {
			if r := &d.app.desk.List.Rows()[i]; r.Section == string(layout.Lock) && r.Model != nil {
				return r.Model.Path
			}
		}
		return ""
	}
	for _, want := range []string{"/locks/nightly", "/locks/nightly", "/locks/nightly", "/locks/orders", "/locks/orders"} {
		if d.Press("o"); first() != want {
			t.Errorf("by %s: %s", view.OrderNames[d.app.desk.Sorting.Order], first())
		}
	}
	d.Press("O").See("[trouble], reversed")
	if first() != "/locks/nightly" {
		t.Error(first())
	}
}

func TestMarkedClaimsAreOnePlanAndOneConfirmation(t *testing.T) {
	s := town()
	var broken []string
	s.apply = func(p actions.Plan) actions.Result {
		broken = append(broken, p.Target.Path)
		s.del(p.Target.Path)
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "broke", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("orders").Press("enter", "enter", "j", " ", " ").See("2 marked")
	d.Press("b").See("Break 2 marked claims", "1. Break the claim of web-1 (0000000005) in /locks/orders: web-1 still holds; 2 keep", "2. Break the claim of web-3 in /locks/orders: web-1 still holds; 1 keeps waiting", "no owner is told: each client may wait for ever")
	d.Press("esc").SeeNot("Break the claim").See("closed: nothing was done")
	if len(broken) > 0 {
		t.Fatalf("broken: %v", broken)
	}
	d.Press("b", "y").Sync().See("2 of 2 done").SeeNot("marked")
	if len(broken) != 2 || !strings.Contains(broken[0], "0000000005") {
		t.Fatalf("broken: %v", broken)
	}
}

// Of several marked claims one that goes meanwhile is left alone, and what follows is said anew; a right that is missing for
// one is told before anything is done.
func TestManyPlansFollowThePicture(t *testing.T) {
	s := town()
	var broken []string
	s.apply = func(p actions.Plan) actions.Result {
		broken = append(broken, p.Target.Path)
		if len(broken) == 2 {
			return actions.Result{Plan: p, Outcome: actions.Nothing, Text: "nothing done: it has changed", At: s.now}
		}
		s.del(p.Target.Path)
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "broke", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("orders").Press("enter", "enter", " ", " ", " ", " ").See("4 marked")
	d.Press("b").See("Break 4 marked claims", "type break 4")
	for p := range s.nodes {
		if strings.HasSuffix(p, "lock-0000000007") {
			s.del(p)
		}
	}
	d.Sync().See("is left alone: it is gone", "type break 3", "this is newer than what it said")
	d.Type("break 3").Press("enter").Sync().See("2 of 3 done; not done: nothing done: it has changed")
	if len(broken) != 3 {
		t.Errorf("%q", broken)
	}
	s.lacks = "no right to delete there"
	d.Press("k", " ", " ", "b").See("no right to delete there").Press("y")
	if len(broken) != 3 {
		t.Errorf("without a right: %q", broken)
	}
}

// Several plans are not begun while another is carried out, and its result is not taken for one of theirs; without a connection
// they cannot be confirmed.
func TestManyPlansWaitForTheirTurn(t *testing.T) {
	s := town()
	var broken []string
	s.apply = func(p actions.Plan) actions.Result {
		broken = append(broken, p.Target.Path)
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "broke", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "b").Type("batch-1")
	d.clock = d.clock.Add(time.Second)
	_, slow := d.app.Update(tea.KeyMsg{Type: tea.KeyEnter})
	d.Press("/", "ctrl+u").Type("orders").Press("enter", "enter", "j", " ", " ")
	d.Press("b", "y").SeeNot("Break 2 marked")
	if d.run(slow); len(broken) != 1 || !strings.Contains(broken[0], "/nightly/") || len(d.app.hand.Marks) != 2 {
		t.Errorf("%q, marked %v", broken, d.app.hand.Marks)
	}
	d.Press("b").See("Break 2 marked claims")
	s.lost = s.now
	d.Sync().See("the connection is lost").Press("y")
	if len(broken) != 1 {
		t.Errorf("without a connection: %q", broken)
	}
}

func TestCopyAsksTheTerminal(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("nightly").Press("enter", "y", "p").See("asked the terminal to copy the recipe's path")
	want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("/locks/nightly")) + "\x07"
	if got := d.sent.String(); got != want {
		t.Fatalf("sent %q, want %q", got, want)
	}
	d.sent.Reset()
	d.app.opts.Tmux = true
	d.Press("y", "J")
	if got := d.sent.String(); !strings.HasPrefix(got, "\x1bPtmux;\x1b\x1b]52;c;") {
		t.Fatalf("sent %q", got)
	}
}

// A row is copied whole, and a path as one word of a shell.
func TestRowsAndQuotedPathsAreCopied(t *testing.T) {
	s := town()
	s.add("/locks/it's/lock-0000000001", sA, time.Minute, "eve")
	d := drive(t, s, 80, 24)
	copied := func(keys ...string) string {
		t.Helper()
		d.sent.Reset()
		d.Press(keys...)
		b, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(d.sent.String(), "\x1b]52;c;"), "\x07"))
		return string(b)
	}
	d.Press("/").Type("it's").Press("enter", "esc")
	if got := copied("y", "P"); got != `'/locks/it'\''s'` {
		t.Error(got)
	}
	if got := copied("y", "r"); got != "lock\t/locks/it's\teve\t≤1m\t0" {
		t.Errorf("%q", got)
	}
	d.Press("/", "ctrl+u").Type("orders").Press("enter", "enter", "j")
	if got := copied("y", "r"); got != "2\tweb-1\t0005\t0x10000a1b2c30001\t2m31s\t0004 ?" {
		t.Errorf("%q", got)
	}
	if got := copied("4", "y", "r"); !strings.HasPrefix(got, "0x") || !strings.Contains(got, "\t") {
		t.Errorf("%q", got)
	}
}

func TestNotifyRingsWhenALockChangesHands(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("/").Type("nightly").Press("enter", "n").See("notification for /locks/nightly; n again turns it off")
	d.Sync()
	if d.sent.Len() > 0 {
		t.Fatalf("rang for nothing: %q", d.sent.String())
	}
	for p := range s.nodes {
		if strings.HasSuffix(p, "lock-0000000011") {
			s.del(p)
		}
	}
	d.Sync().See("/locks/nightly is held, batch-2 has it")
	if got := d.sent.String(); !strings.HasPrefix(got, "\a\x1b]9;zkscope: /locks/nightly is held") {
		t.Fatalf("sent %q", got)
	}
	d.Press("n").See("notification for /locks/nightly is off").SeeNot("1 notification")
}

func TestASnapshotIsNeverWrittenOverAFile(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("ctrl+s").See("wrote ", ".jsonl")
	paths, _ := filepath.Glob(filepath.Join(d.app.opts.SaveDir, "*.jsonl"))
	if len(paths) != 1 {
		t.Fatal(paths)
	}
	f, err := os.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := files.ReadFile(f, paths[0])
	if err != nil || inspect.Decode(rec.At(0), nil, model.Hints{}).ByPath("/locks/nightly") == nil {
		t.Fatal("not the picture", err)
	}
	d.Press("ctrl+s").See("not written", "exists")
}

func TestEventsTellHowLong(t *testing.T) {
	s := town()
	d := drive(t, s, 140, 40)
	d.Wait(10 * time.Second)
	for p := range s.nodes {
		if strings.HasSuffix(p, "lock-0000000011") {
			s.del(p)
		}
	}
	d.Sync().Press("5").See("/locks/nightly", "batch-1 is gone → batch-2", "≤41m10s 3m10s")
	d.Press("1", "/").Type("nightly").Press("enter", "e").See("events of /locks/nightly", "held    not once seen from beginning to end yet") // when it began was not seen
	s.del("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000002-lock-0000000012").add("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000003-lock-0000000013", sC, 0, "batch-3")
	d.Wait(12 * time.Second).Sync().See("held    p50 12s  p95 12s  max 12s  (n=1)")
	d.Press("esc", "esc").See("Events")
}

func TestTheTreeShowsAnyZnode(t *testing.T) {
	s := city()
	s.add("/bin", 0, time.Minute, "\x00\x01\xff\x1b[2J")
	d := drive(t, s, 120, 40)
	d.Press(":").Type("go /bin").Press("enter").See("7 bytes that are not text", "persistent: no session owns it").Press("x").See("00 01 ff 1b 5b 32 4a")
	d.Press("1", "/").Type("nightly").Press("enter", "z").See("ephemeral, of session 0x10000a1b2c30002", "part of   lock /locks/nightly")
	s.del("/bin")
	d.Press(":").Type("go /bin").Press("enter").Sync().See("not there any more")
}

func TestABrokenAuditLogIsSaid(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.app.opts.Audit = func() ([]actions.Record, error) { return nil, errors.New("audit log: permission denied") }
	d.Press("9").See("cannot be read: audit log: permission denied")
}

func TestAValueIsSetThroughAForm(t *testing.T) {
	s := city()
	s.add("/config/motd", 0, time.Minute, "hello")
	s.apply = func(p actions.Plan) actions.Result {
		s.set(p.Target.Path, string(p.NewData))
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "set /config/motd", At: s.now}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("motd").Press("enter", "a", "t").See("set the value of /config/motd", "hello_").Type(" ops")
	d.Press("enter").See(`it says "hello ops" instead of "hello"`).Press("tab", "enter").Sync().See("set /config/motd")
	if got := string(s.nodes["/config/motd"].Data); got != "hello ops" {
		t.Errorf("%q", got)
	}
}

func TestWithoutTheRightNothingCanBeConfirmed(t *testing.T) {
	s := town()
	s.lacks = "no DELETE on /locks/nightly (have r)"
	s.apply = func(actions.Plan) actions.Result {
		t.Fatal("applied")
		return actions.Result{}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "b").See("no DELETE on /locks/nightly (have r)").Press("tab", "enter")
}

func TestABarrierOffersToBeOpened(t *testing.T) {
	d := drive(t, city(), 120, 40)
	d.Press("/").Type("release").Press("enter", "a").See("open the barrier", "close the barrier: it is closed").Press("c").See("cannot close the barrier: it is closed")
	d.Press("o").See("open the barrier /barriers/release", "whoever waits at it goes on")
}

func TestADeadlockIsTheFirstThingSeen(t *testing.T) {
	d := drive(t, asked(town()), 120, 40).Wait(6 * time.Second).Sync()
	if r := d.app.desk.List.Rows()[0]; r.Finding == nil || r.Finding.Code != "deadlock" {
		t.Fatalf("first: %+v", r)
	}
	d.Press("3").See("DEADLOCK", "suggested").Press("/").Type("break").Press("enter", "enter")
	if m, c := d.app.desk.Subject(); m == nil || c == nil || c.Role() != model.Holder {
		t.Fatalf("%v %v", m, c)
	}
	d.Press("w").See("If it is a deadlock").Press("y").See("asked the terminal to copy the text")
}

func TestWhatHurtsMostIsSelectedAtFirstAndStaysSelected(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40).Fresh()
	d.Sync().See("▸▲ phantom-claim", "web-1 holds and also waits")
	asked(s)
	d.Sync().Wait(6*time.Second).Sync().See("deadlock", "▸▲ owner-disconnected") // it came too late to be selected by itself
	d.Press("k").See("▸▲+deadlock").Press("n")
	selected := d.app.desk.List.Selected()
	for p := range s.nodes {
		if strings.HasPrefix(p, "/locks/b/") {
			s.del(p)
		}
	}
	if d.Sync(); d.app.desk.List.Selected() != selected {
		t.Errorf("the cursor went from %v to %v by itself", selected, d.app.desk.List.Selected())
	}
}

func TestWhatCannotBeSeenIsNotDecidedOn(t *testing.T) {
	s := town()
	s.apply = func(p actions.Plan) actions.Result {
		t.Fatalf("applied %s", p.Title)
		return actions.Result{}
	}
	d := drive(t, s, 120, 40)
	d.app.hand.Armed = true
	d.Press("/").Type("nightly").Press("enter", "b").See("type batch-1")
	d.app.Update(tea.WindowSizeMsg{Width: 20, Height: 5})
	d.Type("batch-1").Press("enter", "enter", "tab", "enter")
	d.app.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.See("type batch-1").Press("esc")
	d.app.Update(tea.WindowSizeMsg{Width: 20, Height: 5})
	d.Press("b", "tab", "enter", "J", "W")
	d.app.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	if act.Busy(&d.app.stack) {
		t.Error("something was opened unseen")
	}
}

func TestAServerThatDoesNotAnswerNeedsAttention(t *testing.T) {
	d := drive(t, calmTown(), 120, 40)
	d.SeeNot("warning")
	d.app.shown.Result = d.app.shown.Result.With(waits.SilentFinding(waits.Silent{Servers: []string{"zk3:2181 (connection refused)"}, Asked: 3, Voters: 3, Up: 2, Voting: true, Serves: "zk1:2181"}))
	d.app.desk.Refill()
	d.See("1 warning", "server-unreachable", "1 of 3 servers does not", "▸ lock billing").Press("g").See("▸ lock billing")
	d.Press("b").See("break the claim of bill-1").Press("esc", "2", "g")
	d.See("server-unreachable", "ensemble", "1 of 3 servers does not answer").Press("b").See("nothing is selected that could be acted on")
	d.Press("enter").See("overview")
}

// The keys of order and pause say what is on, and what was written is named so that it can be found from anywhere.
func TestKeysSayWhatIsOn(t *testing.T) {
	d := drive(t, calmTown(), 140, 40)
	d.Press("o").See("sorted by kind [path] holder held waiting trouble").Press("o", "O").See("sorted by kind path [holder] held waiting trouble, reversed")
	d.Press("o", "o", "o", "o", "O").See("sorted by [kind] path holder")
	d.Press("p").Wait(9 * time.Second).See("p resume").SeeNot("p pause")
	d.Press("p").See("p pause")
	t.Chdir(t.TempDir())
	d.app.opts.SaveDir = ""
	wd, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	d.Press("ctrl+s").See("wrote " + wd + "/zkscope-")
	d.Press("?").Press("G").See("delete the character")
}
