package backend

import "github.com/zkscope/zkscope/inspect/model"

// Judge is a Source whose pictures are shown by somebody's own terms: with what is over their limits, without what they hide.
type Judge interface {
	// Judge returns a result as it is to be shown. It is pure.
	Judge(r *model.Result) *model.Result
	// Judges reports whether it changes any. Where it does, time alone may change what is shown.
	Judges() bool
}
