package layout_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
)

// TestEveryKindSaysWhatItsClaimsAre: each kind is one of the sorts that every room tells apart, and of one only.
func TestEveryKindSaysWhatItsClaimsAre(t *testing.T) {
	sorts := map[string]func(layout.Kind) bool{"held": layout.Kind.Waits, "items": layout.Kind.Items,
		"members": layout.Kind.Members, "together": layout.Kind.Together, "votes": layout.Kind.Votes,
		"one znode": layout.Kind.Opaque, "ends": layout.Kind.Ends}
	words := make(map[string]layout.Kind)
	for _, k := range layout.Kinds() {
		var is []string
		for name, sort := range sorts {
			if sort(k) {
				is = append(is, name)
			}
		}
		if len(is) != 1 {
			t.Errorf("%s is %q, want one of them", k, is)
		}
		if other, taken := words[k.Words()]; taken || k.Words() == "" {
			t.Errorf("%s is called %q, as %q is", k, k.Words(), other)
		}
		words[k.Words()] = k
	}
	if len(words) < 16 {
		t.Errorf("%d kinds", len(words))
	}
}

// TestWhatIsTrueOfAKindFollows: what is said of a kind holds for the wider sort that it is part of.
func TestWhatIsTrueOfAKindFollows(t *testing.T) {
	for _, k := range layout.Kinds() {
		for _, c := range []struct {
			text     string
			is, also bool
		}{
			{"who leads stands in line", k.Leads(), k.InLine()},
			{"who stands in line waits", k.InLine(), k.Waits()},
			{"several that hold are waited for", k.Pool(), k.Waits()},
			{"readers and writers stand in line", k.Modes(), k.InLine()},
			{"what one znode can be is no pool", k.Alone(), !k.Pool()},
			{"a gate is one znode", k.Gate(), k.Opaque()},
			{"what is filled is one znode", k.Filled(), k.Opaque()},
			{"a number is one znode's", k.Number(), k.Opaque()},
			{"only items fall due", k.FallDue(), k.Items()},
			{"only items have a priority", k.ByPriority(), k.Items()},
			{"what serves has members", k.Serves(), k.Members()},
		} {
			if c.is && !c.also {
				t.Errorf("%s: %s", k, c.text)
			}
		}
	}
}

func TestOfWhatIsNoKindNothingIsTrue(t *testing.T) {
	for _, k := range []layout.Kind{"", "sluice"} {
		if k.Waits() || k.InLine() || k.Opaque() || k.ToldByWord() || k.Lost() != "" || k.Words() != string(k) {
			t.Errorf("%q is taken for a kind", k)
		}
	}
	if got := layout.Kind("sluice").OneOf() + ", " + layout.Election.OneOf(); got != "a sluice, an election" {
		t.Error(got)
	}
}

func TestKindsIsACopy(t *testing.T) {
	all := layout.Kinds()
	all[0] = "sluice"
	if layout.Kinds()[0] == "sluice" {
		t.Error("the table can be changed from outside")
	}
}
