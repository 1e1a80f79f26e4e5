package inspect

import "slices"

// Foremost finds out whether the children of a directory, of which nothing but the names is known, look like a line or
// like the items of a queue: whether at least half of them are spelled so. It returns the indexes of the n that are
// served first, in serving order, by the rule of the spelling that most of them have; nil when they do not look like it.
// path is the directory's. It takes O(len(names)) and keeps none of them.
func Foremost(path string, names []string, n int) []int {
	rows := make(map[*Layout]int)
	row, all := &generic, 0
	for _, name := range names {
		if p := inRow(path, name); p.layout != nil {
			all++
			if rows[p.layout]++; rows[p.layout] > rows[row] {
				row = p.layout
			}
		}
	}
	if n <= 0 || all == 0 || 2*all < len(names) {
		return nil
	}
	order := row.Order
	if order == ByArrival {
		order = ByNumber // the best guess at it
	}
	first := make([]place, 0, n)
	at := make([]int, 0, n)
	for i, name := range names {
		p := inRow(path, name)
		if p.layout == nil {
			continue
		}
		j, _ := slices.BinarySearchFunc(first, p, func(a, b place) int { return order.compare(&a, &b) })
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
func inRow(path, name string) place {
	p := place{Name: Name{Text: name}}
	if name == "" || !isDigit(name[len(name)-1]) || !addressable(name) {
		return p
	}
	p.Name = ParseName(name)
	switch p.layout = layoutOf(&p.Name, nil, path); {
	case p.layout == nil && p.HasSeq && p.Word == "" && !isUUID(name):
		p.layout = &generic
	case p.layout != nil && !p.layout.inLine() && !isMarker(p.layout):
		p.layout = nil
	}
	return p
}
