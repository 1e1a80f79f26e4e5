package layout

import (
	"iter"
	"slices"
)

// IsMarker reports whether a row is that of a queue's items.
func IsMarker(l *Layout) bool {
	return l.Kind.Items()
}

// CutSuffix returns s without a suffix, and whether it ends in it and holds more than that.
func CutSuffix(s, suffix string) (string, bool) {
	if len(s) <= len(suffix) || s[len(s)-len(suffix):] != suffix {
		return "", false
	}
	return s[:len(s)-len(suffix)], true
}

// MarkerSuffixes returns the ends of names that markerSuffixes lists.
func MarkerSuffixes() iter.Seq[string] { return slices.Values(markerSuffixes[:]) }

// markerSuffixes end the name of the directory, beside a queue of Curator's, in which consumers mark the
// items that they work on. Curator leaves that path to its user; these are the usual ones.
var markerSuffixes = [...]string{"-locks", "-lock", "_locks", "_lock", ".locks", ".lock", "Locks", "Lock",
	"/locks", "/lock"}

// LineSuffix ends the name of the directory in which kazoo's clients stand in line for a semaphore.
const LineSuffix = "-__lock__"
