package order_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
)

// the random parts of names
const (
	orderUUID = "0123abcd-1111-4222-8333-44445555aaaa"
	orderHex  = "0123456789abcdef0123456789abcdef"
)

func contenders(names ...string) []order.Contender {
	out := make([]order.Contender, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}

func TestTurn(t *testing.T) {
	h := func(i int) string { return fmt.Sprintf("%032x", i) }
	mixed := contenders("config", h(1)+"__lock__0000000003", h(2)+"__rlock__0000000001", h(3)+"__rlock__0000000002",
		h(4)+"__rlock__0000000004", "-1")
	for _, tt := range []struct {
		what string
		line []order.Contender
		mine string
		want order.Turn
	}{
		{"the lowest holds", contenders("lock-0000000007", "lock-0000000003"), "lock-0000000003",
			order.Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"another waits for the one ahead", contenders("lock-0000000007", "lock-0000000009", "lock-0000000003"),
			"lock-0000000009",
			order.Turn{Found: true, Position: 2, Watch: "lock-0000000007", Why: "waits for the one ahead"}},
		{"gone", contenders("lock-0000000007"), "lock-0000000003", order.Turn{}},
		{"nobody", nil, "lock-0000000003", order.Turn{}},
		{"foreign children never hold and are never waited for", contenders("!", "0", "config", "n_0000000005"),
			"n_0000000005",
			order.Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"readers hold together", mixed, h(3) + "__rlock__0000000002",
			order.Turn{Found: true, Holds: true, Position: 1, Why: "no writer ahead"}},
		{"a writer waits for the reader ahead", mixed, h(1) + "__lock__0000000003",
			order.Turn{Found: true, Position: 2, Watch: h(3) + "__rlock__0000000002", Why: "waits for the one ahead"}},
		{"a reader waits for the writer, not for readers", mixed, h(4) + "__rlock__0000000004",
			order.Turn{Found: true, Position: 3, Watch: h(1) + "__lock__0000000003", Why: "waits for a writer ahead"}},
		{"integers: negative numbers first", contenders("lock-2147483647", "lock--2147483648", "lock--2147483647"),
			"lock--2147483648",
			order.Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"text: the larger magnitude last", contenders(h(1)+"__lock__2147483647", h(2)+"__lock__-2147483648", h(3)+
			"__lock__-2147483647"), h(3) + "__lock__-2147483647",
			order.Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"magnitude: the sign is lost", contenders("x-010000a1b2c30001-2147483647", "x-010000a1b2c30002--2147483648"),
			"x-010000a1b2c30001-2147483647",
			order.Turn{Found: true, Holds: true, Why: "lowest sequence"}},
	} {
		if got := (order.Rule{}).Turn(tt.line, tt.mine); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.what, got, tt.want)
		}
	}
}

func TestTurnOfUnknownNames(t *testing.T) {
	line := contenders("a-0000000002", "b-0000000001")
	if got := (order.Rule{}).Turn(line, "a-0000000002"); !got.Holds {
		t.Errorf("unknown names were waited for: %+v", got)
	}
	want := order.Turn{Found: true, Position: 1, Watch: "b-0000000001", Why: "waits for the one ahead"}
	if got := (order.Rule{Dialect: layout.Generic}).Turn(line, "a-0000000002"); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTurnWithinLimit(t *testing.T) {
	line := contenders("lock-0000000001", "lock-0000000002", "lock-0000000003", "lock-0000000004")
	r := order.Rule{Limit: 2}
	if got := r.Turn(line, "lock-0000000002"); !got.Holds {
		t.Errorf("second of two: %+v", got)
	}
	if got := r.Turn(line, "lock-0000000004"); got.Holds || got.Watch != "lock-0000000002" {
		t.Errorf("fourth: %+v", got)
	}
}

func TestTurnDowngrade(t *testing.T) {
	w := "_c_" + orderUUID + "-__WRIT__0000000000"
	r := "_c_" + orderUUID + "-__READ__0000000001"
	line := []order.Contender{{Name: w, Czxid: 1, Session: 7}, {Name: r, Czxid: 2, Session: 7}}
	if got := (order.Rule{Dialect: layout.Curator}).Turn(line, r); !got.Holds {
		t.Errorf("the writer's own reader: %+v", got)
	}
	line[1].Session = 8
	if got := (order.Rule{Dialect: layout.Curator}).Turn(line, r); got.Holds || got.Watch != w {
		t.Errorf("another reader: %+v", got)
	}
}

// anyLine draws the children of a directory: claims of a few layouts under one counter, and others.
func anyLine(t *rapid.T) []order.Contender {
	words := rapid.SampledFrom([][]string{
		{"lock-"}, {"read-", "write-"}, {orderHex + "__lock__", orderHex + "__rlock__"}, {"n_"},
		{"_c_" + orderUUID + "-__READ__", "_c_" + orderUUID + "-__WRIT__"},
		{"lock-", orderHex + "__lock__", "_c_" + orderUUID + "-lock-"},
	}).Draw(t, "words")
	seqs := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int32Range(0, 20), rapid.Int32()), 0, 12,
		rapid.ID[int32]).Draw(t, "seqs")
	var out []order.Contender
	for i, s := range seqs {
		name := rapid.SampledFrom(words).Draw(t, "word") + layout.SequenceText(s)
		out = append(out, order.Contender{Name: name, Czxid: znode.Zxid(i + 1),
			Session: znode.SessionID(rapid.IntRange(1, 5).Draw(t, "session"))})
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"config", "0", "-", "a b"}), 0, 3,
		rapid.ID[string]).Draw(t, "foreign") {
		out = append(out, order.Contender{Name: name, Czxid: 99})
	}
	return out
}

// In any line somebody holds, nobody holds beside an exclusive claim (but its own downgrade), whoever
// waits watches a claim ahead of it, and the order in which children are listed does not matter.
func TestTurnProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		shuffled := rapid.Permutation(line).Draw(t, "shuffled")
		turns := make(map[string]order.Turn)
		claims := 0
		var holders []string
		for _, c := range line {
			turn := (order.Rule{}).Turn(line, c.Name)
			if again := (order.Rule{}).Turn(shuffled, c.Name); again != turn {
				t.Fatalf("%s: %+v, shuffled %+v", c.Name, turn, again)
			}
			if n := layout.ParseName(c.Name); !n.HasSeq {
				if turn.Found {
					t.Fatalf("%q stands in line", c.Name)
				}
				continue
			}
			claims++
			turns[c.Name] = turn
			if turn.Holds {
				holders = append(holders, c.Name)
			}
			if turn.Holds != (turn.Watch == "") {
				t.Fatalf("%s: %+v", c.Name, turn)
			}
		}
		if claims > 0 && len(holders) == 0 {
			t.Fatal("nobody holds")
		}
		checkExclusion(t, line, holders)
		for name, turn := range turns {
			if !turn.Holds && (turn.Watch == name || !turns[turn.Watch].Found ||
				turns[turn.Watch].Position >= turn.Position) {
				t.Fatalf("%s watches %s: %+v", name, turn.Watch, turns[turn.Watch])
			}
		}
	})
}

func checkExclusion(t *rapid.T, line []order.Contender, holders []string) {
	if len(holders) < 2 {
		return
	}
	sessions := make(map[znode.SessionID]bool)
	writers := 0
	for _, h := range holders {
		n := layout.ParseName(h)
		if l := layout.Of(&n, nil, ""); l.Mode != layout.Read {
			writers++
		}
		i := slices.IndexFunc(line, func(c order.Contender) bool { return c.Name == h })
		sessions[line[i].Session] = true
	}
	if writers > 1 || writers == 1 && len(sessions) > 1 {
		t.Fatalf("hold together: %q", holders)
	}
}

// Served one after the other, everybody gets a turn.
func TestTurnProgress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		line = slices.DeleteFunc(line, func(c order.Contender) bool { n := layout.ParseName(c.Name); return !n.HasSeq })
		for len(line) > 0 {
			i := slices.IndexFunc(line, func(c order.Contender) bool { return (order.Rule{}).Turn(line, c.Name).Holds })
			if i < 0 {
				t.Fatalf("stuck: %v", line)
			}
			line = slices.Delete(line, i, i+1)
		}
	})
}

// The console and the clients decide alike: for every claim that Decode finds, Turn says the same.
func TestTurnAgreesWithDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		tree := znode.NewTreeBuilder("/")
		for _, c := range line {
			n := &znode.Node{Czxid: c.Czxid, Owner: c.Session}
			tree.Add("/d/"+c.Name, n, nil)
		}
		r := inspect.Decode(&znode.Snapshot{Root: tree.Build(), Base: "/", Complete: true}, nil, model.Hints{})
		m := r.ByPath("/d")
		if m == nil {
			if slices.ContainsFunc(line, func(c order.Contender) bool { n := layout.ParseName(c.Name); return n.HasSeq }) {
				t.Fatal("no model")
			}
			return
		}
		for i := range m.Claims {
			c := &m.Claims[i]
			turn := (order.Rule{}).Turn(line, c.Node())
			if c.Reason == model.MayRead && turn.Holds && turn.Why == model.Downgraded.Words() {
				continue // the client knows which of its threads asks
			}
			if turn.Holds != model.Holding(c.Role()) || turn.Position != c.Position() {
				t.Fatalf("%s: %s at %d, Turn says %+v", c.Node(), c.Role(), c.Position(), turn)
			}
			if !turn.Holds && !slices.Contains(c.BlockedBy(), znode.Join("/d", turn.Watch)) {
				t.Fatalf("%s: blocked by %q, Turn watches %s", c.Node(), c.BlockedBy(), turn.Watch)
			}
		}
	})
}

func BenchmarkTurn1000(b *testing.B) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("%032x-lock-%010d", 1000-i, i))
	}
	line := contenders(names...)
	for b.Loop() {
		if !(order.Rule{}).Turn(line, names[999]).Found {
			b.Fatal("not found")
		}
	}
}
