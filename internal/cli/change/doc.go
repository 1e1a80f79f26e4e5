// Package change holds the commands that change one znode: the verbs, a row each, a vote, and the audit log of what was done. What
// can be done is offered, planned and applied by actions; a command finds the claim, holds it against the pins of the command
// line, asks where somebody can be asked, and says in words or JSON what came of it. With - for the path it does so to each claim
// that standard input lists.
//
// Nothing is written here but through actions.Actor, and by nobody under --read-only.
//
// # Errors
//
// What is refused and changed nothing is world.ExitRefused; what was done and is not in the audit log, world.ExitUnlogged.
package change
