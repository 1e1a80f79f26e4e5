// Package live looks at an ensemble: it puts together what a connection reads (mirror) and what the members tell (ensemble).
// Look does so once, for a command, and decides when a look has to be taken again before anything is said; Open goes on doing
// so, for the console. It draws and prints nothing.
//
// # Concurrency
//
// A Config is a plain value. Look, Probe and CompareClocks own what they open and end it before they return. A Source owns a
// mirror, a watcher and a goroutine until Close; its methods may be called from any goroutine and do not block.
package live
