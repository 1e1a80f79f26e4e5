package inspect

// Codes lists the codes of every finding that there is. The slice is the caller's.
func Codes() []string {
	return []string{
		CodePhantomClaim, CodeSelfWait, CodeLeakedClaim, CodePersistentClaim, CodeForeignChildren, CodeMixedDialects,
		CodeSeqNearLimit, CodeSeqStuck, CodeSeqWrapped, CodeNameSessionMismatch, CodeDuplicateIdentity,
		CodeLeaderMismatch, CodeLeaderUnannounced, CodeNoStandby, CodeRevokePending, CodeLostWaiter, CodeDeadlock,
		CodeServersDisagree, CodeServerUnreachable, CodeClockSkew, CodeHerd, CodeDowngraded, CodeOrphanEphemeral, CodeOwnerDisconnected, CodeOwnerSilent,
		CodeOwnerRestarted, CodeOverLimit, CodeOrphanTaken, CodeRedelivered, CodeRequeuedName, CodePoisonHead,
		CodeStaleReady, CodeMissingParticipant, CodeVoteInexact, CodeVoteChanged, CodeParticipantLost,
		CodeNoParticipants, CodeFencing, CodeFlapping, CodeVersionWrapped, CodeUnreadable, CodeTooLarge, CodePartial,
		CodeEmptyParents, CodeVacant, CodeOrphanWork,
	}
}
