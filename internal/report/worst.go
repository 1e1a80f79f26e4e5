package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// worstRows is how many of those that waited at the worst moment are told one by one.
const worstRows = 50

// worst is a moment at which most claims of a recipe waited, and how many; 0: none ever did. Of the stretches in which that
// many waited it is at the end of the longest, where it tells for how long they had.
func worst(c *chronicle.Chronicle) (at time.Time, most int) {
	type step struct {
		at time.Time
		by int
	}
	var steps []step
	for _, s := range c.Stays {
		if from, to := waits(c, s); to.After(from) {
			steps = append(steps, step{from, 1}, step{to, -1})
		}
	}
	sorted.By(steps, func(a, b step) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.by, b.by)) })
	n, longest := 0, time.Duration(-1)
	for i, s := range steps[:max(0, len(steps)-1)] {
		n += s.by
		lasted := steps[i+1].at.Sub(s.at)
		if n > most || n == most && lasted > longest {
			at, most, longest = s.at.Add(max(0, lasted-time.Millisecond)), n, lasted
		}
	}
	return at, most
}

// waits is from when until when a claim waited, as far as that is covered.
func waits(c *chronicle.Chronicle, s *chronicle.Stay) (from, to time.Time) {
	return later(s.Came.At, c.Begin), cmp.Or(s.Held.At, s.Left.At, c.End)
}

// worstTable is who held and who waited at the worst moment, and what those that held waited for elsewhere.
func worstTable(c *chronicle.Chronicle, all []*chronicle.Chronicle) Table {
	at, most := worst(c)
	t := Table{Title: "Who blocked whom at the worst moment", Head: []string{"Role", "Owner", "Session", "Held or waited then for", "Waited itself"}, None: "Nobody waited."}
	if most == 0 {
		return t
	}
	t.Note = fmt.Sprintf("At %s, when %s: at no other moment more. Those that waited are in the order in which they came; of those that held it is told whom they waited for themselves, in other recipes of this report.", stamp(at), waited(most))
	var line [][]string
	for _, s := range c.Stays {
		came, left := s.Came.At, cmp.Or(s.Left.At, c.End)
		if came.After(at) || !left.After(at) {
			continue
		}
		row := func(role string, since time.Time) []string {
			return []string{role, s.Owner, chronicle.SessionText(s.Session), chronicle.Exactly(at.Sub(since)), "-"}
		}
		switch {
		case s.Held.At.IsZero() || s.Held.At.After(at):
			line = append(line, row("waits", came))
		case s.Doubt:
			t.Rows = append(t.Rows, row("holds, or waits: not known", s.Held.At))
		default:
			r := row("holds", s.Held.At)
			r[len(r)-1] = elsewhere(c, all, s.Session, at)
			t.Rows = append(t.Rows, r)
		}
	}
	if len(t.Rows) == 0 {
		t.Rows = append(t.Rows, []string{"nobody holds", "", "-", "-", ""})
	}
	if more := len(line) - worstRows; more > 0 {
		t.Note += fmt.Sprintf(" The first %d of %d that waited.", worstRows, len(line))
		line = line[:worstRows]
	}
	t.Rows = append(t.Rows, line...)
	return t
}

func waited(n int) string {
	if n == 1 {
		return "1 claim waited"
	}
	return fmt.Sprintf("%d claims waited", n)
}

// elsewhere tells for which other recipes of the document a session waited at a moment, and who held those then.
func elsewhere(c *chronicle.Chronicle, all []*chronicle.Chronicle, id znode.SessionID, at time.Time) string {
	var out []string
	for _, other := range all {
		if other == c || id == 0 {
			continue
		}
		for _, s := range other.Stays {
			if from, to := waits(other, s); s.Session == id && !from.After(at) && to.After(at) {
				out = append(out, other.Path+", held by "+holders(other, at))
				break
			}
		}
	}
	return cmp.Or(strings.Join(out, "; "), "-")
}

// holders are the names of those that held at a moment.
func holders(c *chronicle.Chronicle, at time.Time) string {
	var out []string
	for _, s := range c.Stays {
		if !s.Held.At.IsZero() && !s.Doubt && !s.Held.At.After(at) && cmp.Or(s.Left.At, c.End).After(at) && !slices.Contains(out, s.Owner) {
			out = append(out, s.Owner)
		}
	}
	return cmp.Or(strings.Join(out, ", "), "nobody")
}
