// Package tui is zkscope's console: a Bubble Tea program that shows decoded recipes live and lets an
// operator act on them.
//
// The console never sees a connection. What it shows comes through a Source, as immutable snapshots that
// it decodes off the event loop; what it changes goes out through an Operator, as plans that a person
// has confirmed. A frame is a pure function of the App: exactly as many lines as the terminal has, none
// wider.
//
// # Concurrency
//
// An App belongs to the event loop that runs it. Commands run on other goroutines; they capture values and
// return messages, and never touch the App. Every blocking command ends when the App's context does.
package tui
