package model

// Answer is a yes, a no, or neither.
type Answer uint8

const (
	NotKnown Answer = iota // neither can be told
	Yes                    // it is so
	No                     // it is not so
)

// Known is the answer as a bool; nil: neither.
func (a Answer) Known() *bool {
	if a == NotKnown {
		return nil
	}
	yes := a == Yes
	return &yes
}
