package waits_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// waitsTree makes a snapshot of lines: each entry is dir, and then the sessions in the order in which they came. All
// came to hold before anybody came to wait.
func waitsTree(lines map[string][]znode.SessionID) *znode.Snapshot {
	root := &znode.Node{Czxid: 1}
	locks := &znode.Node{Name: "locks", Czxid: 2}
	dirs := sortedNames(lines)
	for i, dir := range dirs {
		d := &znode.Node{Name: dir, Czxid: znode.Zxid(3 + i)}
		for place, id := range lines[dir] {
			zxid := znode.Zxid(10 + len(dirs)*(place+1) + i)
			d.Children = append(d.Children, &znode.Node{Name: fmt.Sprintf("%032x__lock__%010d", place, place), Owner: id, Czxid: zxid, Ctime: znode.Millis(1000_000 + int64(zxid)*1000), Data: []byte(fmt.Sprintf("job-%d", id))})
		}
		d.NumChildren = int32(len(d.Children))
		locks.Children = append(locks.Children, d)
	}
	locks.NumChildren = int32(len(locks.Children))
	root.Children, root.NumChildren = []*znode.Node{locks}, 1
	return &znode.Snapshot{Root: root, Base: "/", TakenAt: time.UnixMilli(2000_000).UTC(), Complete: true}
}

func sortedNames(m map[string][]znode.SessionID) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func weighed(lines map[string][]znode.SessionID) *waits.Waits {
	return waits.Of(inspect.Decode(waitsTree(lines), nil, model.Hints{}), nil)
}

func TestTwoLocksTwoSessionsOneDeadlock(t *testing.T) {
	w := weighed(map[string][]znode.SessionID{"a": {1, 2, 7}, "b": {2, 1}})
	if len(w.Cycles) != 1 || len(w.Edges) != 3 || w.Cycles[0].Proof != model.Likely || w.Cycles[0].Behind != 1 {
		t.Fatalf("%d edges, cycles %+v", len(w.Edges), w.Cycles)
	}
	c := w.Cycles[0]
	if v := c.Breaks[c.Victim]; v.Session != 2 || v.Path != "/locks/b" || v.Next != "job-1" {
		t.Errorf("victim %+v", v)
	}
	res := w.WithDeadlocks()
	if f := res.Findings; len(f) == 0 || f[0].Code != model.CodeDeadlock || f[0].Severity != model.Medium || !strings.Contains(f[0].Text, "job-1 (0x1)") {
		t.Errorf("%+v", f)
	}
	if len(w.Roots) != 0 {
		t.Errorf("roots of a circle: %+v", w.Roots)
	}
	if r := story.NewReport(res); len(r.Findings) == 0 || r.Findings[0].Code != "deadlock" {
		t.Errorf("%+v", r.Findings)
	}
}

// Who only stands in line between two members of a circle is none of its members: breaking its claim frees nobody.
func TestWhoStandsBetweenIsNoMember(t *testing.T) {
	w := weighed(map[string][]znode.SessionID{"a": {1, 9, 2}, "b": {2, 8, 1}})
	if len(w.Cycles) != 1 || len(w.Cycles[0].Waits) != 2 || w.Cycles[0].Behind != 2 {
		t.Fatalf("%+v", w.Cycles)
	}
	for _, b := range w.Cycles[0].Breaks {
		if b.Session > 2 || !model.Holding(b.Claim.Role()) || b.Next == "" {
			t.Errorf("%+v", b)
		}
	}
}

// Where another reader stays, breaking a reader's claim lets nobody hold: the other way out is better.
func TestTheWayOutLetsSomebodyHold(t *testing.T) {
	s := script.New(t)
	s.Apply(`/x/00000000000000000000000000000001__rlock__0000000000 owner=A z=20
/x/00000000000000000000000000000002__rlock__0000000001 owner=C z=3
/y/00000000000000000000000000000003__lock__0000000000 owner=B z=4
/x/00000000000000000000000000000004__lock__0000000002 owner=B z=21
/y/00000000000000000000000000000005__lock__0000000001 owner=A z=22`)
	w := waits.Of(inspect.Decode(s.Snapshot(), nil, model.Hints{}), nil)
	if len(w.Cycles) != 1 {
		t.Fatalf("%+v", w.Cycles)
	}
	c := w.Cycles[0]
	if v := c.Breaks[c.Victim]; v.Path != "/y" || v.Next == "" || v.Session != script.SessionIDs["B"] {
		t.Errorf("%+v: %s", v, c.Reason)
	}
	for _, b := range c.Breaks {
		if b.Path == "/x" && b.Next != "" {
			t.Errorf("the case is no longer the case: %+v", b)
		}
	}
}

// A session that waits in two places is two threads: what one of them will hold is not kept by the wait of the other.
func TestTwoWaitsOfASessionAreNoLink(t *testing.T) {
	if w := weighed(map[string][]znode.SessionID{"billing": {1, 2}, "orders": {9, 2, 1}}); len(w.Cycles) != 0 {
		t.Errorf("%+v", w.Cycles)
	}
}

func TestChainsAndCirclesOfThree(t *testing.T) {
	if w := weighed(map[string][]znode.SessionID{"a": {1, 2}, "b": {2, 3}, "c": {3, 4}}); len(w.Cycles) != 0 || len(w.Roots) != 1 || w.Roots[0].Session != 1 || w.Roots[0].Blocks != 3 {
		t.Errorf("a chain: cycles %+v, roots %+v", w.Cycles, w.Roots)
	}
	w := weighed(map[string][]znode.SessionID{"a": {1, 2}, "b": {2, 3}, "c": {3, 1}})
	if len(w.Cycles) != 1 || len(w.Cycles[0].Waits) != 3 {
		t.Fatalf("%+v", w.Cycles)
	}
	for i, e := range w.Cycles[0].Waits {
		if next := w.Cycles[0].Waits[(i+1)%3]; e.To != next.From {
			t.Errorf("edge %d leads to %v, the next begins at %v", i, e.To, next.From)
		}
	}
}

// A session that waits for a lease waits for any holder: it is stuck only when all of them are.
func TestSemaphoresAreStuckOnlyWhenAllHoldersAre(t *testing.T) {
	tree := func(second znode.SessionID) *waits.Waits {
		s := waitsTree(map[string][]znode.SessionID{"a": {9, 1}})
		sem := &znode.Node{Name: "sem", Czxid: 500, Data: []byte("2"), NumChildren: 2}
		for i, id := range []znode.SessionID{1, second} {
			sem.Children = append(sem.Children, &znode.Node{Name: fmt.Sprintf("%032x", i), Owner: id, Czxid: znode.Zxid(5 + i), Data: []byte("h")})
		}
		line := &znode.Node{Name: "sem-__lock__", Czxid: 600, NumChildren: 1, Children: []*znode.Node{{Name: strings.Repeat("c", 32) + "__lock__0000000000", Owner: 9, Czxid: 601}}}
		s.Root.Children = append(s.Root.Children, sem, line)
		s.Root.NumChildren = 3
		return waits.Of(inspect.Decode(s, nil, model.Hints{}), nil)
	}
	if w := tree(5); len(w.Cycles) != 0 || len(w.Edges) != 3 {
		t.Errorf("another holder may let go: %d edges, %+v", len(w.Edges), w.Cycles)
	}
	if w := tree(1); len(w.Cycles) != 1 {
		t.Errorf("all holders wait for the waiter: %+v", w.Edges)
	}
}

// Two processes that lead one election each and stand by for the other's are how elections are used.
func TestStandingByIsNoDeadlock(t *testing.T) {
	s := waitsTree(map[string][]znode.SessionID{})
	for _, dir := range []string{"e1", "e2"} {
		ids := []znode.SessionID{1, 2}
		if dir == "e2" {
			ids = []znode.SessionID{2, 1}
		}
		d := &znode.Node{Name: dir, Czxid: 50, NumChildren: 2}
		for i, id := range ids {
			d.Children = append(d.Children, &znode.Node{Name: fmt.Sprintf("_c_0000000%d-1111-4222-8333-000000000001-latch-%010d", i, i), Owner: id, Czxid: znode.Zxid(51 + i)})
		}
		s.Root.Children = append(s.Root.Children, d)
	}
	s.Root.Children = s.Root.Children[1:]
	s.Root.NumChildren = 2
	w := waits.Of(inspect.Decode(s, nil, model.Hints{}), nil)
	if len(w.Edges) != 2 || w.Edges[0].Model.Kind != layout.Election || len(w.Cycles) != 0 {
		t.Errorf("%d edges, cycles %+v", len(w.Edges), w.Cycles)
	}
}

// A counter that wraps lets the newest claim pass who waits, where clients compare numbers. A session that queues again
// passes nobody: it is its claims that wait, not the session.
func TestOvertakesAreSeenBetweenTwoPictures(t *testing.T) {
	line := func(claims ...string) *znode.Snapshot {
		text := `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","complete":true}` + "\n"
		for i, c := range claims {
			name, owner, _ := strings.Cut(c, " ")
			text += fmt.Sprintf(`{"path":"/locks/a/%s","owner":"%s","czxid":%d,"text":"job-%s"}`, name, owner, 10+i, owner) + "\n"
		}
		return script.SnapshotFrom(t, text)
	}
	steps := func(a, b *znode.Snapshot) []waits.Overtake {
		before := waits.Of(inspect.Decode(a, nil, model.Hints{}), nil)
		return waits.Of(inspect.Decode(b, before.Result, model.Hints{}), before).Overtakes
	}
	got := steps(line("lock-2147483646 0x1", "lock-2147483647 0x2"), line("lock-2147483646 0x1", "lock-2147483647 0x2", "lock--2147483648 0x3").WithDeleted("/locks/a/lock-2147483646"))
	if len(got) != 1 || got[0].Winner.Session != 3 || len(got[0].Passed) != 1 || got[0].Passed[0].Session != 2 {
		t.Fatalf("%+v", got)
	}
	if text := got[0].String(); !strings.Contains(text, "job-0x3 got /locks/a before job-0x2") {
		t.Error(text)
	}
	three := line("lock-0000000001 0x1", "lock-0000000002 0x2", "lock-0000000003 0x3", "lock-0000000004 0x2")
	if got := steps(three.WithDeleted("/locks/a/lock-0000000004"), three.WithDeleted("/locks/a/lock-0000000001").WithDeleted("/locks/a/lock-0000000002")); len(got) != 0 {
		t.Errorf("2 had its turn and queues again: %+v", got)
	}
	if got := steps(three, three.WithDeleted("/locks/a/lock-0000000001")); len(got) != 0 {
		t.Errorf("in turn: %+v", got)
	}
}

func TestSignsCountDownAndNeverBelowZero(t *testing.T) {
	s := waitsTree(map[string][]znode.SessionID{"a": {1, 2}})
	no, yes := false, true
	s.Servers = []znode.Server{{Addr: "s1", Answered: true, Tier: "4lw"}}
	s.Sessions = map[znode.SessionID]znode.Session{
		1: {ID: 1, Addr: "10.0.0.7:1", Connected: &no, Timeout: 10 * time.Second, ExpiresAt: s.TakenAt.Add(7 * time.Second), Within: time.Second},
		2: {ID: 2, Addr: "10.0.0.8:1", Connected: &yes}, 3: {ID: 3, Addr: "10.0.0.7:9", Connected: &yes},
	}
	r := inspect.Decode(s, nil, model.Hints{})
	m := r.ByPath("/locks/a")
	got := signText(model.Signs(r, m, &m.Claims[0]), s.TakenAt)
	for _, w := range []string{"connection stale session 0x1 is in no server's connections (1/1 servers answered)", "expires in 7s (", "give or take 1s",
		"silent since about 00:33:17 UTC", "10.0.0.7 is back with a newer session, 0x3", "its znode is "} {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	if late := signText(model.Signs(r, m, &m.Claims[0]), s.TakenAt.Add(time.Minute)); !strings.Contains(late, "any moment now") || strings.Contains(late, "-") && strings.Contains(late, " in -") {
		t.Error(late)
	}
	if got := signText(model.Signs(r, m, &m.Claims[1]), s.TakenAt); !strings.Contains(got, "connection alive") {
		t.Error(got)
	}
	s.Servers = append(s.Servers, znode.Server{Addr: "s2"})
	delete(s.Sessions, 1)
	r = inspect.Decode(s, nil, model.Hints{})
	m = r.ByPath("/locks/a")
	if got := signText(model.Signs(r, m, &m.Claims[0]), s.TakenAt); !strings.Contains(got, "connection unknown") || !strings.Contains(got, "1/2 servers answered") || strings.Contains(got, "stale") {
		t.Error(got)
	}
}

func signText(signs []model.Sign, now time.Time) string {
	var b strings.Builder
	for _, s := range signs {
		fmt.Fprintf(&b, "%s %s %s\n", s.Code, s.Leans, s.Line(now))
	}
	return b.String()
}

func TestImpactNamesWhoIsNext(t *testing.T) {
	r := inspect.Decode(waitsTree(map[string][]znode.SessionID{"a": {1, 2}, "b": {1}, "c": {2, 1}}), nil, model.Hints{})
	im := waits.ImpactOf(r, 1)
	if im.Unsafe != 1 || len(im.Releases) != 3 || im.Releases[0].Model.Path != "/locks/b" || im.Releases[0].Safe != model.No {
		t.Fatalf("%+v", im)
	}
	if rel := im.Releases[1]; len(rel.Next) != 1 || rel.Next[0].Owner() != "job-2" || rel.Wakes != nil || rel.Safe != model.NotKnown {
		t.Errorf("%+v", rel)
	}
	if one := im.Releases[0].Text; !strings.Contains(one, "nobody waits for it") {
		t.Error(one)
	}
	both := waits.ImpactOf(r, 1, 2)
	if both.Unsafe == 0 {
		t.Fatalf("%+v", both)
	}
	for _, rel := range both.Releases {
		if rel.Claim.Role() == model.Holder && strings.Contains(rel.Text, "everyone in line goes with it") != (len(rel.Model.Claims) > 1) {
			t.Error(rel.Text)
		}
	}
	if got := waits.SessionsFor(r, "job-2"); len(got) != 1 || got[0] != 2 {
		t.Error(got)
	}
}

// The most telling name that any znode of a session carries is what it is called.
func TestLabels(t *testing.T) {
	s := waitsTree(map[string][]znode.SessionID{"a": {1}, "b": {1}})
	s.Root.Children[0].Children[0].Children[0].Data = []byte("10.0.0.7")
	r := inspect.Decode(s, nil, model.Hints{})
	if got := waits.Labels(r)[1]; got != "job-1" {
		t.Error(got)
	}
	if who := waits.Who(r, 1); len(who.Claims) != 2 || who.Name != "job-1" || who.Watches != nil {
		t.Errorf("%+v", who)
	}
}

// Whatever stands in the tree, the graph's outputs are safe and the JSON has no null list.
func TestGraphOutputs(t *testing.T) {
	w := weighed(map[string][]znode.SessionID{"a\"\x1b[2J": {1, 2}, "b": {2, 1}, "p": {0, 3}})
	dot := story.Dot(w)
	if strings.ContainsRune(dot, '\x1b') || !strings.Contains(dot, "color=red") || !strings.Contains(dot, `\"`) {
		t.Error(dot)
	}
	raw, err := json.Marshal(story.NewGraphReport(w))
	if err != nil || strings.Contains(string(raw), "\x1b") {
		t.Fatal(err, string(raw))
	}
	for _, list := range []string{`"edges":null`, `"cycles":null`, `"roots":null`, `"herds":null`} {
		if strings.Contains(string(raw), list) {
			t.Error(list)
		}
	}
	if !strings.Contains(string(raw), `"to":null`) {
		t.Errorf("a znode without a session is no session: %s", raw)
	}
}

func BenchmarkOf(b *testing.B) {
	r := inspect.Decode(script.BigTree(10000, 9), nil, model.Hints{})
	b.ResetTimer()
	for b.Loop() {
		waits.Of(r, nil)
	}
}

// Sessions that wait for each other in many lines are told at the price of the claims, not of the pairs of them.
func TestTwoSessionsInManyLines(t *testing.T) {
	const n = 1000
	lines := map[string][]znode.SessionID{}
	for i := range n {
		lines[fmt.Sprintf("a%04d", i)] = []znode.SessionID{0xa, 0xb}
		lines[fmt.Sprintf("b%04d", i)] = []znode.SessionID{0xb, 0xa}
	}
	res := inspect.Decode(waitsTree(lines), nil, model.Hints{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := waits.Of(res, nil)
	runtime.ReadMemStats(&after)
	if len(w.Cycles) != 1 {
		t.Errorf("%d cycles", len(w.Cycles))
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / (4 * n); each > 3000 {
		t.Errorf("%d bytes a claim", each)
	}
}

// Who waits for another claim of a session in a circle is behind it only if one thread has both: that is not counted as known.
func TestWhoIsBehindACircleOnlyPerhaps(t *testing.T) {
	for _, x := range []struct {
		lines map[string][]znode.SessionID
		says  string
	}{
		{map[string][]znode.SessionID{"a": {1, 2}, "b": {2, 1}}, ""},
		{map[string][]znode.SessionID{"a": {1, 2, 7}, "b": {2, 1}}, "1 more waiting behind it"},
		{map[string][]znode.SessionID{"a": {1, 2}, "b": {2, 1}, "0": {1, 7}}, "1 more may be waiting behind it"},
		{map[string][]znode.SessionID{"a": {1, 2, 8}, "b": {2, 1, 9}, "0": {1, 7}}, "2 more waiting behind it, and perhaps 1"},
	} {
		w := weighed(x.lines)
		if len(w.Cycles) != 1 || w.Cycles[0].Crowd(strconv.Itoa) != x.says {
			t.Errorf("%v: %d cycles, %+v", x.lines, len(w.Cycles), w.Cycles)
		}
	}
}
