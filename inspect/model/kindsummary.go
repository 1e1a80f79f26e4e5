package model

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
)

// summaryOf returns what says how a recipe of a kind stands; nil for the plain lines.
func summaryOf(k layout.Kind) func(*Model, time.Time) string {
	switch {
	case k.Pool():
		return (*Model).leasesHeld
	case k.Gate():
		return (*Model).barrierStands
	case k.Filled():
		return (*Model).meeting
	case k.Opaque():
		return (*Model).valueKept
	case k.Together():
		return (*Model).membersInside
	case k.Members():
		return (*Model).membersPresent
	case k.Items():
		return (*Model).queueDepth
	case k.Votes():
		return (*Model).votes
	case k.Ends():
		return (*Model).leaseTerm
	}
	return nil
}

// leasesHeld tells how many hold a semaphore, of how many.
func (m *Model) leasesHeld(now time.Time) string {
	first, behind := m.Split()
	if len(first) == 0 {
		return "free" + waiting(behind)
	}
	text := lead(first, "holds", now)
	if limit, ok := m.Numbers.Get("limit"); ok {
		text += "; " + strconv.Itoa(len(first)) + " of " + say.Itoa(limit)
		if len(first) > int(limit) {
			text += ", over-subscribed by " + strconv.Itoa(len(first)-int(limit))
		}
	}
	return text + waiting(behind)
}

func (m *Model) barrierStands(now time.Time) string {
	if m.State == Opened || len(m.Claims) == 0 {
		return "open: its znode is not there"
	}
	text := "closed" + say.Lasting(m.Claims[0].Since(), now)
	if c := &m.Claims[0]; c.OwnerSource() == FromData {
		text += " by " + say.Printable(c.Owner())
	}
	return text + m.awaited()
}

// awaited tells how many sessions wait for a change of the recipe's znode: those that watch it. That nobody watches is
// not that nobody waits: a client that lost its connection may have lost its watch, and wait on.
func (m *Model) awaited() string {
	if n, known := m.Numbers.Get("watchers"); known && n == 0 {
		return ", nobody watches it"
	}
	return m.watched("waits", "wait")
}

// watched tells how many sessions watch the recipe's znode, where that is known.
func (m *Model) watched(one, many string) string {
	n, known := m.Numbers.Get("watchers")
	if !known {
		return ""
	}
	return ", " + say.Plural(int(n), "session ", "sessions ") + say.Choose(int(n), one, many)
}

// membersInside tells a double barrier's phase.
func (m *Model) membersInside(time.Time) string {
	unsure := m.Unsure()
	n := len(m.Claims) - unsure
	if n > 0 && unsure > 0 {
		return m.membersSure(n) + "; whether " + strconv.Itoa(unsure) + " more " + say.Choose(unsure, "is", "are") +
			" inside is not known: " + overlooks
	}
	if needed, known := m.Numbers.Get("needed"); unsure > 0 {
		return say.Plural(unsure, "member", "members") + say.Either(known, ", "+say.Itoa(needed)+" needed", "") +
			", whether " + say.Choose(unsure, "it is", "they are") + " inside is not known: " + overlooks
	}
	return m.membersSure(n)
}

// overlooks is why a member of kazoo's barrier may not be inside although ready is there.
const overlooks = "kazoo does not look at a ready that was there before"

// membersSure tells the phase of the n members of which it is known.
func (m *Model) membersSure(n int) string {
	people := say.Plural(n, "member", "members")
	needed, known := m.Numbers.Get("needed")
	of := say.Either(known, ", "+say.Itoa(needed)+" needed", ", how many are needed is not stored")
	if m.Detail().MayLeave {
		if !known {
			of = ""
		}
		return m.Phase() + ": one look cannot tell; " + people + say.Choose(n, " is", " are") + " there" + of
	}
	switch m.State {
	case Gathering:
		return people + say.Choose(n, " has", " have") + " come" + of
	case Inside:
		return people + " inside" + of
	case Leaving:
		if gone := int(needed) - n; known && gone > 0 {
			return "leaving: " + strconv.Itoa(gone) + " of " + say.Itoa(needed) + say.Choose(gone, " has", " have") +
				" left, " + strconv.Itoa(n) + say.Choose(n, " is", " are") + " still inside"
		}
		return "leaving: " + people + " still inside"
	}
	if m.Finding(CodeStaleReady) != nil {
		return "nobody is there, and ready was left behind"
	}
	return "nobody is there"
}

// queueDepth tells what there is to take, what is in work and how old the head is.
func (m *Model) queueDepth(now time.Time) string {
	depth := len(m.Claims)
	if depth == 0 {
		return "empty"
	}
	text := say.Plural(depth, "item", "items")
	if taken := m.Numbers.Of("taken"); taken > 0 {
		text += ", " + say.Itoa(taken) + " in progress"
	}
	if m.Kind.FallDue() {
		text += ", " + say.Itoa(m.Numbers.Of("due")) + " due"
	}
	if head := m.Claims[0].Created(); !head.IsZero() {
		text += ", the first is " + say.Age(now.Sub(head)) + " old"
	}
	return text
}

// DecidedAt returns when the votes of a transaction decided it: when the last one for commit was written, or the first
// for abort. Zero: it is not decided, or that is not known.
func (m *Model) DecidedAt() (at time.Time) {
	for i := range m.Claims {
		c, since := &m.Claims[i], m.Claims[i].Since()
		switch {
		case m.State == Committed && c.Reason == VotesCommit && since.IsZero():
			return time.Time{}
		case m.State == Committed && c.Reason == VotesCommit && since.After(at),
			m.State == Aborted && c.Reason == VotesAbort && !since.IsZero() && (at.IsZero() || since.Before(at)):
			at = since
		}
	}
	return at
}

// votes tells the verdict, since when it stands, and how the sites voted.
func (m *Model) votes(now time.Time) string {
	n := len(m.Claims)
	if n == 0 {
		return "no site takes part"
	}
	if m.Dialect == layout.HBase {
		return map[State]string{Committed: "all may go on", Aborted: "aborted", Undecided: "under way"}[m.State] +
			": " + say.Plural(n, "member is", "members are") + " prepared"
	}
	text := "undecided"
	switch {
	case m.State == Aborted:
		text = "abort"
	case m.State == Committed:
		text = "commit"
	case len(m.Detail().Lost) > 0:
		text = "cannot commit, the sites shrank from " + strconv.Itoa(n+len(m.Detail().Lost)) + " to " + strconv.Itoa(n)
	}
	text += ": " + say.Itoa(m.Numbers.Of("commit")) + " commit, " + say.Itoa(m.Numbers.Of("abort")) + " abort, " +
		say.Itoa(m.Numbers.Of("pending")) + " pending"
	if odd := m.Numbers.Of("inexact"); odd > 0 {
		text += ", " + say.Itoa(odd) + " not recognised"
	}
	if nays := m.Detail().Nays; len(nays) > 0 {
		text += "; " + say.List(nays) + " voted abort and left"
	}
	if at := m.DecidedAt(); !at.IsZero() {
		text += ", decided at " + say.Moment(at, now)
	}
	return text
}

func (m *Model) membersPresent(time.Time) string {
	n := len(m.Claims)
	one, many := "member", "members"
	if m.Kind.Serves() {
		one, many = "instance", "instances"
	}
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one + ": " + say.Printable(m.Claims[0].Owner())
	}
	owners := make([]*Claim, n)
	for i := range m.Claims {
		owners[i] = &m.Claims[i]
	}
	return say.Plural(n, one, many) + ": " + Names(owners[:min(n, 3)]) +
		say.Either(n > 3, " and "+strconv.Itoa(n-3)+" more", "")
}

// valueKept tells a configuration's or a counter's value, its version and its last change.
func (m *Model) valueKept(now time.Time) string {
	text, value, changed := "", m.Value(), m.Znode().Mtime.Time()
	switch {
	case m.State == Unknown:
		return "its data could not be read"
	case m.State == Empty:
		text = "empty"
	case m.Kind.Number() && value == "":
		text = "not a number"
	case value == "":
		text = "has a value"
	case m.Kind.Number():
		text = "stands at " + value
	default:
		text = `"` + say.Printable(value) + `"`
	}
	text += ", version " + say.Itoa(m.Numbers.Of("version"))
	if !changed.IsZero() {
		text += ", changed " + say.Age(now.Sub(changed)) + " ago"
	}
	return text + m.watched("watches", "watch")
}

func (m *Model) meeting(now time.Time) string {
	switch {
	case m.State == Unknown:
		return "its data could not be read"
	case m.State == Waiting:
		return "nobody has filled it" + m.awaited()
	case m.Value() == "":
		return "filled" + m.watched("watches", "watch")
	}
	return "filled: " + m.Value() + m.watched("watches", "watch")
}

// leaseTerm tells who holds a lease and until when.
func (m *Model) leaseTerm(now time.Time) string {
	held := 0
	for i := range m.Claims {
		if !m.Claims[i].Ended {
			held++
		}
	}
	switch {
	case m.State == Unknown:
		return "whether it is held is not known"
	case len(m.Claims) == 0 && !m.Detail().Until.IsZero():
		return "free since " + m.Detail().Until.UTC().Format("2006-01-02 15:04:05") + " UTC"
	case len(m.Claims) == 0:
		return "free"
	case m.Dialect == layout.ShedLock && m.Detail().Until.IsZero():
		return "held, without an end: " + m.Claims[0].Why()
	case m.Dialect == layout.ShedLock:
		return "held for " + say.Age(m.Detail().Until.Sub(now)) + " more, " + m.Claims[0].Why()
	case len(m.Claims) > 1:
		return strconv.Itoa(held) + " of " + say.Plural(len(m.Claims), "lease is", "leases are") + " held"
	case held == 1:
		return say.Printable(m.Claims[0].Owner()) + " holds for " + say.Age(m.Detail().Until.Sub(now)) + " more, " +
			m.Claims[0].Why()
	}
	return "free: the lease of " + say.Printable(m.Claims[0].Owner()) + " " + m.Claims[0].Why()
}
