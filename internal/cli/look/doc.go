// Package look is how a command looks at what is there: at servers once, at servers for as long as it runs, or at a file: a
// snapshot, a recording, the data directories of members, or an archive of them. A [Reader] is a command that looks once and
// prints; a [Reading] is what it has seen, weighed by the limits, the hidden recipes and the names of hosts that the configuration
// sets. What was not seen is said by [Reading.Incomplete], and a path of which it is not known what it is by [Unclear]. A command
// can be asked of the ensembles of all profiles by [OfAll].
//
// Nothing here writes to an ensemble.
//
// # Errors
//
// A failure to connect, to read a file, or to find a path carries its exit code, as [ConnectError] gives it.
//
// # Concurrency
//
// A command may look for several ensembles at a time, each by a command.Line of its own. The garbage collector's settings, which
// a look changes for its time, are the process's.
package look
