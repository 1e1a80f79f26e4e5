// Package widget has what the console's layers are made of and no layer is alone: a line of text that is typed, and a list
// whose selection stays with what it was on.
//
// # Concurrency
//
// A widget belongs to the event loop, as its owner does.
package widget
