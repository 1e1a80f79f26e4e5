// Package console opens the console, tui, on what a command line names: an ensemble, a file, or the demo's stage. It gives it a
// picture that follows, an operator, places in recipes, own commands and looks; lets consoles of several ensembles follow one
// another on one terminal; and gives the terminal back whatever happens.
//
// Nothing is written to an ensemble here but through actions, and by nobody where the console looks on: at a file, under
// --read-only, or where there is no audit log.
//
// # Concurrency
//
// A console belongs to one goroutine. Other ensembles are asked and prepared beside it; they end with the run.
package console
