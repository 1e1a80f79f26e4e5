package inspect

import (
	"strconv"
	"time"
)

// summaries say how a recipe stands, for the kinds that are no plain line.
var summaries = map[Kind]func(*Model, time.Time) string{
	Semaphore:     (*Model).leasesHeld,
	Barrier:       (*Model).barrierStands,
	DoubleBarrier: (*Model).membersInside,
	Queue:         (*Model).queueDepth,
	PriorityQueue: (*Model).queueDepth,
	DelayQueue:    (*Model).queueDepth,
	TwoPhase:      (*Model).votes,
	Membership:    (*Model).membersPresent,
	Service:       (*Model).membersPresent,
	Config:        (*Model).valueKept,
	Counter:       (*Model).valueKept,
	Rendezvous:    (*Model).meeting,
	Lease:         (*Model).leaseTerm,
}

// leasesHeld tells how many hold a semaphore, of how many.
func (m *Model) leasesHeld(now time.Time) string {
	first, behind := m.split()
	if len(first) == 0 {
		return "free" + waiting(behind)
	}
	text := lead(first, "holds", now)
	if limit, ok := m.Numbers.Get("limit"); ok {
		text += "; " + strconv.Itoa(len(first)) + " of " + itoa(limit)
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
	text := "closed" + lasting(m.Claims[0].Since(), now)
	if c := &m.Claims[0]; c.OwnerSource() == FromData {
		text += " by " + Printable(c.Owner())
	}
	return text + m.watched("waits", "wait")
}

// watched tells how many sessions watch the recipe's znode, where that is known.
func (m *Model) watched(one, many string) string {
	n, known := m.Numbers.Get("watchers")
	if !known {
		return ""
	}
	return ", " + plural(int(n), "session ", "sessions ") + choose(int(n), one, many)
}

// membersInside tells a double barrier's phase.
func (m *Model) membersInside(time.Time) string {
	n := len(m.Claims)
	people := plural(n, "member", "members")
	needed, known := m.Numbers.Get("needed")
	of := ", how many are needed is not stored"
	if known {
		of = ", " + itoa(needed) + " needed"
	}
	if m.detail().mayLeave {
		if !known {
			of = ""
		}
		return m.Phase() + ": one look cannot tell; " + people + choose(n, " is", " are") + " there" + of
	}
	switch m.State {
	case Gathering:
		return people + choose(n, " has", " have") + " come" + of
	case Inside:
		return people + " inside" + of
	case Leaving:
		if gone := int(needed) - n; known && gone > 0 {
			return "leaving: " + strconv.Itoa(gone) + " of " + itoa(needed) + choose(gone, " has", " have") + " left, " + strconv.Itoa(n) + choose(n, " is", " are") + " still inside"
		}
		return "leaving: " + people + " still inside"
	}
	if m.finding(CodeStaleReady) != nil {
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
	text := plural(depth, "item", "items")
	if taken := m.Numbers.Of("taken"); taken > 0 {
		text += ", " + itoa(taken) + " in work"
	}
	if m.Kind == DelayQueue {
		text += ", " + itoa(m.Numbers.Of("due")) + " due"
	}
	if head := m.Claims[0].Created(); !head.IsZero() {
		text += ", the first is " + Age(now.Sub(head)) + " old"
	}
	return text
}

// votes tells the verdict and how the sites voted.
func (m *Model) votes(time.Time) string {
	n := len(m.Claims)
	if n == 0 {
		return "no site takes part"
	}
	if m.Dialect == HBase {
		return map[State]string{Committed: "all may go on", Aborted: "aborted", Undecided: "under way"}[m.State] +
			": " + plural(n, "member is", "members are") + " prepared"
	}
	text := "undecided"
	switch {
	case m.State == Aborted:
		text = "abort"
	case m.State == Committed:
		text = "commit"
	case len(m.detail().lost) > 0:
		text = "cannot commit, the sites shrank from " + strconv.Itoa(n+len(m.detail().lost)) + " to " + strconv.Itoa(n)
	}
	text += ": " + itoa(m.Numbers.Of("commit")) + " commit, " + itoa(m.Numbers.Of("abort")) + " abort, " + itoa(m.Numbers.Of("pending")) + " pending"
	if odd := m.Numbers.Of("inexact"); odd > 0 {
		text += ", " + itoa(odd) + " not recognised"
	}
	if nays := m.detail().nays; len(nays) > 0 {
		text += "; " + list(nays) + " voted abort and left"
	}
	return text
}

func (m *Model) membersPresent(time.Time) string {
	n := len(m.Claims)
	one, many := "member", "members"
	if m.Kind == Service {
		one, many = "instance", "instances"
	}
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one + ": " + Printable(m.Claims[0].Owner())
	}
	owners := make([]*Claim, n)
	for i := range m.Claims {
		owners[i] = &m.Claims[i]
	}
	return plural(n, one, many) + ": " + names(owners[:min(n, 3)]) + map[bool]string{true: " and " + strconv.Itoa(n-3) + " more"}[n > 3]
}

// valueKept tells a configuration's or a counter's value, its version and its last change.
func (m *Model) valueKept(now time.Time) string {
	text, value, changed := "", m.value(), m.znode().Mtime.Time()
	switch {
	case m.State == Unknown:
		return "its data could not be read"
	case m.State == Empty:
		text = "empty"
	case m.Kind == Counter && value == "":
		text = "not a number"
	case value == "":
		text = "has a value"
	case m.Kind == Counter:
		text = "stands at " + value
	default:
		text = `"` + Printable(value) + `"`
	}
	text += ", version " + itoa(m.Numbers.Of("version"))
	if !changed.IsZero() {
		text += ", changed " + Age(now.Sub(changed)) + " ago"
	}
	return text + m.watched("watches", "watch")
}

func (m *Model) meeting(now time.Time) string {
	switch {
	case m.State == Unknown:
		return "its data could not be read"
	case m.State == Waiting:
		return "nobody has filled it" + m.watched("waits", "wait")
	case m.value() == "":
		return "filled" + m.watched("watches", "watch")
	}
	return "filled: " + m.value() + m.watched("watches", "watch")
}

// leaseTerm tells who holds a lease and until when.
func (m *Model) leaseTerm(now time.Time) string {
	held := 0
	for i := range m.Claims {
		if !m.Claims[i].ended {
			held++
		}
	}
	switch {
	case m.State == Unknown:
		return "whether it is held is not known"
	case len(m.Claims) == 0 && !m.detail().until.IsZero():
		return "free since " + m.detail().until.UTC().Format("2006-01-02 15:04:05") + " UTC"
	case len(m.Claims) == 0:
		return "free"
	case m.Dialect == ShedLock && m.detail().until.IsZero():
		return "held, without an end: " + m.Claims[0].Why()
	case m.Dialect == ShedLock:
		return "held for " + Age(m.detail().until.Sub(now)) + " more, " + m.Claims[0].Why()
	case len(m.Claims) > 1:
		return strconv.Itoa(held) + " of " + plural(len(m.Claims), "lease is", "leases are") + " held"
	case held == 1:
		return Printable(m.Claims[0].Owner()) + " holds for " + Age(m.detail().until.Sub(now)) + " more, " + m.Claims[0].Why()
	}
	return "free: the lease of " + Printable(m.Claims[0].Owner()) + " " + m.Claims[0].Why()
}
