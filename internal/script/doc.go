// Package script is test support: pictures of trees written as lines of text, as the fixtures of inspect are, pictures
// drawn at random, and results printed for people to review.
package script
