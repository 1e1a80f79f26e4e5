package layout

import (
	"strings"
)

// Votes, as the recipe document spells them.
const (
	VoteCommit = "commit"
	VoteAbort  = "abort"
)

// IsVote reports whether data is a vote, exact or not.
func IsVote(data []byte) bool {
	if len(data) < len(VoteAbort) || len(data) > 16 {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(string(data)))
	return word == VoteCommit || word == VoteAbort
}
