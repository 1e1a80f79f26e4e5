// Package act is the operator's hand in the console: what can be done to what is selected, the plans and the boxes in which
// they are confirmed, what became of them, marks on several claims, votes, and places that are taken in recipes.
//
// A Hand asks in layers that it lays on the console's stack, and carries out through backend.Operator and backend.Joiner,
// never by itself. Nothing is confirmed that was not read: a plan whose target or outcome has changed since says so, and
// what was asked before it could be seen takes no key.
//
// # Concurrency
//
// A Hand belongs to the event loop. The commands that it returns run outside of it and end when its context does; leaving a
// place goes on after that, for as long as actions.LeaveWithin.
package act
