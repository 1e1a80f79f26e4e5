package inspect_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

const nameAlone = znode.NameOnly | znode.NoStat | znode.Unreadable | znode.NotListed

// crowdOf is a picture of a directory of which the first znodes were read and of the others the names.
func crowdOf(dir string, read, names int, zn func(i int) znode.Node) *znode.Snapshot {
	n := &znode.Node{Name: dir, Czxid: 1, NumChildren: int32(read + names), Flags: znode.NamesRead, HasCversion: true,
		Cversion: int32(read + names)}
	for i := range read + names {
		c := zn(i)
		if i >= read {
			c = znode.Node{Name: c.Name, Flags: nameAlone}
		}
		n.Children = append(n.Children, &c)
	}
	return &znode.Snapshot{Root: &znode.Node{Children: []*znode.Node{n}, NumChildren: 1}, Base: "/",
		TakenAt: time.Unix(1000, 0),
		Partial: []string{"/" + dir + ": most only by name"}}
}

func contender(spelling string) func(i int) znode.Node {
	return func(i int) znode.Node {
		return znode.Node{Name: fmt.Sprintf(spelling, i), Owner: znode.SessionID(i + 1), Czxid: znode.Zxid(10 + i),
			Ctime: 900_000, Data: []byte(fmt.Sprint("job-", i))}
	}
}

// Of claims that are known by name nothing is said that their znode would have to tell.
func TestClaimsKnownByName(t *testing.T) {
	const kazoo = "0123456789abcdef0123456789abcdef__lock__%010d"
	for spelling, want := range map[string]layout.Kind{kazoo: layout.Lock, "lock-%010d": layout.Lock,
		"n_%010d": layout.Election, "x%010d": layout.Lock, "qn-%010d": layout.Queue} {
		s := crowdOf("crowd", 100, 200, contender(spelling))
		s.Sessions, s.Servers = map[znode.SessionID]znode.Session{},
			[]znode.Server{{Addr: "a", Tier: "4lw", Answered: true}}
		s.Watches = map[string][]znode.SessionID{}
		m := inspect.Decode(s, nil, model.Hints{}).ByPath("/crowd")
		if m == nil || m.Kind != want || len(m.Claims) != 300 {
			t.Errorf("%s: %+v", spelling, m)
			continue
		}
		for _, f := range m.Findings {
			for _, path := range f.Paths {
				if s.At(path).Has(znode.NameOnly) {
					t.Errorf("%s: %s of what was not read: %s", spelling, f.Code, f.Text)
				}
			}
		}
		if f := m.Finding(model.CodeTooLarge); f == nil || !strings.HasPrefix(f.Text, "only the names of 200 ") {
			t.Errorf("%s: %+v", spelling, m.Findings)
		}
		if c := &m.Claims[299]; !c.Unread() || !c.Since().IsZero() || c.Lasts(s.TakenAt) != "" ||
			c.Proof() == model.Refuted {
			t.Errorf("%s: %+v", spelling, c)
		}
	}
}

// A crowd whose znodes that were read are addresses, or persistent, is no line: names alone prove less than data.
func TestACrowdOfInstancesIsNoLine(t *testing.T) {
	address := func(i int) znode.Node {
		n := contender("x%010d")(i)
		n.Data = []byte("10.0.0.1:8080")
		return n
	}
	if m := inspect.Decode(crowdOf("crowd", 100, 200, address), nil, model.Hints{}).ByPath("/crowd"); m == nil ||
		m.Kind != layout.Service {
		t.Errorf("%+v", m)
	}
	for _, spelling := range []string{"x%010d", "lock-%010d"} {
		left := func(i int) znode.Node {
			n := contender(spelling)(i)
			n.Owner = 0
			return n
		}
		if m := inspect.Decode(crowdOf("crowd", 100, 200, left), nil, model.Hints{}).ByPath("/crowd"); m != nil {
			t.Errorf("%s: %s %s", spelling, m.Kind, m.Dialect)
		}
	}
}

// A claim whose znode is read later is the same claim: nothing has happened.
func TestReadingAClaimIsNoEvent(t *testing.T) {
	for _, spelling := range []string{"0123456789abcdef0123456789abcdef__lock__%010d", "qn-%010d", "n_%010d"} {
		few, many := crowdOf("crowd", 100, 200, contender(spelling)), crowdOf("crowd", 150, 150, contender(spelling))
		a := inspect.Decode(few, nil, model.Hints{})
		b := inspect.Decode(many, a, model.Hints{})
		c := inspect.Decode(few, b, model.Hints{})
		if events := append(story.Diff(a, b), story.Diff(b, c)...); len(events) != 0 {
			t.Errorf("%s: %d events, as %s", spelling, len(events), events[0].Text)
		}
		id := a.ByPath("/crowd").Claims[120].ID()
		if !b.ByPath("/crowd").Claims[120].Is(id) || b.ByPath("/crowd").Claims[121].Is(id) {
			t.Errorf("%s: the claim is not found again", spelling)
		}
	}
}

func TestACrowdInAFile(t *testing.T) {
	s := crowdOf("crowd", 3, 4, contender("lock-%010d"))
	var buf bytes.Buffer
	if err := files.WriteSnapshot(&buf, s); err != nil {
		t.Fatal(err)
	}
	rec, err := files.ReadFile(&buf, "x")
	if err != nil {
		t.Fatal(err)
	}
	rec.Check()
	if got := rec.At(0); !reflect.DeepEqual(got.Root, s.Root) || got.Complete ||
		!reflect.DeepEqual(got.Partial, s.Partial) {
		t.Errorf("%+v, %q", got.Root.Children[0], got.Partial)
	}
}

// BenchmarkDecodeACrowd decodes a line of 300,000 claims of which 100 were read, after a change at its head.
func BenchmarkDecodeACrowd(b *testing.B) {
	s := crowdOf("crowd", 100, 299_900, contender("0123456789abcdef0123456789abcdef__lock__%010d"))
	r := inspect.Decode(s, nil, model.Hints{})
	next := s.WithDeleted("/crowd/" + s.Root.Children[0].Children[0].Name)
	for b.Loop() {
		inspect.Decode(next, r, model.Hints{})
	}
}

// A waiter of which only the name is known is no root: who waits behind it waits for the head of the line.
func TestWaitersKnownByNameAreNoRoots(t *testing.T) {
	r := inspect.Decode(crowdOf("crowd", 100, 200, contender("0123456789abcdef0123456789abcdef__lock__%010d")), nil,
		model.Hints{})
	if roots := waits.Of(r, nil).Roots; len(roots) != 1 || roots[0].Session != 1 {
		t.Errorf("%d roots", len(roots))
	}
}

// BenchmarkWeighACrowd weighs the waits of a line of 300,000 claims of which 100 were read.
func BenchmarkWeighACrowd(b *testing.B) {
	r := inspect.Decode(crowdOf("crowd", 100, 299_900, contender("0123456789abcdef0123456789abcdef__lock__%010d")), nil,
		model.Hints{})
	for b.Loop() {
		waits.Of(r, nil)
	}
}
