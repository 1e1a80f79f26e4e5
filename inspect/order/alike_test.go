package order_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
)

// namesInLines are names as lines hold them, with numbers and guards of every kind.
func namesInLines() *rapid.Generator[string] {
	hex := func(n int) *rapid.Generator[string] {
		return rapid.StringOfN(rapid.RuneFrom([]rune("0123456789abcdefA")), n, n, -1)
	}
	return rapid.Custom(func(t *rapid.T) string {
		id := hex(32).Draw(t, "id")
		uuid := fmt.Sprintf("%s-%s-%s-%s-%s", id[:8], id[8:12], id[12:16], id[16:20], id[20:])
		guard := rapid.SampledFrom([]string{"", id, id + "-", uuid + "-", "_c_" + uuid + "-", "_c_" + id + "-",
			"host-1-", uuid + "-x-", "_c_" + uuid,
			"72057594037927936-" + id + "-", "e" + id[1:] + "-"}).Draw(t, "guard")
		word := rapid.SampledFrom([]string{"lock-", "lock--", "-lock-", "n_", "read-", "write-", "__READ__", "__lock__",
			"__rlock__", "latch-", "queue-", "qn-", "x-", "election-", "lease-", "member-", ""}).Draw(t, "word")
		seq := rapid.OneOf(rapid.Int32Range(-3, 40), rapid.Int32Range(999_999_990, 1_000_000_010),
			rapid.Int32()).Draw(t, "seq")
		tail := rapid.SampledFrom([]string{"", "", "", "", "", "x", "0000000004", "-0000000004"}).Draw(t, "tail")
		return guard + word + layout.SequenceText(seq) + tail
	})
}

func TestNamesSpelledAlikeAreParsedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := layout.ParseName(namesInLines().Draw(t, "one"))
		s := one.Spelling()
		for _, text := range rapid.SliceOfN(namesInLines(), 1, 8).Draw(t, "others") {
			if got, _ := s.Parse(text); got != layout.ParseName(text) {
				t.Fatalf("%q, spelled as %q: %+v, want %+v", text, one.Text, got, layout.ParseName(text))
			}
		}
		if got, _ := s.Parse(one.Text); got != one {
			t.Fatalf("%q by itself: %+v, want %+v", one.Text, got, one)
		}
	})
}

func TestWhichNamesAreSpelledAlike(t *testing.T) {
	const other = "09876543-89ab-cdef-0123-456789abcdef"
	for _, tt := range []struct {
		one, two string
		want     bool
	}{
		{orderUUID + "-lock-0000000001", other + "-lock-0000000099", true},
		{"_c_" + orderUUID + "-lock-0000000001", "_c_" + other + "-lock-0999999999", true},
		{"0123456789abcdef0123456789abcdef__lock__0000000001", "ffff456789abcdef0123456789abcdef__lock__0000000002",
			true},
		{"n_0000000001", "n_0000000002", true},
		{orderUUID + "-lock-0000000001", other + "-read-0000000099", false},
		{orderUUID + "-lock-0000000001", "_c_" + other + "-lock-0000000002", false},
		{"lock-0000000001", "lock-1000000001", false},
		{"lock-0000000001", "lock--000000001", false},
	} {
		n := layout.ParseName(tt.one)
		s := n.Spelling()
		if _, same := s.Parse(tt.two); same != tt.want {
			t.Errorf("%q as %q: %v", tt.two, tt.one, same)
		}
	}
}

// TestATurnIsTheSameWithoutSorting compares the two ways to find a place in a line.
func TestATurnIsTheSameWithoutSorting(t *testing.T) {
	counted := 0
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(namesInLines(), 1, 12, rapid.ID[string]).Draw(t, "names")
		if rapid.Bool().Draw(t, "one spelling") {
			for i := range names {
				names[i] = fmt.Sprintf("%08x%s-lock-%010d", i*7919, orderUUID[8:], i*37%11)
			}
		}
		children := contenders(append(names, "config", "0000000007")...)
		for i := range children {
			if rapid.Bool().Draw(t, "read") {
				children[i].Czxid, children[i].Session = znode.Zxid(rapid.IntRange(1, 20).Draw(t, "czxid")),
					znode.SessionID(rapid.IntRange(1, 3).Draw(t, "session"))
			}
		}
		r := order.Rule{Dialect: rapid.SampledFrom([]layout.Dialect{layout.ZooKeeper, layout.Curator, layout.Kazoo,
			layout.Generic}).Draw(t, "dialect"), Limit: rapid.IntRange(0, 2).Draw(t, "limit")}
		mine := rapid.SampledFrom(append(names, "lock-0000000003")).Draw(t, "mine")
		got, ok := r.Alike(children, mine)
		if !ok {
			return
		}
		counted++
		if want := r.Arranged(children, mine); got != want {
			t.Fatalf("%+v, by sorting %+v", got, want)
		}
	})
	if counted == 0 {
		t.Error("no line could be counted")
	}
}
