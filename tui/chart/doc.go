// Package chart is what every kind of recipe is drawn with, and knows none of them: a Pen, and what is drawn with it from
// what was seen in the Past: strips of time, who had it, how long it took; and the words about one claim.
//
// Everything drawn is a pure function of its Pen. What was not seen is drawn as that, never as nothing.
//
// # Concurrency
//
// These are plain values and functions of them. Twins and Ages remember what they counted, and belong to whoever draws.
package chart
