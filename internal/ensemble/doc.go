// Package ensemble asks the members of a ZooKeeper ensemble what only they know: which sessions there are, from
// which addresses, until when, and who watches what.
//
// A member is asked through its AdminServer (JSON over HTTP or HTTPS), through the four-letter words of its client
// port (plain or TLS), or not at all where both are closed. Which of these it was, and which line of the
// configuration would open the next, is part of the answer. Nothing that a server did not say is taken for granted:
// an answer that is cut off, refused or missing makes what would follow from it unknown.
//
// The package sends nothing that changes a server: not even commands that reset statistics.
//
// # Concurrency
//
// An Ensemble may be used from several goroutines; it asks for one of them at a time. A Watcher owns one goroutine,
// which Close ends. A Status is immutable.
package ensemble
