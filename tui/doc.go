// Package tui is zkscope's console: a Bubble Tea program that shows decoded recipes live and lets an
// operator act on them.
//
// The App holds the picture and what else is shown (tui/view), the desk with the recipes (tui/desk), the layers that lie on
// it (tui/layer), the operator's hand (tui/act), and what it was given (tui/backend). It gives keys to the layer on top, and
// where that is a page or none, says what they do; it divides the screen and draws its bars. Everything else is in the rooms:
//
//	paint, keys         what is drawn with; every key
//	widget              a line that is typed; the list
//	layer               dialog, menu, form, text, command line, filter line; the stack
//	backend             Source, Operator, Joiner: what the console is given
//	chart               what every kind is drawn with: strips of time, who had it, how long it took
//	panel               how a kind is drawn, a file each
//	picture             what is known, decoded outside of the event loop
//	view                the recipes, the claims of one, and the pages, a file each
//	desk                the recipes beside the claims of one: what is selected, and what a key acts on
//	act                 offers, plans and their confirmation, marks, votes, places that are taken
//
// The console never sees a connection. What it shows comes through a backend.Source, as immutable snapshots that
// it decodes off the event loop; what it changes goes out through a backend.Operator, as plans that a person
// has confirmed. A frame is a pure function of the App: exactly as many lines as the terminal has, none
// wider.
//
// # Concurrency
//
// An App belongs to the event loop that runs it. Commands run on other goroutines; they capture values and
// return messages, and never touch the App. Every blocking command ends when the App's context does.
package tui
