package actions

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// breakClaim offers to delete one claim: never a directory, never more than one znode. Its owner is not
// told, and may go on acting on what it believes to hold.
var breakClaim = way{verb: VerbBreak, key: "b", label: "break the claim", not: whyNotBreak, plan: planBreak}

func planBreak(s Scene) Plan {
	c := s.Claim
	name := say.Printable(c.Owner())
	p := s.plan(VerbBreak)
	p.Op = Remove
	p.Title = fmt.Sprintf("break the claim of %s on %s", c.Called(), say.Printable(s.Model.Path))
	p.Outcome = predictGone(s)
	live := liveness(s)
	switch {
	case c.Session == 0:
		p.Risk = High
		p.Warnings = append(p.Warnings, "the claim is persistent: some systems make durable claims on purpose")
	case !holds(c):
		p.Risk = Elevated
		p.Warnings = append(p.Warnings, name+" is not told: its client may wait for ever or claim again")
	case live == gone:
		p.Risk = Elevated
		line := "no server has a connection of " + c.Session.String() + "; its znode goes by itself when the session expires"
		p.Warnings = append(p.Warnings, line+expiry(s))
		p.runs(line+expiry(s), line)
	case live == connected:
		p.Risk = High
		p.Warnings = append(p.Warnings, name+" is still connected and is not told: it may go on acting as holder. Stop it first.")
	default:
		p.Risk = High
		p.Warnings = append(p.Warnings, "whether "+name+" still runs is not known; it is not told and may go on acting as holder")
	}
	if s.Model.LooksLike() {
		p.Risk = High
		p.Warnings = append(p.Warnings, "it only looks like "+s.Model.Kind.OneOf()+": if it is something else, this deletes a znode that its clients rely on")
	}
	if p.Risk == High {
		p.Confirm = toType(c)
	}
	return p
}

// whyNotBreak says why a claim is not broken. What follows is known for claims that are held and waited for: a
// configuration's value, a queue's item or a vote is no claim on anything that another waits for.
func whyNotBreak(s Scene) string {
	if !s.Model.Kind.Waits() {
		return s.Model.Kind.OneOf() + " has no claim that could be broken: deleting this znode would lose data or mislead its clients"
	}
	return s.blindOr(s.hasChildren)
}

// expiry is when a claim's session expires, where servers tell; it begins with a comma.
func expiry(s Scene) string {
	at := s.Result.Snapshot.Sessions[s.Claim.Session].ExpiresAt
	if at.IsZero() {
		return ""
	}
	return ", in " + say.Age(at.Sub(s.Now)) + " (" + at.UTC().Format("15:04:05Z") + ")"
}

type life uint8

const (
	unknown life = iota
	connected
	gone
)

// liveness says whether the claim's session is seen connected to any server. Gone needs an answer of every
// server.
func liveness(s Scene) life {
	snap := s.Result.Snapshot
	if snap.Sessions == nil {
		return unknown
	}
	sess, ok := snap.Sessions[s.Claim.Session]
	if ok && sess.Connected != nil && *sess.Connected {
		return connected
	}
	if len(snap.Servers) == 0 || !snap.ToldSessions() || ok && sess.Connected == nil {
		return unknown
	}
	return gone
}

// toType is what an operator types to confirm: the owner's name where that can be typed, else the end of
// the znode's name.
func toType(c *model.Claim) string {
	if typeable(c.Owner()) {
		return c.Owner()
	}
	if c.HasSeq {
		return itoa(c.Seq)
	}
	return "break"
}

func typeable(s string) bool {
	return s != "" && len(s) <= 32 && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}
