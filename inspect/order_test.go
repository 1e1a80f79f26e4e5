package inspect

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func contenders(names ...string) []Contender {
	out := make([]Contender, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}

func TestTurn(t *testing.T) {
	h := func(i int) string { return fmt.Sprintf("%032x", i) }
	mixed := contenders("config", h(1)+"__lock__0000000003", h(2)+"__rlock__0000000001", h(3)+"__rlock__0000000002", h(4)+"__rlock__0000000004", "-1")
	for _, tt := range []struct {
		what string
		line []Contender
		mine string
		want Turn
	}{
		{"the lowest holds", contenders("lock-0000000007", "lock-0000000003"), "lock-0000000003",
			Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"another waits for the one ahead", contenders("lock-0000000007", "lock-0000000009", "lock-0000000003"), "lock-0000000009",
			Turn{Found: true, Position: 2, Watch: "lock-0000000007", Why: "waits for the one ahead"}},
		{"gone", contenders("lock-0000000007"), "lock-0000000003", Turn{}},
		{"nobody", nil, "lock-0000000003", Turn{}},
		{"foreign children never hold and are never waited for", contenders("!", "0", "config", "n_0000000005"), "n_0000000005",
			Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"readers hold together", mixed, h(3) + "__rlock__0000000002",
			Turn{Found: true, Holds: true, Position: 1, Why: "no writer ahead"}},
		{"a writer waits for the reader ahead", mixed, h(1) + "__lock__0000000003",
			Turn{Found: true, Position: 2, Watch: h(3) + "__rlock__0000000002", Why: "waits for the one ahead"}},
		{"a reader waits for the writer, not for readers", mixed, h(4) + "__rlock__0000000004",
			Turn{Found: true, Position: 3, Watch: h(1) + "__lock__0000000003", Why: "waits for a writer ahead"}},
		{"integers: negative numbers first", contenders("lock-2147483647", "lock--2147483648", "lock--2147483647"), "lock--2147483648",
			Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"text: the larger magnitude last", contenders(h(1)+"__lock__2147483647", h(2)+"__lock__-2147483648", h(3)+"__lock__-2147483647"), h(3) + "__lock__-2147483647",
			Turn{Found: true, Holds: true, Why: "lowest sequence"}},
		{"magnitude: the sign is lost", contenders("x-010000a1b2c30001-2147483647", "x-010000a1b2c30002--2147483648"), "x-010000a1b2c30001-2147483647",
			Turn{Found: true, Holds: true, Why: "lowest sequence"}},
	} {
		if got := (Rule{}).Turn(tt.line, tt.mine); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.what, got, tt.want)
		}
	}
}

func TestTurnOfUnknownNames(t *testing.T) {
	line := contenders("a-0000000002", "b-0000000001")
	if got := (Rule{}).Turn(line, "a-0000000002"); !got.Holds {
		t.Errorf("unknown names were waited for: %+v", got)
	}
	want := Turn{Found: true, Position: 1, Watch: "b-0000000001", Why: "waits for the one ahead"}
	if got := (Rule{Dialect: Generic}).Turn(line, "a-0000000002"); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestTurnWithinLimit(t *testing.T) {
	line := contenders("lock-0000000001", "lock-0000000002", "lock-0000000003", "lock-0000000004")
	r := Rule{Limit: 2}
	if got := r.Turn(line, "lock-0000000002"); !got.Holds {
		t.Errorf("second of two: %+v", got)
	}
	if got := r.Turn(line, "lock-0000000004"); got.Holds || got.Watch != "lock-0000000002" {
		t.Errorf("fourth: %+v", got)
	}
}

func TestTurnDowngrade(t *testing.T) {
	w := "_c_" + testUUID + "-__WRIT__0000000000"
	r := "_c_" + testUUID + "-__READ__0000000001"
	line := []Contender{{w, 1, 7}, {r, 2, 7}}
	if got := (Rule{Dialect: Curator}).Turn(line, r); !got.Holds {
		t.Errorf("the writer's own reader: %+v", got)
	}
	line[1].Session = 8
	if got := (Rule{Dialect: Curator}).Turn(line, r); got.Holds || got.Watch != w {
		t.Errorf("another reader: %+v", got)
	}
}

// anyLine draws the children of a directory: claims of a few layouts under one counter, and others.
func anyLine(t *rapid.T) []Contender {
	words := rapid.SampledFrom([][]string{
		{"lock-"}, {"read-", "write-"}, {testHex + "__lock__", testHex + "__rlock__"}, {"n_"},
		{"_c_" + testUUID + "-__READ__", "_c_" + testUUID + "-__WRIT__"},
		{"lock-", testHex + "__lock__", "_c_" + testUUID + "-lock-"},
	}).Draw(t, "words")
	seqs := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int32Range(0, 20), rapid.Int32()), 0, 12, rapid.ID[int32]).Draw(t, "seqs")
	var out []Contender
	for i, s := range seqs {
		name := rapid.SampledFrom(words).Draw(t, "word") + SequenceText(s)
		out = append(out, Contender{name, Zxid(i + 1), SessionID(rapid.IntRange(1, 5).Draw(t, "session"))})
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"config", "0", "-", "a b"}), 0, 3, rapid.ID[string]).Draw(t, "foreign") {
		out = append(out, Contender{Name: name, Czxid: 99})
	}
	return out
}

// In any line somebody holds, nobody holds beside an exclusive claim (but its own downgrade), whoever
// waits watches a claim ahead of it, and the order in which children are listed does not matter.
func TestTurnProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		shuffled := rapid.Permutation(line).Draw(t, "shuffled")
		turns := make(map[string]Turn)
		claims := 0
		var holders []string
		for _, c := range line {
			turn := (Rule{}).Turn(line, c.Name)
			if again := (Rule{}).Turn(shuffled, c.Name); again != turn {
				t.Fatalf("%s: %+v, shuffled %+v", c.Name, turn, again)
			}
			if n := ParseName(c.Name); !n.HasSeq {
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
			if !turn.Holds && (turn.Watch == name || !turns[turn.Watch].Found || turns[turn.Watch].Position >= turn.Position) {
				t.Fatalf("%s watches %s: %+v", name, turn.Watch, turns[turn.Watch])
			}
		}
	})
}

func checkExclusion(t *rapid.T, line []Contender, holders []string) {
	if len(holders) < 2 {
		return
	}
	sessions := make(map[SessionID]bool)
	writers := 0
	for _, h := range holders {
		n := ParseName(h)
		if l := layoutOf(&n, nil, ""); l.Mode != Read {
			writers++
		}
		i := slices.IndexFunc(line, func(c Contender) bool { return c.Name == h })
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
		line = slices.DeleteFunc(line, func(c Contender) bool { n := ParseName(c.Name); return !n.HasSeq })
		for len(line) > 0 {
			i := slices.IndexFunc(line, func(c Contender) bool { return (Rule{}).Turn(line, c.Name).Holds })
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
		tree := newTreeBuilder("/")
		for _, c := range line {
			n := &Node{Czxid: c.Czxid, Owner: c.Session}
			tree.add("/d/"+c.Name, n, nil)
		}
		r := Decode(&Snapshot{Root: tree.build(), Base: "/", Complete: true}, nil, Hints{})
		m := r.ByPath("/d")
		if m == nil {
			if slices.ContainsFunc(line, func(c Contender) bool { n := ParseName(c.Name); return n.HasSeq }) {
				t.Fatal("no model")
			}
			return
		}
		for i := range m.Claims {
			c := &m.Claims[i]
			turn := (Rule{}).Turn(line, c.Node())
			if c.reason == mayRead && turn.Holds && turn.Why == reasons[downgraded] {
				continue // the client knows which of its threads asks
			}
			if turn.Holds != holding(c.Role()) || turn.Position != c.Position() {
				t.Fatalf("%s: %s at %d, Turn says %+v", c.Node(), c.Role(), c.Position(), turn)
			}
			if !turn.Holds && !slices.Contains(c.BlockedBy(), Join("/d", turn.Watch)) {
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
		if !(Rule{}).Turn(line, names[999]).Found {
			b.Fatal("not found")
		}
	}
}
