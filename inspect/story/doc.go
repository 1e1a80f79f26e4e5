// Package story tells what was decoded, to people and to programs: [Diff] says what changed between two results, [Why]
// how a recipe stands and what to do next, [Explain] what a finding means, and the reports are the JSON that
// more than one command or the console writes.
//
// It decides nothing: who holds, waits or could follow comes from the packages below. Functions are pure; what they
// return is the caller's.
package story
