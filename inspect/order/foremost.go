package order

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Foremost finds out whether the children of a directory, of which nothing but the names is known, look like a line or
// like the items of a queue: whether at least half of them are spelled so. It returns the indexes of the n that are
// served first, in serving order, by the rule of the spelling that most of them have; nil when they do not look like
// it. path is the directory's. It takes O(len(names)) and keeps none of them.
func Foremost(path string, names []string, n int) []int {
	rows := make(map[*layout.Layout]int)
	row, all := &layout.NumberedRow, 0
	for _, name := range names {
		if p := inRow(path, name); p.Layout != nil {
			all++
			if rows[p.Layout]++; rows[p.Layout] > rows[row] {
				row = p.Layout
			}
		}
	}
	if n <= 0 || all == 0 || 2*all < len(names) {
		return nil
	}
	order := row.Order
	if order == layout.ByArrival {
		order = layout.ByNumber // the best guess at it
	}
	first := make([]Place, 0, n)
	at := make([]int, 0, n)
	for i, name := range names {
		p := inRow(path, name)
		if p.Layout == nil {
			continue
		}
		j, _ := slices.BinarySearchFunc(first, p, func(a, b Place) int { return Compare(order, &a, &b) })
		if j == n {
			continue
		}
		if len(first) == n {
			first, at = first[:n-1], at[:n-1]
		}
		first, at = slices.Insert(first, j, p), slices.Insert(at, j, i)
	}
	return at
}

// inRow reads a name; the layout is nil where it is that of no claim in a line and of no item of a queue.
func inRow(path, name string) Place {
	p := Place{Name: layout.Name{Text: name}}
	if name == "" || !layout.IsDigit(name[len(name)-1]) || !znode.Addressable(name) {
		return p
	}
	p.Name = layout.ParseName(name)
	switch p.Layout = layout.Of(&p.Name, nil, path); {
	case p.Layout == nil && p.HasSeq && p.Word == "" && !layout.IsUUID(name):
		p.Layout = &layout.NumberedRow
	case p.Layout != nil && !p.Layout.InLine() && !layout.IsMarker(p.Layout):
		p.Layout = nil
	}
	return p
}
