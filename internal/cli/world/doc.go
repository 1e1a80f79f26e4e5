// Package world is what a command line has outside of itself: its streams and its environment, the exit codes and errors that it
// ends with, files and pipes that are waited for until a signal comes, directories that have to go at its end, and how rows,
// words and values that may be missing are written. It knows no command and no flag.
//
// # Errors
//
// An error that asks for an exit code is a [Failure], which [Fail] makes; [Code] finds the code of any other.
//
// # Concurrency
//
// [WhileReading] may be called from several goroutines; what it reads is read in the caller's own. [Pages] may be used from
// several goroutines. Nothing else here is shared.
package world
