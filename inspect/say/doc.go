// Package say puts things into words: ages, counts and lists as people read them, and the one function, [Printable],
// that makes text from ZooKeeper safe for a terminal. [Gated] is the last gate of what is written, for JSON
// and for lines.
//
// Everything here is a pure function and may be called from any goroutine.
package say
