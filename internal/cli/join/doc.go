// Package join takes part in a recipe from the command line, with or without a command that runs meanwhile. A stay is one claim
// from its request to its end; a keeper is a process of this program under which the command runs, so that it does not outlive
// us: nobody would tell it that the claim is lost.
//
// Importing it makes a process that was started as a keeper one, before main.
//
// # Errors
//
// With a command, join's own failures are world.ExitOwn; every other exit code is the command's.
//
// # Concurrency
//
// One stay runs at a time. The command, its output and the signals for it have goroutines that end with the command.
package join
