package story

import "github.com/zkscope/zkscope/inspect/model"

// Meaning explains a code of findings to whoever meets it at night.
type Meaning struct {
	Code  string `json:"code"`
	Means string `json:"means"` // what is wrong, and whom it hurts
	Known string `json:"known"` // what it is told from, and what could make it wrong
	Do    string `json:"do"`    // what to do about it
}

// Explain returns what a code means. There is a meaning for each of model.Codes.
func Explain(code string) (Meaning, bool) {
	m, ok := meanings[code]
	m.Code = code
	return m, ok
}

// meanings explains each code. docs/findings.md is printed from it.
var meanings = map[string]Meaning{
	model.CodeDeadlock: {
		Means: "Sessions wait for each other in a circle: each holds a claim that the one before it waits for. None of them goes on until one lets go.",
		Known: "From the order of the claims and from the watches that servers list. High needs two lines or more, a watch seen for every wait, waits that have lasted for 30 s, and no claim made or released by any of these sessions for 5 s. A session may be several threads that wait independently: the severity is lower where something tells of that.",
		Do:    "Look at each process with its own tools (a thread dump) before you break anything. Then break the claim that the finding names: the one that the fewest wait for. Fix the code to take its locks in one order.",
	},
	model.CodeLostWaiter: {
		Means: "A claim waits in line and its client does not watch the claim ahead. When that goes nobody wakes it: the line stops there, though the lock is free.",
		Known: "Every server listed its watches twice, the second time after the claim was seen waiting there, and none of them is this client's. Medium where the client may only hang, poll, or watch the directory instead.",
		Do:    "Restart the process that made the claim, or break the claim: whoever is behind it is woken then.",
	},
	model.CodeLeakedClaim: {
		Means: "A claim came to the head of its line while its client did not watch for that. The client has probably given up and forgotten the znode, which holds the lock for as long as the session lives.",
		Known: "The client's watch was missing in two complete lists while it waited. A single look cannot tell this: it needs to have seen the wait.",
		Do:    "Ask the process whether it believes that it holds. If it does not, break the claim: its session stays, and nothing else of it is touched.",
	},
	model.CodePhantomClaim: {
		Means: "One session is in an exclusive line more than once. Either its client lost the answer to its first create and made a second znode, or two threads of one process compete.",
		Known: "High where both znodes carry the id of one call, which proves the first case. Otherwise it is medium after a minute, and low while the session is active: several threads look the same.",
		Do:    "If the process has one thread for this lock, break the claim that it forgot, which is the older one. If it has more, there is nothing to do.",
	},
	model.CodeSelfWait: {
		Means: "A session holds a read lock and waits for the write lock of the same line. By the order it waits for itself.",
		Known: "From the order of the claims. Another thread of the process may be the reader: then it is only a wait.",
		Do:    "If one thread does both, it never goes on: break its read claim, and let the code release before it asks for the write lock.",
	},
	model.CodePersistentClaim: {
		Means: "A claim that its system writes as an ephemeral znode is persistent: no session owns it, so it stays for ever when its process ends.",
		Known: "From the znode's owner, and from the layout, which says what its system writes. Layouts that are durable by design are low, medium while others wait.",
		Do:    "Make sure that the process named in its data is gone or no longer needs it, then break the claim. Find out who made it by hand.",
	},
	model.CodeOwnerDisconnected: {
		Means: "The session that owns a claim has no connection to any server. It ends when its timeout is over, unless its client comes back.",
		Known: "Every server listed its connections, in two rounds, and the session is on none. The time left is the server's own where it tells it.",
		Do:    "Wait for the time that is shown: the claim then goes by itself. Break it only if you know that the process is dead and cannot wait.",
	},
	model.CodeOwnerSilent: {
		Means: "A connected owner was not heard for half its session timeout and 5s, or for two thirds of it where that is less. Clients ping at a third: its process hangs, or the network drops what it sends.",
		Known: "From the servers' time of the last request, or from the expiry that they name.",
		Do:    "Look at the process and its host: a long garbage collection, swap, a paused machine. The session ends at the time shown.",
	},
	model.CodeOwnerRestarted: {
		Means: "A claim's session has no connection, and the same address is back with a newer session: the process was restarted, and its old claim waits for the timeout.",
		Known: "From the servers' connections. An address may be a gateway's or a host's with several processes.",
		Do:    "Wait for the time shown, or break the old claim if the process is certain to be new. Let it close its session when it stops.",
	},
	model.CodeOrphanEphemeral: {
		Means: "An ephemeral znode is there and no server has its session: it expired or is about to, yet the znode stays.",
		Known: "Every server listed its sessions in two rounds. In a healthy ensemble it is over within moments.",
		Do:    "If it stays for a minute, compare the members (zkscope diff of their data directories, or doctor): one may be broken. Restart that one.",
	},
	model.CodeRevokePending: {
		Means: "A holder was asked to let go and still holds.",
		Known: "Its znode's data is the request. Whether its client listens is known only for some libraries, and the row says so.",
		Do:    "Give it time to finish. If it does not listen, ask its owner, or break the claim.",
	},
	model.CodeDowngraded: {
		Means: "A claim was seen holding and now waits, on the same znode. Its client may still believe that it holds: two may act at once.",
		Known: "Seen by this run. It takes a znode with a lower number to come later, as from a restored snapshot or a wrapped counter.",
		Do:    "Stop one of the two processes now, then find out what brought the lower number.",
	},
	model.CodeDuplicateIdentity: {
		Means: "Two sessions use the same name: a restarted process beside its old session, or two that are configured alike.",
		Known: "From the names in the claims' data.",
		Do:    "If one session has no connection, wait for its end. Otherwise give each process a name of its own.",
	},
	model.CodeNameSessionMismatch: {
		Means: "A claim names one session and is owned by another: its name or data was copied, or another host registered it.",
		Known: "From the name or data and the znode's owner. A gateway between client and server explains a foreign host.",
		Do:    "Find out which process made the znode, by its session. Do not trust the name on this row.",
	},
	model.CodeVacant: {
		Means: "Nobody leads, though members, brokers, standbys or watchers are there. What needs a leader stands still.",
		Known: "The leader's znode is absent, for longer than an election takes. Where one znode is all that there is, only a run that saw a leader, a hint, or a known system's place tells that there is an election.",
		Do:    "Look at the processes that could lead: are they up, connected, paused, or refused by the ensemble? zkscope why names them.",
	},
	model.CodeNoStandby: {
		Means: "There are fewer standbys than the configuration expects: when the leader goes, it takes longer or nobody leads.",
		Known: "From the candidates in line and the expectation in the configuration.",
		Do:    "Start the missing processes, or correct the expectation.",
	},
	model.CodeLeaderMismatch: {
		Means: "The leader that is announced is not the one whose znode leads. Clients may follow the wrong one.",
		Known: "From two znodes of the same system that disagree. In a failover it is over within moments.",
		Do:    "If it stays, restart whoever is announced and does not lead, and look at the log of the one that does.",
	},
	model.CodeLeaderUnannounced: {
		Means: "The head of the line has not announced itself yet: clients do not know whom to follow.",
		Known: "The announcement's znode is absent or of somebody else.",
		Do:    "Wait a few seconds. If it stays, look at the log of the head of the line: it may have been elected and then hung.",
	},
	model.CodeFencing: {
		Means: "A failover is fencing the node that was active last, or waits until that is possible. Nobody is active meanwhile.",
		Known: "From the breadcrumb that the last active node left behind.",
		Do:    "Look at the fencing method in the log of the node that takes over. Do not remove the breadcrumb unless you know that the old node is down.",
	},
	model.CodeFlapping: {
		Means: "Places change hands, or are lost with their sessions, far more often than they should.",
		Known: "Counted by this run over the last ten minutes.",
		Do:    "Look for sessions that expire: long pauses of processes, short timeouts, a network that drops. zkscope history shows each loss.",
	},
	model.CodeHerd: {
		Means: "Many sessions watch one claim and all wake when it goes, though one can go on. Each change costs as many requests as there are watchers.",
		Known: "From the servers' lists of watches, counting only who waits for that claim.",
		Do:    "Use a recipe whose waiters watch the claim ahead of them. Until then expect bursts of requests.",
	},
	model.CodeMixedDialects: {
		Means: "Clients of different libraries share a line. Some do not see each other's claims, so that two may hold at once.",
		Known: "From the spelling of the claims. High for pairs that are known not to see each other.",
		Do:    "Stop one of the two kinds of client, or give each a path of its own.",
	},
	model.CodeForeignChildren: {
		Means: "Children that are not claims are in a recipe's directory. Some libraries take them for claims, or fail on them.",
		Known: "Their names follow no spelling of the recipe's clients.",
		Do:    "Find out who made them, and remove them if nobody needs them.",
	},
	model.CodeOverLimit: {
		Means: "More clients hold a semaphore than its limit allows.",
		Known: "From the leases and the limit, which is a hint's, the recipe's own, or what its clients were seen to keep to.",
		Do:    "Compare the limit in every client's configuration: they probably differ.",
	},
	model.CodeHeldLong: {
		Means: "A claim has held for more than ten times as long as is usual in this recipe.",
		Known: "From the local history of what consoles on this machine saw, where local-history is set: the p95 of at least 20 holds. " +
			"Of a claim that held before the console looked only the time since then counts. An election is never told.",
		Do: "Look at the process that the finding names: it may hang, or have more to do than usual. Ask it to let go only when nothing depends on its work.",
	},
	model.CodeOverThreshold: {
		Means: "A threshold is exceeded: a claim is held, has waited or exists for longer than you allow, more claims wait, or a queue is deeper.",
		Known: "From the thresholds of the configuration or of --thresholds; the finding names the rule. For how long a claim holds is an upper bound where nobody saw its grant: it is shown with ≤, and the claim may have waited for part of it. Only what it has held surely exceeds a limit then: since the look began, or since nobody can have gone from ahead of it. What it may have held besides is told as low. What was not read is never counted as exceeding one.",
		Do:    "Look at the recipe with zkscope why, and at the process that the finding names. If this is normal here, raise the limit in the rule, or put a rule for this path before it.",
	},
	model.CodeSeqNearLimit: {
		Means: "The counter that numbers the claims of a directory is near its end. When it wraps, clients disagree on the order.",
		Known: "From the highest number or the directory's version.",
		Do:    "In a quiet hour: let the line run empty, then delete the directory and make it again.",
	},
	model.CodeSeqStuck: {
		Means: "The last number was given out: nobody can join the line before that znode is gone.",
		Known: "From the number 2147483647 in a name.",
		Do:    "Drain the line, delete the directory and make it again.",
	},
	model.CodeSeqWrapped: {
		Means: "The counter has turned negative. Libraries order such names differently, and two may hold at once.",
		Known: "From the names. The finding lists who is admitted by which rule, where these differ.",
		Do:    "Stop the clients, delete the directory and make it again.",
	},
	model.CodeVersionWrapped: {
		Means: "A znode's data version has turned negative. Clients that compare versions may stop updating it.",
		Known: "From the znode's version.",
		Do:    "Delete the znode and make it again with the same data, at a time when its clients tolerate that.",
	},
	model.CodeOrphanTaken: {
		Means: "A mark says that somebody is processing an item that is no longer in the queue: it was done, and the mark stayed.",
		Known: "The mark's znode is there and the item's is not. Between two deletes it is over within moments.",
		Do:    "If it stays, remove it with zkscope clean. Nobody waits for it.",
	},
	model.CodeRedelivered: {
		Means: "An item went from one consumer to another: the first one died or gave it back. Work may be done twice.",
		Known: "The console saw its mark of work go from one session to another.",
		Do:    "Find out why the first consumer ended. The queue needs nothing.",
	},
	model.CodeRequeuedName: {
		Means: "An item was put back under a name with ten more digits, as some clients do. Its name grows with every return.",
		Known: "From the digits at the end of its name.",
		Do:    "Nothing now. An item that comes back again and again may be one that no consumer can process.",
	},
	model.CodePoisonHead: {
		Means: "Several consumers took the head of the queue and went without finishing it. Its data may break whoever takes it, and everything behind it waits.",
		Known: "The console saw each of them take it and go.",
		Do:    "Save the item's data (the audit log keeps it), then move it out of the way with zkscope skip, and look at the consumers' logs.",
	},
	model.CodeStaleReady: {
		Means: "The ready znode of a double barrier is left over from an earlier round: whoever comes is let in at once, alone. kazoo's clients do not look at it: they count it as a member, and may wait for ever.",
		Known: "From the ready znode being older than the members, or in an empty room.",
		Do:    "Remove the ready znode while nobody is there: a kazoo client that waits when it is removed is not let in any more. End the processes that wait first.",
	},
	model.CodeMissingParticipant: {
		Means: "Somebody who is expected is not there: a barrier does not open, a vote does not end, a group is short.",
		Known: "From the expectation, which is the recipe's own, a hint's or the configuration's.",
		Do:    "Start the missing process, or correct the expectation.",
	},
	model.CodeParticipantLost: {
		Means: "A site left the transaction, or a member's session left the barrier, before it was over. The rest may wait for ever.",
		Known: "Seen by this run, or from a member whose session is gone.",
		Do:    "Restart the site if it can still vote. Otherwise decide the transaction as its protocol says: without all votes it aborts.",
	},
	model.CodeNoParticipants: {
		Means: "A transaction has no site: nobody can vote, and it never ends.",
		Known: "Its znode has no children.",
		Do:    "Find out who made it, and remove it if it was given up.",
	},
	model.CodeVoteInexact: {
		Means: "A vote is written in a way that clients do not count, as with a space or another case.",
		Known: "From the vote's data.",
		Do:    "Let the site vote again, or vote for it with zkscope vote if its owner agrees.",
	},
	model.CodeVoteChanged: {
		Means: "A site changed its vote. Whoever read the first one may have acted on it.",
		Known: "From the version of the site's znode, or seen by this run.",
		Do:    "Compare what the coordinator decided with the votes as they stand.",
	},
	model.CodeOrphanWork: {
		Means: "Work is assigned to an owner that is gone: nobody does these shards, tasks or jobs.",
		Known: "From the assignment and the list of those who are there.",
		Do:    "Let the system reassign it: most do when their leader is restarted.",
	},
	model.CodeServersDisagree: {
		Means: "A znode is on some servers and not on others, in several rounds. One member's data is not what the others have. " +
			"Or servers that were given together are not of one ensemble: what is shown is of the one that the connection is to.",
		Known: "A znode: from each server's dump, three rounds in a row or more. Another ensemble: a server says that it stands alone, or lists other members.",
		Do: "Take the member that differs out of service, keep its data directory, and let it start from a fresh snapshot. " +
			"Leave a server of another ensemble out of the list, and look at it apart.",
	},
	model.CodeServerUnreachable: {
		Means: "A member of the ensemble does not answer, or answers and serves nobody.",
		Known: "Asked twice. It may be there for the others and not for this host: a member goes on serving for seconds only (its syncLimit) without a quorum.",
		Do:    "Look at the member, and at the network from here to it. The finding says how many more may fail.",
	},
	model.CodeClockSkew: {
		Means: "A server's clock differs from ours. Ages on the screen, which come from its znodes, are off by the same amount.",
		Known: "Measured with the server's own time, within the time of the question and its answer.",
		Do:    "Set the clock of that host, or of this one.",
	},
	model.CodeUnreadable: {
		Means: "Something could not be read, so that a part of the answer is not known.",
		Known: "The server refused it for lack of permission, or its content was not understood.",
		Do:    "Give credentials that may read it.",
	},
	model.CodeTooLarge: {
		Means: "Something was counted and not read, because of its size.",
		Known: "From the limits of this run, as --max-children.",
		Do:    "Raise the limit, or ask for the path by name.",
	},
	model.CodePartial: {
		Means: "Not the whole tree is shown: parts were not read, or are still being read.",
		Known: "The finding names the reason.",
		Do:    "Wait until everything is read, raise the limits, or narrow the view with --root.",
	},
	model.CodeEmptyParents: {
		Means: "Directories of locks and elections are empty. One that is in use is empty between two turns; one that is not used any more may stay forever.",
		Known: "From directories that recipes were in, or that look like it.",
		Do:    "Nothing now. Servers remove container znodes by themselves: use them for such directories.",
	},
}
