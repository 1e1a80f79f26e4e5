// Package backend is what the console is given by whoever starts it: where pictures come from (Source, and what some can do
// besides: Reader, Witness, Player), how an operator's plans are carried out (Operator), and how one takes part in recipes
// (Joiner, Place).
//
// # Concurrency
//
// Each method says whether it may block. They are called from commands, possibly at the same time.
package backend
