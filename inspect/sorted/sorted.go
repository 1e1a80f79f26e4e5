// Package sorted puts lists of values in order with one sorting routine for all types.
//
// slices.SortFunc is compiled anew for each type of values: some 5 KB of code and as much of tables, for each of forty
// types of ours. It stays where values are pointers, numbers or texts, whose code is there anyway.
package sorted

import "slices"

// By puts s in the order of compare, which is negative where a comes before b; those that compare equal stay in the order
// in which they are. It calls compare len(s)-1 times and takes no memory where s is in order already; else it takes a
// second s and a number each while it works. Not safe for concurrent use of s.
func By[T any](s []T, compare func(a, b T) int) {
	places := order(len(s), func(i, j int) int { return compare(s[i], s[j]) })
	if places == nil {
		return
	}
	out := make([]T, len(s))
	for i, from := range places {
		out[i] = s[from]
	}
	copy(s, out)
}

// order tells which of n values stands at each place; nil when all stand where they should.
func order(n int, compare func(i, j int) int) []int {
	i := 1
	for i < n && compare(i-1, i) <= 0 {
		i++
	}
	if i >= n {
		return nil
	}
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int {
		if c := compare(i, j); c != 0 {
			return c
		}
		return i - j
	})
	return places
}
