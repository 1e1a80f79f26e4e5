package chronicle

import "testing"

// SetBusy says after how many decoded claims changes are taken together, and how many of them, until a test ends.
func SetBusy(t testing.TB, from, many int) {
	was, least := busyFrom, leastMany
	busyFrom, leastMany = from, many
	t.Cleanup(func() { busyFrom, leastMany = was, least })
}
