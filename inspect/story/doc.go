// Package story tells what was decoded, to people and to programs: [Diff] says what changed between two results, [Why]
// how a recipe stands and what to do next, and the reports are the JSON of the commands.
//
// It decides nothing: who holds, waits or could follow comes from the packages below. Functions are pure; what they
// return is the caller's.
package story
