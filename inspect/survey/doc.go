// Package survey walks a tree of znodes and finds what in it is a recipe: it examines one directory after the other,
// weighs the evidence that the kinds bring, and keeps what it found for the next picture, so that only what changed is
// looked at again. What the kinds know comes from the packages above, as a [Kinds].
//
// A [Dir] is a directory under examination, and a [Builder] turns it into a model; both live for one call and are not
// to be shared. [Run] itself is pure: it reads no clock and may be called from any goroutine.
package survey
