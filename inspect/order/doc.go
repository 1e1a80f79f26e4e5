// Package order decides who is first: [Rule.Turn] answers the clients' question, is it my turn, and a [Line] is what
// the decoders ask, by the same code.
//
// In a line the first claim holds. Readers hold together until the first claim that is not a reader. Every other claim
// waits for the nearest one ahead that excludes it. Each library compares numbers by a rule of its own; where claims of
// several stand in one line, arrival (czxid) decides. Everything is a pure function of names, czxids and sessions.
package order
