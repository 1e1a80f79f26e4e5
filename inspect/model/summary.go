package model

import (
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Summary says in one line, safe for a terminal, how the recipe stands at a moment: who holds or leads
// and for how long, how many wait.
func (m *Model) Summary(now time.Time) string {
	text := m.StandingText(now)
	if f := m.Finding(CodeSeqWrapped); f != nil {
		if len(f.Paths) > 1 {
			return "the counter wrapped, clients disagree: " + text
		}
		return "the counter wrapped: " + text
	}
	if m.LooksLike() {
		return "looks like " + m.Kind.OneOf() + ": " + text
	}
	return text
}

// LooksLike reports whether a recipe only looks like one of its kind: nothing but the spelling of unknown names, or a
// word in the path, says that it is one.
func (m *Model) LooksLike() bool {
	return m.Confidence > 0 && m.Confidence < 0.5 && m.Kind.InLine()
}

// StandingText is Summary without the doubts about the recipe itself.
func (m *Model) StandingText(now time.Time) string {
	first, behind := m.Split()
	switch {
	case m.State == Unknown:
		if tell := summaryOf(m.Kind); tell != nil && (m.Single() || m.Kind.Ends() || m.Unsure() > 0) {
			return tell(m, now)
		}
		return "its children were not listed: who stands here is not known"
	case summaryOf(m.Kind) != nil:
		return summaryOf(m.Kind)(m, now)
	case m.Kind.Leads():
		return m.leadership(first, now)
	case m.State == Reading && m.MayNotRead():
		return lead(first, "reads", now) + say.Choose(len(first), " or waits", " or wait") +
			" for a later writer (which is not known)" + waiting(behind)
	case m.State == Reading:
		return lead(first, "reads", now) + waiting(behind)
	case m.State == Writing:
		return writer(first, now) + waiting(behind)
	}
	switch {
	case m.State == Stuck:
		return "nobody holds" + waiting(behind) + ": a circle of claims that wait for each other"
	case len(first) == 0 && behind > 0:
		return "nobody holds" + waiting(behind)
	case len(first) == 0:
		return "free"
	}
	return lead(first, "holds", now) + waiting(behind)
}

// MayNotRead reports whether none of a line's readers is known to read: for all that is known each may wait for a
// writer behind it.
func (m *Model) MayNotRead() bool {
	for i := range m.Claims {
		if c := &m.Claims[i]; Holding(c.Role()) && c.Reason != UnlessOld {
			return false
		}
	}
	return m.State == Reading
}

// Split parts the claims that hold from those that wait.
func (m *Model) Split() (first []*Claim, behind int) {
	for i := range m.Claims {
		if Holding(m.Claims[i].Role()) {
			first = append(first, &m.Claims[i])
		} else {
			behind++
		}
	}
	return first, behind
}

// lead tells who holds, leads or writes; verb is for one.
func lead(first []*Claim, verb string, now time.Time) string {
	who := say.Printable(first[0].Owner())
	if len(first) == 1 {
		return who + " " + verb + say.ForSpan(first[0].Lasts(now))
	}
	return together(first, strings.TrimSuffix(verb, "s"), now)
}

// together tells who do something at once: the first by name, the others by number.
func together(first []*Claim, verb string, now time.Time) string {
	others := make(map[znode.SessionID]bool)
	alike := 0 // without a session, each counts
	for _, c := range first[1:] {
		if c.Session == 0 {
			alike++
		} else if c.Session != first[0].Session {
			others[c.Session] = true
		}
	}
	who := say.Printable(first[0].Owner()) + " and " + say.Plural(len(others)+alike, "other ", "others ") + verb
	if len(others)+alike == 0 {
		who = say.Printable(first[0].Owner()) + " " + verb + "s with " + strconv.Itoa(len(first)) + " claims"
	}
	if first[0].Since().IsZero() {
		return who
	}
	return who + ", the first" + say.ForSpan(first[0].Lasts(now))
}

// writer tells who writes; a reader beside it is its own downgrade.
func writer(first []*Claim, now time.Time) string { return lead(first[:1], "writes", now) }

func waiting(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", 1 waiting"
	}
	return ", " + strconv.Itoa(n) + " waiting"
}

// leadership tells who leads, and who stands by.
func (m *Model) leadership(first []*Claim, now time.Time) string {
	n, known := m.Standbys()
	switch {
	case len(first) == 0 && n == 0:
		return "nobody leads"
	case len(first) == 0:
		return "nobody leads" + standbys(n, known)
	}
	return lead(first, "leads", now) + standbys(n, known)
}

func standbys(n int, known bool) string {
	switch {
	case n == 0 && !known:
		return ", standbys leave no znode"
	case n == 0:
		return ", no standby"
	case n == 1:
		return ", 1 standby"
	}
	return ", " + strconv.Itoa(n) + " standbys"
}

// Finding returns the first finding of a code, or nil.
func (m *Model) Finding(code string) *Finding {
	for i := range m.Findings {
		if m.Findings[i].Code == code {
			return &m.Findings[i]
		}
	}
	return nil
}
