// Package waits is who waits for whom, across recipes: [Of] makes the graph of waits of a result, with its roots,
// herds, overtakes and cycles, each cycle graded by what it rests on. [FateOf] says what becomes of a line when a claim
// goes, as far as the servers' watches tell, and [ImpactOf] what a lost session takes with it.
//
// What is only likely is never said to be proven. Everything handed out is immutable and may be read from any
// goroutine.
package waits
