// Package model is what decoding makes of a tree: a [Result] with a [Model] for every recipe, its [Claim]s in the order
// in which they will be served, and its [Finding]s, with the words that say how each stands.
//
// It decides nothing about holding and order: the packages above fill it in. Results, models, claims and hints are
// immutable once handed out and may be read from any goroutine; only what begins with New, Set or Make is for
// those who make them.
package model
