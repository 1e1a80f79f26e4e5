package model

import (
	"strconv"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
)

// Codes of findings. They are never renamed; scripts rely on them.
const (
	CodePhantomClaim        = "phantom-claim"         // one session stands twice in an exclusive line
	CodeSelfWait            = "self-wait"             // a session waits for itself
	CodeLeakedClaim         = "leaked-claim"          // a holder that did not watch for its turn: its client gave up
	CodePersistentClaim     = "persistent-claim"      // no session owns a claim: it never expires
	CodeForeignChildren     = "foreign-children"      // children that are not claims
	CodeMixedDialects       = "mixed-dialects"        // libraries that may not see each other share a line
	CodeSeqNearLimit        = "seq-near-limit"        // the sequence counter is close to its end
	CodeSeqStuck            = "seq-stuck"             // the counter reached its end: nobody can join
	CodeSeqWrapped          = "seq-wrapped"           // the counter turned negative: clients disagree on the order
	CodeNameSessionMismatch = "name-session-mismatch" // the session in a name is not the owner
	CodeDuplicateIdentity   = "duplicate-identity"    // two sessions use the name the same
	CodeLeaderMismatch      = "leader-mismatch"       // the announced leader is not the head of the line
	CodeLeaderUnannounced   = "leader-unannounced"    // the head of the line has not announced itself
	CodeNoStandby           = "no-standby"            // fewer stand by than a hint expects
	CodeRevokePending       = "revoke-pending"        // a holder was asked to let go and still holds
	CodeLostWaiter          = "lost-waiter"           // a waiter does not watch what it waits for
	CodeDeadlock            = "deadlock"              // sessions wait for each other in a circle
	CodeServersDisagree     = "servers-disagree"      // a znode is on some servers and not on others
	CodeServerUnreachable   = "server-unreachable"    // a member of the ensemble does not answer
	CodeClockSkew           = "clock-skew"            // a server's clock is not ours: ages are in doubt
	CodeHerd                = "herd"                  // many wake where one can go on
	CodeDowngraded          = "downgraded"            // it was seen holding and now waits, on the same znode
	CodeOrphanEphemeral     = "orphan-ephemeral"      // an ephemeral znode of a session that no server has
	CodeOwnerDisconnected   = "owner-disconnected"    // an owner's session has no connection
	CodeOwnerSilent         = "owner-silent"          // no server heard an owner for longer than clients are silent
	CodeOwnerRestarted      = "owner-restarted"       // the same, and its address is back with a newer session
	CodeOverLimit           = "over-limit"            // more hold than the limit allows
	CodeOverThreshold       = "over-threshold"        // longer or more than somebody's own limit allows
	CodeHeldLong            = "held-long"             // held for far longer than is usual there
	CodeOrphanTaken         = "orphan-taken"          // a mark of work on an item that is no more
	CodeRedelivered         = "redelivered"           // an item went from one consumer to another
	CodeRequeuedName        = "requeued-name"         // an item was put back under a name with two numbers
	CodePoisonHead          = "poison-head"           // the head of a queue outlives its consumers
	CodeStaleReady          = "stale-ready"           // a double barrier opens at once for whoever comes
	CodeMissingParticipant  = "missing-participant"   // somebody that a hint expects is not there
	CodeVoteInexact         = "vote-inexact"          // a vote that clients will not count
	CodeVoteChanged         = "vote-changed"          // a site changed its vote
	CodeParticipantLost     = "participant-lost"      // a site left the transaction, or a member's session the barrier
	CodeNoParticipants      = "no-participants"       // a transaction without sites
	CodeFencing             = "fencing"               // the last active node is being fenced
	CodeFlapping            = "flapping"              // places change hands often, or are lost often
	CodeVersionWrapped      = "version-wrapped"       // a znode's data version turned negative
	CodeUnreadable          = "unreadable"            // something could not be read
	CodeTooLarge            = "too-large"             // something was counted, not read
	CodePartial             = "partial"               // the picture has holes
	CodeVacant              = "vacant"                // nobody leads
	CodeOrphanWork          = "orphan-work"           // work that is given to an owner who is gone
	CodeEmptyParents        = "empty-parents"         // directories that recipes left behind
)

// SortFindings puts what hurts most first.
func SortFindings(fs []Finding) {
	sorted.By(fs, func(a, b Finding) int { return int(b.Severity) - int(a.Severity) })
}

// maxAlike is how many findings of one code a recipe keeps.
const maxAlike = 10

// SettleFindings sorts findings and keeps the first few of each code; the last of those says how many
// more there are.
func SettleFindings(fs []Finding) []Finding {
	SortFindings(fs)
	if len(fs) <= maxAlike {
		return fs
	}
	count := make(map[string]int)
	last := make(map[string]int)
	kept := fs[:0]
	for _, f := range fs {
		count[f.Code]++
		if count[f.Code] <= maxAlike {
			last[f.Code] = len(kept)
			kept = append(kept, f)
		}
	}
	for code, n := range count {
		if n > maxAlike {
			kept[last[code]].Text += "; and " + strconv.Itoa(n-maxAlike) + " more like this"
		}
	}
	return kept
}

// Names joins the owners of claims, the first few of them. Where two read the same, the session tells them apart, or
// the number where that is the same too.
func Names(claims []*Claim) string {
	owners := make([]string, len(claims))
	for i, c := range claims {
		owners[i] = c.Owner()
		for j, o := range claims {
			if i != j && o.Owner() == c.Owner() {
				owners[i] += toldApart(c, o)
				break
			}
		}
		if i == say.MostNames {
			break
		}
	}
	return say.List(owners)
}

// toldApart is what tells a claim from another whose owner is called the same.
func toldApart(c, o *Claim) string {
	switch {
	case c.Session != o.Session && c.Session != 0:
		return " (" + c.Session.String() + ")"
	case c.HasSeq:
		return " (" + c.seqText() + ")"
	}
	return " (" + c.Node() + ")"
}

// Codes lists the codes of every finding that there is. The slice is the caller's.
func Codes() []string {
	return []string{
		CodePhantomClaim, CodeSelfWait, CodeLeakedClaim, CodePersistentClaim, CodeForeignChildren, CodeMixedDialects,
		CodeSeqNearLimit, CodeSeqStuck, CodeSeqWrapped, CodeNameSessionMismatch, CodeDuplicateIdentity,
		CodeLeaderMismatch, CodeLeaderUnannounced, CodeNoStandby, CodeRevokePending, CodeLostWaiter, CodeDeadlock,
		CodeServersDisagree, CodeServerUnreachable, CodeClockSkew, CodeHerd, CodeDowngraded, CodeOrphanEphemeral,
		CodeOwnerDisconnected, CodeOwnerSilent,
		CodeOwnerRestarted, CodeOverLimit, CodeOverThreshold, CodeHeldLong, CodeOrphanTaken, CodeRedelivered, CodeRequeuedName, CodePoisonHead,
		CodeStaleReady, CodeMissingParticipant, CodeVoteInexact, CodeVoteChanged, CodeParticipantLost,
		CodeNoParticipants, CodeFencing, CodeFlapping, CodeVersionWrapped, CodeUnreadable, CodeTooLarge, CodePartial,
		CodeEmptyParents, CodeVacant, CodeOrphanWork,
	}
}
