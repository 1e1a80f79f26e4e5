package chronicle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/past"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// story opens what a server wrote.
func story(t testing.TB, dir string) *past.Story {
	t.Helper()
	m, err := txnlog.FindMember(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := past.Open([]*txnlog.Member{m})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func follow(t testing.TB, s *past.Story, path string) *chronicle.Chronicle {
	t.Helper()
	c, err := chronicle.Of(s, path, time.Time{}, time.Time{}, model.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// night writes a line in which anything can happen: who waits gives up, claims are broken, sessions end with all they have,
// a holder is asked to let go, strangers stand in between, and the line empties.
func night(t *testing.T, seed uint64, dialect string) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	m, err := txntest.NewMember(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Write(9, txnlog.Op{Kind: txnlog.Create, Path: []byte("/l"), Cversion: 1})
	type claim struct {
		path    string
		session int64
	}
	var line []claim
	drop := func(i int) claim {
		c := line[i]
		line = append(line[:i:i], line[i+1:]...)
		return c
	}
	made := int32(0)
	for range 400 {
		switch n := r.IntN(100); {
		case n < 45 || len(line) == 0 && n < 90:
			made++
			session := int64(1 + r.IntN(12))
			mode := "-lock-"
			if dialect == "shared" && n%3 == 0 {
				mode = "-READ-"
			}
			c := claim{fmt.Sprintf("/l/_c_%08x-0000-4000-8000-%012x%s%010d", r.Uint32(), made, mode, made-1), session}
			if dialect == "kazoo" {
				c.path = fmt.Sprintf("/l/%016x%016x__lock__%010d", r.Uint64(), made, made-1)
			}
			line = append(line, c)
			m.Write(session, txnlog.Op{Kind: txnlog.Create, Path: []byte(c.path), Data: fmt.Appendf(nil, "web-%d", session), Ephemeral: true, Cversion: made})
		case len(line) == 0:
		case n < 80:
			c := drop(0)
			m.Write(c.session, txnlog.Op{Kind: txnlog.Delete, Path: []byte(c.path)})
		case n < 88:
			c := drop(r.IntN(len(line)))
			m.Write(c.session, txnlog.Op{Kind: txnlog.Delete, Path: []byte(c.path)})
		case n < 91:
			c := drop(r.IntN(len(line)))
			m.Write(99, txnlog.Op{Kind: txnlog.Delete, Path: []byte(c.path)})
		case n < 94:
			op := txnlog.Op{Kind: txnlog.CloseSession}
			session := line[0].session
			for i := len(line) - 1; i >= 0; i-- {
				if line[i].session == session {
					op.Gone = append(op.Gone, []byte(drop(i).path))
				}
			}
			m.Write(session, op)
		case n < 95:
			m.Write(99, txnlog.Op{Kind: txnlog.SetData, Path: []byte(line[0].path), Data: []byte("unlock"), Version: 1})
		case n < 96:
			made++
			m.Write(99, txnlog.Op{Kind: txnlog.Create, Path: fmt.Appendf(nil, "/l/note-%d", made), Cversion: made})
		case n < 97:
			m.Pause(time.Duration(r.IntN(90)) * time.Second)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Changes that are taken together tell of each claim what they tell one by one.
func TestAStretchTellsTheSame(t *testing.T) {
	together := 0
	for seed := range uint64(24) {
		dialect := []string{"curator", "kazoo", "shared"}[seed%3]
		s := story(t, night(t, seed, dialect))
		chronicle.SetBusy(t, math.MaxInt, 64)
		want := follow(t, s, "/l")
		for _, many := range []int{2, 5, 64} {
			chronicle.SetBusy(t, 0, many)
			got := follow(t, s, "/l")
			together += got.Together
			if want.Together != 0 || got.States != want.States || len(got.Stays) != len(want.Stays) || fmt.Sprint(got.Nobody) != fmt.Sprint(want.Nobody) {
				t.Fatalf("night %d by %d: %d claims in %d states, nobody %v; one by one %d in %d, %v", seed, many, len(got.Stays), got.States, got.Nobody, len(want.Stays), want.States, want.Nobody)
			}
			for i, w := range want.Stays {
				if a, b := said(got.Stays[i]), said(w); a != b {
					t.Fatalf("night %d by %d: claim %d\n%s\none by one\n%s", seed, many, i, a, b)
				}
			}
		}
	}
	if together < 1000 {
		t.Errorf("only %d changes were taken together", together)
	}
}

// said is all that is told of a claim.
func said(s *chronicle.Stay) string {
	text := fmt.Sprintf("%v %s %s %v %s %d/%d %v %v %v %v %s", s.Claim, s.Node, s.Owner, s.Session, s.Role, s.Position, s.Of, s.Start, s.MadeBy, s.HeldFrom, s.Doubt, s.How)
	for _, m := range []chronicle.Moment{s.Came, s.Held, s.Asked, s.Left} {
		text += fmt.Sprintf("\n  %v %v %+v", m.At, m.From, m.By())
	}
	return text
}

// A busy line costs no more for each change than a short one, and what was not looked for is counted.
func TestABusyLineIsFollowedQuickly(t *testing.T) {
	per := func(line int) float64 {
		dir := t.TempDir()
		n := int64(4000 + 3*line)
		if err := txntest.Crowd(dir, n, 1, line); err != nil {
			t.Fatal(err)
		}
		s := story(t, dir)
		chronicle.SetBusy(t, 0, 64)
		var c *chronicle.Chronicle
		allocs := testing.AllocsPerRun(1, func() { c = follow(t, s, "/locks/job-0000") })
		if c.Together == 0 || c.Together >= c.States || c.Stays[1].Held.At != c.Stays[0].Left.At {
			t.Errorf("line of %d: %d of %d together, %+v", line, c.Together, c.States, c.Stays[1])
		}
		return allocs / float64(n)
	}
	if short, long := per(4), per(400); long > 2*short {
		t.Errorf("%.0f allocations for a change in a line of 400, %.0f in one of 4", long, short)
	}
}
