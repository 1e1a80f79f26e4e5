// Package panel says how each kind of recipe is shown: a file a kind, whose function returns its Recipe. It has the words
// for roles, the row in the list, the columns of the claims, and the pictures below them.
//
// A drawing is a pure function of its chart.Pen: the recipe, the moment, the room, and what is remembered of it. It asks nobody
// and decides nothing; who holds and what is wrong was decided in inspect.
//
// # Concurrency
//
// Everything here is plain values and functions of them.
package panel
