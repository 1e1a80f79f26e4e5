package inspect

import (
	"strconv"
	"strings"
	"time"
)

// Age formats a duration coarsely, in at most two units: 0s, 41s, 3m12s, 2h5m, 6d4h, 12d. A negative
// duration, which clocks that disagree produce, is 0s.
func Age(d time.Duration) string {
	d = max(d, 0).Truncate(time.Second)
	switch {
	case d < time.Minute:
		return units(int64(d/time.Second), "s", 0, "")
	case d < time.Hour:
		return units(int64(d/time.Minute), "m", int64(d%time.Minute/time.Second), "s")
	case d < 24*time.Hour:
		return units(int64(d/time.Hour), "h", int64(d%time.Hour/time.Minute), "m")
	}
	days, hours := int64(d/(24*time.Hour)), int64(d%(24*time.Hour)/time.Hour)
	if days >= 10 {
		hours = 0
	}
	return units(days, "d", hours, "h")
}

func units(n int64, unit string, m int64, sub string) string {
	s := strconv.FormatInt(n, 10) + unit
	if m > 0 {
		s += strconv.FormatInt(m, 10) + sub
	}
	return s
}

// Summary says in one line, safe for a terminal, how the recipe stands at a moment: who holds or leads
// and for how long, how many wait.
func (m *Model) Summary(now time.Time) string {
	text := m.standing(now)
	if f := m.finding(CodeSeqWrapped); f != nil {
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
func (m *Model) LooksLike() bool { return m.Confidence > 0 && m.Confidence < 0.5 && inLine(m.Kind) }

func (m *Model) standing(now time.Time) string {
	first, behind := m.split()
	switch {
	case m.State == Unknown:
		if f := summaries[m.Kind]; f != nil && (m.single() || m.Kind == Lease) {
			return f(m, now)
		}
		return "its children were not listed: who stands here is not known"
	case summaries[m.Kind] != nil:
		return summaries[m.Kind](m, now)
	case m.Kind == Election:
		return m.leadership(first, now)
	case m.State == Reading:
		return lead(first, "reads", now) + waiting(behind)
	case m.State == Writing:
		return writer(first, now) + waiting(behind)
	}
	switch {
	case len(first) == 0 && behind > 0:
		return "nobody holds" + waiting(behind)
	case len(first) == 0:
		return "free"
	}
	return lead(first, "holds", now) + waiting(behind)
}

// split parts the claims that hold from those that wait.
func (m *Model) split() (first []*Claim, behind int) {
	for i := range m.Claims {
		if holding(m.Claims[i].Role()) {
			first = append(first, &m.Claims[i])
		} else {
			behind++
		}
	}
	return first, behind
}

// lead tells who holds, leads or writes; verb is for one.
func lead(first []*Claim, verb string, now time.Time) string {
	who := Printable(first[0].Owner())
	if len(first) == 1 {
		return who + " " + verb + forSpan(first[0].Lasts(now))
	}
	return together(first, strings.TrimSuffix(verb, "s"), now)
}

// together tells who do something at once: the first by name, the others by number.
func together(first []*Claim, verb string, now time.Time) string {
	others := make(map[SessionID]bool)
	alike := 0 // without a session, each counts
	for _, c := range first[1:] {
		if c.Session == 0 {
			alike++
		} else if c.Session != first[0].Session {
			others[c.Session] = true
		}
	}
	who := Printable(first[0].Owner()) + " and " + plural(len(others)+alike, "other ", "others ") + verb
	if len(others)+alike == 0 {
		who = Printable(first[0].Owner()) + " " + verb + "s with " + strconv.Itoa(len(first)) + " claims"
	}
	if first[0].Since().IsZero() {
		return who
	}
	return who + ", the first" + forSpan(first[0].Lasts(now))
}

// forSpan is " for 3m12s", or nothing for nothing.
func forSpan(span string) string {
	if span == "" {
		return ""
	}
	return " for " + span
}

// lasting is " for 3m12s", or nothing when the beginning is not known.
func lasting(since, now time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " for " + Age(now.Sub(since))
}

// writer tells who writes; a reader beside it is its own downgrade.
func writer(first []*Claim, now time.Time) string { return lead(first[:1], "writes", now) }

func waiting(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", 1 waits"
	}
	return ", " + strconv.Itoa(n) + " wait"
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
		return ", nobody stands by"
	case n == 1:
		return ", 1 stands by"
	}
	return ", " + strconv.Itoa(n) + " stand by"
}

// finding returns the first finding of a code, or nil.
func (m *Model) finding(code string) *Finding {
	for i := range m.Findings {
		if m.Findings[i].Code == code {
			return &m.Findings[i]
		}
	}
	return nil
}

// spanOf is the time between two moments; zero when one is unknown or they are the wrong way round.
func spanOf(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}
