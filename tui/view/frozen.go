package view

import (
	"cmp"
	"slices"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/tui/paint"
)

// Frozen is an order by what changes: it is that of the moment when it was asked for. Nothing moves under the eye until it is
// asked for again; what has come since stands at the end.
type Frozen struct {
	Reverse bool
	Stale   bool // something has changed since

	places map[string]int // nil: it has to be sorted anew
}

// Anew has everything sorted as it is now, when it is laid out next.
func (f *Frozen) Anew() { f.places, f.Stale = nil, false }

// sign marks the column of the order; moves: it is by what changes.
func (f *Frozen) sign(t *paint.Theme, moves bool) string {
	switch {
	case f.Stale && moves:
		return t.SortOld
	case f.Reverse:
		return t.SortUp
	}
	return t.SortDown
}

// rank is what a row is sorted by: what is smaller comes first.
type rank struct {
	by   int64
	text string
}

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.by, o.by), cmp.Compare(r.text, o.text))
}

// arrange puts rows in the order of before where there is one, with what has come since at the end; else by their ranks, and
// keeps that order. Equals stay as they are.
func arrange[T any](f *Frozen, all []T, id func(T) string, of func(T) rank) {
	if f.places != nil {
		at := func(x T) int {
			if i, known := f.places[id(x)]; known {
				return i
			}
			f.Stale = true
			return len(f.places)
		}
		sorted.By(all, func(x, y T) int { return at(x) - at(y) })
		return
	}
	if len(all) == 0 {
		return
	}
	type ranked struct {
		row T
		by  rank
	}
	list := make([]ranked, len(all))
	for i, x := range all {
		list[i] = ranked{x, of(x)}
	}
	sorted.By(list, func(x, y ranked) int { return x.by.compare(y.by) })
	if f.Reverse {
		slices.Reverse(list)
	}
	f.places = make(map[string]int, len(all))
	for i := range list {
		all[i], f.places[id(list[i].row)] = list[i].row, i
	}
}
