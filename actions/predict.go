package actions

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect"
)

// predictGone says what would follow if the scene's claim went away, by decoding a snapshot without it.
func predictGone(s Scene) []string {
	snap := s.Result.Snapshot.WithDeleted(s.Claim.Path())
	after := inspect.Decode(snap, s.Result, s.Hints).ByPath(s.Model.Path)
	var lines []string
	if after == nil || len(after.Claims) == 0 {
		return append(lines, "no claim is left: "+freeWord(s.Model.Kind))
	}
	lines = append(lines, holdersLine(s.Model, after))
	if n := count(after, func(c *inspect.Claim) bool { return !holds(c) }); n > 0 {
		lines = append(lines, plural(n, "keeps waiting", "keep waiting"))
	}
	if n := len(woken(s)); n > 0 {
		lines = append(lines, plural(n, "session is woken", "sessions are woken"))
	} else {
		lines = append(lines, "nobody is woken")
	}
	return lines
}

func freeWord(k inspect.Kind) string {
	if k == inspect.Election {
		return "there will be no leader"
	}
	return "it will be free"
}

// holdersLine compares who holds before and after.
func holdersLine(before, after *inspect.Model) string {
	was := map[inspect.ClaimID]bool{}
	for i := range before.Claims {
		if c := &before.Claims[i]; holds(c) {
			was[c.ID()] = true
		}
	}
	var fresh, kept []string
	for i := range after.Claims {
		c := &after.Claims[i]
		switch {
		case !holds(c):
		case was[c.ID()]:
			kept = append(kept, inspect.Printable(c.Owner()))
		default:
			fresh = append(fresh, inspect.Printable(c.Owner()))
		}
	}
	verb := "hold"
	if after.Kind == inspect.Election {
		verb = "lead"
	}
	switch {
	case len(fresh) > 0:
		return list(fresh) + " will " + verb
	case len(kept) > 0:
		return list(kept) + " still " + verb + map[bool]string{true: "s", false: ""}[len(kept) == 1]
	}
	return "nobody will " + verb + " yet"
}

// list joins at most three names and counts the rest.
func list(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func count(m *inspect.Model, ok func(*inspect.Claim) bool) (n int) {
	for i := range m.Claims {
		if ok(&m.Claims[i]) {
			n++
		}
	}
	return n
}

// woken lists the sessions whose claims wait on the scene's claim itself: those that are seen watching it
// where that is known, else those that its recipe lets watch it.
func woken(s Scene) map[inspect.SessionID]bool {
	out := map[inspect.SessionID]bool{}
	if watchers, known := s.Result.Snapshot.Watches[s.Claim.Path()]; known {
		for _, id := range watchers {
			if id != s.Claim.Session {
				out[id] = true
			}
		}
		return out
	}
	for i := range s.Model.Claims {
		c := &s.Model.Claims[i]
		if ahead := c.Ahead(); ahead != nil && ahead.Path() == s.Claim.Path() {
			out[c.Session] = true
		}
	}
	return out
}

// predictWithout says how the recipe would stand without the scene's claim.
func predictWithout(s Scene) []string {
	return s.stands(s.Result.Snapshot.WithDeleted(s.Claim.Path()))
}

// predictData says how the recipe would stand if the claim's znode had other data.
func predictData(s Scene, data []byte) []string {
	return s.stands(s.Result.Snapshot.WithData(s.Claim.Path(), data))
}

// stands is the recipe's summary in a simulated snapshot.
func (s Scene) stands(snap *inspect.Snapshot) []string {
	after := inspect.Decode(snap, s.Result, s.Hints).ByPath(s.Model.Path)
	if after == nil {
		return []string{"nothing is left of it"}
	}
	return []string{after.Summary(s.Now)}
}

// wakes says which sessions hear of a change of a znode, where the servers told who watches it.
func wakes(s Scene, path string) []string {
	if s.Result.Snapshot.Watches == nil {
		return []string{"who is woken is not known: no server was asked about watches"}
	}
	n := len(s.Result.Snapshot.Watches[path])
	if n == 0 {
		return []string{"nobody is seen watching it"}
	}
	return []string{plural(n, "session is woken", "sessions are woken")}
}
