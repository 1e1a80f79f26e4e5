package model

import (
	"slices"
	"strings"
)

// Numbers are the numbers that were read of a recipe, by name: "limit", "depth", "nextSeq". One that is not known
// is not there. They are immutable once the model is.
type Numbers []Number

// Number is one of them.
type Number struct {
	Name  string // as in "depth"
	Value int64  // as it was read or counted
}

// Get returns the number of a name; known is false when it is not known.
func (n Numbers) Get(name string) (value int64, known bool) {
	for i := range n {
		if n[i].Name == name {
			return n[i].Value, true
		}
	}
	return 0, false
}

// Of returns the number of a name; 0 when it is not known.
func (n Numbers) Of(name string) int64 {
	v, _ := n.Get(name)
	return v
}

// Map returns all of them in a map of the caller's own, never nil.
func (n Numbers) Map() map[string]int64 {
	out := make(map[string]int64, len(n))
	for i := range n {
		out[n[i].Name] = n[i].Value
	}
	return out
}

// Set notes a number while the model is made. There are few of a recipe, mostly two.
func (n *Numbers) Set(name string, value int64) {
	i, found := slices.BinarySearchFunc(*n, name,
		func(a Number, name string) int { return strings.Compare(a.Name, name) })
	if found {
		(*n)[i].Value = value
		return
	}
	if *n == nil {
		*n = make(Numbers, 0, 2)
	}
	*n = slices.Insert(*n, i, Number{name, value})
}
