package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/view"
)

// lines are locks whose holders have held for so many minutes.
func lines(held ...int) *stage {
	s := newStage()
	for i, m := range held {
		s.add(fmt.Sprintf("/prod/locks/l%d/%slock-0000000001", i, curator(fmt.Sprint(i+1))), znode.SessionID(0x100+i), time.Duration(m)*time.Minute, fmt.Sprintf("app-%d", i))
	}
	return s
}

// order is the recipes from top to bottom.
func (d *driver) order() string {
	var out []string
	for _, r := range d.app.desk.List.Rows() {
		out = append(out, r.Model.Path[strings.LastIndex(r.Model.Path, "/")+1:])
	}
	return strings.Join(out, " ")
}

// recipes are the paths of the table from top to bottom.
func (d *driver) recipes() (out []string) {
	for _, r := range d.app.desk.List.Rows() {
		if r.Finding == nil {
			out = append(out, r.Model.Path)
		}
	}
	return out
}

// An order by what changes is that of the moment in which it was asked for: rows stay where they are until it is asked for
// again, and its mark says that it is of before.
func TestRowsMoveByKeysOnly(t *testing.T) {
	s := lines(1, 9, 5)
	d := drive(t, s, 120, 40)
	d.Press(":").Type("sort held").Press("enter").See("HELD↓")
	if got := d.order(); got != "l1 l2 l0" {
		t.Fatalf("sorted by held: %s", got)
	}
	s.add("/prod/locks/l0/"+curator("8")+"lock-0000000002", 0x110, 0, "late").del("/prod/locks/l1/"+curator("2")+"lock-0000000001").
		add("/prod/locks/l1/"+curator("9")+"lock-0000000002", 0x111, 0, "new").
		add("/prod/locks/l9/"+curator("7")+"lock-0000000001", 0x112, time.Hour, "old")
	d.Wait(time.Second).Sync().See("HELD⇣")
	if got := d.order(); got != "l1 l2 l0 l9" {
		t.Errorf("a change moved rows: %s", got)
	}
	d.Press("O", "O").See("HELD↓")
	if got := d.order(); got != "l9 l2 l0 l1" {
		t.Errorf("sorted anew by held: %s", got)
	}
}

// In a minute of a hundred changes a second the row under the cursor stays on its line of the screen, and rows that stay
// keep their order, whichever it is.
func TestAStormDoesNotMoveTheRowUnderTheEye(t *testing.T) {
	for _, by := range []string{"kind", "held"} {
		s := lines(make([]int, 60)...)
		d := drive(t, s, 120, 30)
		d.Press(":").Type("sort "+by).Press("enter", "pgdown", "pgdown", "pgdown", "k", "k")
		cursor := func() (line int, row string) {
			for i, l := range strings.Split(d.Text(), "\n") {
				if strings.HasPrefix(l, "▸") {
					return i, strings.Fields(l)[1] + " " + strings.Fields(l)[2]
				}
			}
			t.Fatalf("no cursor\n%s", d.Text())
			return 0, ""
		}
		at, name := cursor()
		picked := d.app.desk.Model().Path
		for i := range 60 {
			before := d.recipes()
			for j := range 100 {
				n := 100*i + j
				path := fmt.Sprintf("/prod/locks/l%d/", n*7919%60)
				switch {
				case n%5 == 0:
					s.add(fmt.Sprintf("/prod/locks/%c%d/%slock-0000000001", "amz"[n%3], n, curator("1")), znode.SessionID(0x9000+n), time.Duration(n)*time.Second, "late")
				case n%5 == 1 && n > 50:
					m := n - 51
					s.del(fmt.Sprintf("/prod/locks/%c%d/%slock-0000000001", "amz"[m%3], m, curator("1")))
				default:
					waiter := fmt.Sprintf("%s%slock-%010d", path, curator("2"), 2+n%200) // it comes, and goes the next time
					if _, there := s.nodes[waiter]; there {
						s.del(waiter)
					} else {
						s.add(waiter, znode.SessionID(0x9000+n), 0, "wait")
					}
				}
			}
			d.Wait(time.Second).Sync()
			if now, is := cursor(); now != at || is != name || d.app.desk.Model().Path != picked {
				t.Fatalf("by %s: after %d s the cursor is on line %d, %q, and was on %d, %q", by, i+1, now, is, at, name)
			}
			after := d.recipes()
			kept := slices.DeleteFunc(after, func(x string) bool { return !slices.Contains(before, x) })
			if was := slices.DeleteFunc(before, func(x string) bool { return !slices.Contains(kept, x) }); !slices.Equal(was, kept) {
				t.Fatalf("by %s: rows changed places: %v, then %v", by, was, kept)
			}
		}
	}
}

// What all paths begin with is said once, in the title, also when a filter makes it longer.
func TestWhatPathsHaveInCommonIsSaidOnce(t *testing.T) {
	s := lines(1, 2)
	d := drive(t, s, 120, 40)
	d.See("PATH in /prod/locks", "lock l0 app-0").SeeNot("lock /prod")
	s.add("/prod/leader/"+curator("4")+"latch-0000000001", 0x120, time.Minute, "boss")
	d.Sync().See("PATH in /prod ", "lock locks/l0 app-0", "election leader boss")
	s.add("/other/"+curator("5")+"lock-0000000001", 0x121, time.Minute, "far")
	d.Sync().See("lock /prod/locks/l0 app-0", "lock /other far").SeeNot("PATH in")
	d.Press("/").Type("locks").Press("enter").See("PATH in /prod/locks")
}

// What comes and goes above the screen does not move what is on it.
func TestTheScreenHoldsStillWhenRowsComeAbove(t *testing.T) {
	s := newStage()
	for i := range 100 {
		s.add(fmt.Sprintf("/locks/m%02d/%slock-0000000001", i, curator("1")), 0x100, time.Minute, "app")
	}
	d := drive(t, s, 120, 40)
	d.Press("G", "k", "k")
	at := d.lineOf(" m90 ")
	for i := range 3 {
		s.add(fmt.Sprintf("/locks/a%d/%slock-0000000001", i, curator("2")), 0x101, 0, "first")
		d.Sync()
		if now := d.lineOf(" m90 "); now != at {
			t.Fatalf("m90 went from row %d to %d", at, now)
		}
	}
}

// Findings of a sort stand together, and the first of them says how many there are.
func TestFindingsOfASortAreCounted(t *testing.T) {
	s := lines(1, 2, 3)
	no := false
	s.sessions = map[znode.SessionID]znode.Session{}
	for i := range 3 {
		s.sessions[znode.SessionID(0x100+i)] = znode.Session{Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Minute)}
	}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	d := drive(t, s, 80, 24)
	d.See("owner-disconnected ×3", "l0", "[Recipes]")
	if d.app.desk.List.Head() != 3 {
		t.Errorf("%d rows need attention\n%s", d.app.desk.List.Head(), d.Text())
	}
	d = drive(t, s, 60, 16)
	d.See("+2", "owner-disconnected ×3").Press("g", "j").See("▸● owner-disconnected", "↑1 +1")
}

// Under a filter that hides what needs attention it is not said that nothing does.
func TestAFilterDoesNotHideThatSomethingNeedsAttention(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("nightly").Press("enter").See("▲ 1 urgent outside this filter; none inside")
}

// The bar of views is the same whatever is shown, but for the brackets.
func TestTheBarOfViewsHoldsStill(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		d := drive(t, town(), size[0], size[1])
		bar := func() string {
			return strings.NewReplacer("[", " ", "]", " ", "▲", " ").Replace(strings.Split(d.Text(), "\n")[1])
		}
		first := bar()
		for _, v := range view.All {
			if v.Key == "" {
				continue
			}
			if d.Press(v.Key); size[0] > 60 && bar() != first {
				t.Errorf("%v: %s\nis\n%q, was\n%q", size, v.Name, bar(), first)
			}
		}
	}
}

// A client that is gone is one thing that needs attention, however many claims it has; a key on its row asks which is meant.
func TestASessionIsOneRowWhateverItHolds(t *testing.T) {
	s := newStage()
	no, yes := false, true
	for i := range 5 {
		s.add(fmt.Sprintf("/locks/l%d/%slock-0000000001", i, curator("1")), 0x100, time.Minute, "dead-1")
	}
	s.add("/locks/l0/"+curator("2")+"lock-0000000002", 0x101, time.Minute, "other")
	s.sessions = map[znode.SessionID]znode.Session{0x100: {Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Minute)},
		0x101: {Timeout: 30 * time.Second, Connected: &yes}}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	d := drive(t, s, 120, 40)
	d.See("owner-disconnected", "l0 +4", "dead-1 (holder) has no connection").SeeNot("×")
	if n := d.app.desk.List.Head(); n != 1 {
		t.Fatalf("%d rows need attention\n%s", n, d.Text())
	}
	d.Press("g", "b").See("which of these?", "/locks/l4")
	d.Press("esc")
	s.del("/locks/l0/"+curator("1")+"lock-0000000001").add("/locks/l0/"+curator("3")+"lock-0000000003", 0x100, 0, "dead-1")
	if d.Sync(); d.app.desk.List.At() != 0 || d.app.desk.List.Head() != 1 {
		t.Errorf("its row did not stay selected when it lost a claim\n%s", d.Text())
	}
}

// A kind in the overview leads to the recipes of that kind.
func TestTheOverviewLeadsToAKind(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("2", "/").Type("elections").Press("enter", "enter").See("[1 Recipes]", "1 recipe of 4 with =election")
}

// A deadlock and a place of ours show in the bar of views, wherever one is.
func TestTheBarTellsOfDeadlocksAndPlaces(t *testing.T) {
	d := drive(t, asked(town()), 120, 40)
	d.See("3 Waits▲").Press("3").See("[3 Waits]").SeeNot("Waits▲")
	d, _ = joining(t, town())
	d.SeeNot("8 Joined◆").Press("/").Type("nightly").Press("enter", "J", "tab", "enter", "1").See("8 Joined◆")
}

// The age of what needs attention does not depend on a filter that hides it for a while.
func TestAFilterDoesNotMakeAFindingYoung(t *testing.T) {
	s := lines(1, 2)
	d := drive(t, s, 120, 40)
	phantomOf := "/prod/locks/l0/" + curator("1") + "lock-0000000002"
	s.add(phantomOf, 0x100, 0, "app-0")
	d.Wait(time.Second).Sync().Wait(time.Minute).See("phantom-claim 1m")
	d.Press("/").Type("l1").Press("enter").See("▲ 1 urgent outside this filter").Wait(5*time.Second).Press("/", "esc").See("phantom-claim 1m5s")
}

// What is wrong with a session is one row, and has not gone when a filter that kept one of its recipes is taken away: the selection
// stays with that recipe.
func TestAFilterDoesNotEndWhatIsWrongWithASession(t *testing.T) {
	s := newStage()
	for i := range 3 {
		s.add(fmt.Sprintf("/prod/locks/l%d/%slock-0000000001", i, curator("1")), 0x100, time.Minute, "app-0")
	}
	no := false
	s.sessions = map[znode.SessionID]znode.Session{0x100: {Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Hour)}}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}, {Addr: "zk2:2181"}}
	d := drive(t, s, 120, 40)
	d.See("owner-disconnected l0 +2")
	d.Press("/").Type("l1").Press("enter").See("owner-disconnected l1", "▸").Press("esc").See("owner-disconnected l0 +2").SeeNot("-owner-disconnected", "not known now")
	if m := d.app.desk.Model(); m == nil || m.Path != "/prod/locks/l1" {
		t.Errorf("on %v", m)
	}
}

// A finding about a session that comes to stand for another recipe is a shift: a key that acts waits for the next press.
func TestASessionsFindingThatGoesOverToAnotherRecipeIsAShift(t *testing.T) {
	s := newStage()
	for i := range 2 {
		s.add(fmt.Sprintf("/prod/locks/l%d/%slock-0000000001", i, curator("1")), 0x100, time.Minute, "app-0")
	}
	no := false
	s.sessions = map[znode.SessionID]znode.Session{0x100: {Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Hour)}}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	d := drive(t, s, 120, 40)
	d.See("owner-disconnected l0 +1")
	s.del("/prod/locks/l0/" + curator("1") + "lock-0000000001")
	d.Sync().See("owner-disconnected l1").Hammer("b").See("the selection has just moved")
}

// What only servers tell has not cleared where one of them does not answer any more.
func TestAFindingDoesNotClearBecauseAServerDied(t *testing.T) {
	s := lines(1)
	no := false
	s.sessions = map[znode.SessionID]znode.Session{0x100: {Timeout: 30 * time.Second, Connected: &no, ExpiresAt: noon.Add(time.Hour)}}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}, {Addr: "zk2:2181", Answered: true}}
	d := drive(t, s, 120, 40)
	d.See("owner-disconnected")
	s.sessions, s.servers = map[znode.SessionID]znode.Session{}, []znode.Server{{Addr: "zk1:2181", Answered: true}, {Addr: "zk2:2181"}}
	d.Wait(time.Second).Sync().See("-owner-disconnected", "not known now: not every server answers").SeeNot("cleared")
}

// A kind narrows to its first recipe, also from the end of a long table.
func TestNarrowingBeginsAtTheFirst(t *testing.T) {
	s := newStage()
	for i := range 100 {
		s.add(fmt.Sprintf("/locks/m%02d/%slock-0000000001", i, curator("1")), 0x100, time.Minute, "app")
	}
	d := drive(t, s, 80, 24)
	d.Press("G", ":").Type("locks").Press("enter").See("▸ lock m00")
}

// A filter that is opened again is replaced by what is typed, and edited where a key goes into it.
func TestAFilterOpenedAgainIsReplaced(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.Press("/").Type("nightly").Press("enter", "/").Type("orders").See("/orders_").Press("enter", "/", "left").Type("x").See("/orderx_s")
}

// Without a connection it is not said that nothing needs attention now.
func TestNothingIsCalmWithoutAConnection(t *testing.T) {
	s := lines(1)
	yes := true
	s.sessions = map[znode.SessionID]znode.Session{0x100: {Timeout: 30 * time.Second, Connected: &yes}}
	s.servers = []znode.Server{{Addr: "zk1:2181", Answered: true}}
	d := drive(t, s, 120, 40)
	d.See("✓ nothing needs attention")
	s.lost = s.now
	d.Wait(10 * time.Second).Sync().See("? nothing needs attention in 1 recipe; there is no connection: that is how it was at 12:00:00").SeeNot("✓ nothing")
}

// Every table sorts by o, O and :sort; what has come since stands at the end until it is sorted anew, and the order stays while
// the console runs.
func TestEveryTableIsSorted(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	order := func(texts ...string) {
		t.Helper()
		at := 0
		for _, x := range texts {
			i := strings.Index(d.Text()[at:], x)
			if i < 0 {
				t.Fatalf("not in the order %q:\n%s", texts, d.Text())
			}
			at += i
		}
	}
	for i, at := range []time.Duration{0, time.Minute, 2 * time.Minute} {
		s.done = append(s.done, actions.Record{At: noon.Add(at), Stage: "done", User: []string{"mia", "eve", "zoe"}[i], Recipe: "/r"})
	}
	d.Press("9").See("TIME↓")
	order("zoe", "eve", "mia")
	d.Press("O").See("TIME↑", "sorted by [time] stage user ensemble path, reversed")
	order("mia", "eve", "zoe")
	d.Press("O", ":").Type("sort user").Press("enter").See("USER↓")
	order("eve", "mia", "zoe")
	d.Press("esc", "9").See("USER↓")
	s.done = append(s.done, actions.Record{At: noon, Stage: "done", User: "ann", Recipe: "/r"})
	d.app.shown.Audit = s.done
	d.Wait(time.Second).See("USER⇣")
	order("eve", "mia", "zoe", "ann")
	d.Press("ctrl+l").See("USER↓")
	order("ann", "eve", "mia", "zoe")
	d.Press("4", "o").See("sorted by trouble [session] name").Press("o", "o", "o", "o", "o").See("CLAIMS↓").Press("o").SeeNot("↓")
	d.Press("3", "o").See("WHO↓", "sorted by behind [who] for path").Press("5", "o").See("sorted by time [path]").Press("8", "o").See("sorted by taken [place]")
	d.Press(":").Type("sort kind").Press("enter").See("[kind]").Press("6", "o").See("one order only")
	d.Press("1").See("KIND↓")
}

// The columns of the table of recipes are chosen by name.
func TestColumnsAreChosen(t *testing.T) {
	d := drive(t, town(), 120, 40)
	d.See("KIND↓ PATH", "HOLDER/STATE HELD WAITING")
	run := func(text string) { d.Press(":").Type(text).Press("enter") }
	run("columns +claims +dialect -held")
	d.See("KIND↓ DIALECT PATH HOLDER/STA… CLAIMS WAITING", "curator", "columns: [kind] [dialect] [path] [holder] held [claims] [waiting]").SeeNot("HELD  WAITING")
	run("columns held, holder")
	d.See("PATH HOLDER/STATE HELD │").SeeNot("KIND")
	run("columns size")
	d.See("no column is called size; there are kind, dialect, path")
	run("columns usual")
	d.See("KIND↓ PATH", "HOLDER/STATE HELD WAITING")
}
