package model

import (
	"iter"
	"slices"

	"github.com/zkscope/zkscope/inspect/znode"
)

// Models is the list of the recipes of a result, in tree order: by path, compared component by component. The
// zero value is empty. It is immutable; two results of one run share the parts in which nothing changed, so
// that a change costs the same in a list of a hundred and of a hundred thousand.
type Models struct {
	chunks [][]*Model // none empty
	n      int
}

// chunkMost is how many models a part of the list holds at most; a part that outgrows it is cut into halves.
const chunkMost = 512

// Len returns how many there are.
func (l Models) Len() int { return l.n }

// All returns all of them in order, for a range loop.
func (l Models) All() iter.Seq[*Model] {
	return func(yield func(*Model) bool) {
		for _, c := range l.chunks {
			for _, m := range c {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// At returns the one at an index from 0 to Len()-1. It takes time in proportion to Len()/512.
func (l Models) At(i int) *Model {
	for _, c := range l.chunks {
		if i < len(c) {
			return c[i]
		}
		i -= len(c)
	}
	return nil
}

// byPath returns the one at a path, or nil.
func (l Models) byPath(path string) *Model {
	i := l.chunkOf(path)
	if i < 0 {
		return nil
	}
	j, ok := slices.BinarySearchFunc(l.chunks[i], path, comparePath)
	if !ok {
		return nil
	}
	return l.chunks[i][j]
}

func comparePath(m *Model, path string) int { return znode.ComparePaths(m.Path, path) }

// chunkOf returns the chunk that a path is in, if it is anywhere; -1 when it is before the first.
func (l Models) chunkOf(path string) int {
	i, ok := slices.BinarySearchFunc(l.chunks, path,
		func(c []*Model, p string) int { return znode.ComparePaths(c[0].Path, p) })
	if ok {
		return i
	}
	return i - 1
}

// Spliced returns the list without removed and with added, both in order. What it does not touch it shares.
func (l Models) Spliced(removed, added []*Model) Models {
	if len(removed) == 0 && len(added) == 0 {
		return l
	}
	out := Models{chunks: make([][]*Model, 0, len(l.chunks)+1)}
	next := 0
	for len(removed) > 0 || len(added) > 0 {
		i := max(l.chunkOf(nextPath(removed, added)), next)
		out.chunks = append(out.chunks, l.chunks[next:min(i, len(l.chunks))]...)
		var chunk []*Model
		if i < len(l.chunks) {
			chunk = l.chunks[i]
		}
		r, a := len(removed), len(added)
		if i+1 < len(l.chunks) {
			end := l.chunks[i+1][0].Path
			r, a = before(removed, end), before(added, end)
		}
		out.append(splice(chunk, removed[:r], added[:a]))
		removed, added, next = removed[r:], added[a:], i+1
	}
	if next < len(l.chunks) {
		out.chunks = append(out.chunks, l.chunks[next:]...)
	}
	for _, c := range out.chunks {
		out.n += len(c)
	}
	return out
}

// before returns how many of the models, which are in order, stand before a path.
func before(ms []*Model, path string) int {
	i, _ := slices.BinarySearchFunc(ms, path, comparePath)
	return i
}

// append adds models as chunks of a fitting size.
func (l *Models) append(ms []*Model) {
	parts := (len(ms) + chunkMost - 1) / chunkMost
	for ; parts > 0; parts-- {
		n := (len(ms) + parts - 1) / parts
		l.chunks = append(l.chunks, ms[:n:n])
		ms = ms[n:]
	}
}

// splice returns old without removed and with added, in a new slice. All are in tree order.
func splice(old, removed, added []*Model) []*Model {
	out := make([]*Model, 0, max(0, len(old)-len(removed))+len(added))
	for len(removed) > 0 || len(added) > 0 {
		next := nextPath(removed, added)
		i, found := slices.BinarySearchFunc(old, next, comparePath)
		out = append(out, old[:i]...)
		old = old[i:]
		if len(removed) > 0 && removed[0].Path == next {
			removed = removed[1:]
			if found {
				old = old[1:]
			}
		}
		if len(added) > 0 && added[0].Path == next {
			out = append(out, added[0])
			added = added[1:]
		}
	}
	return append(out, old...)
}

func nextPath(removed, added []*Model) string {
	switch {
	case len(removed) == 0:
		return added[0].Path
	case len(added) == 0 || znode.ComparePaths(removed[0].Path, added[0].Path) < 0:
		return removed[0].Path
	}
	return added[0].Path
}

// Same reports whether two lists of one run hold the same models: nothing in any recipe has changed. It takes time in
// proportion to Len()/512.
func (l Models) Same(o Models) bool {
	a, b := &Cursor{List: l}, &Cursor{List: o}
	SkipShared(a, b)
	return a.Model() == nil && b.Model() == nil
}

// Cursor steps through a list.
type Cursor struct {
	List  Models
	chunk int
	at    int
}

// Model returns the model under the cursor; nil: it is past the last one.
func (c *Cursor) Model() *Model {
	if c.chunk >= len(c.List.chunks) {
		return nil
	}
	return c.List.chunks[c.chunk][c.at]
}

// Step moves the cursor to the next model.
func (c *Cursor) Step() {
	if c.at++; c.at == len(c.List.chunks[c.chunk]) {
		c.chunk, c.at = c.chunk+1, 0
	}
}

// SkipShared steps over the parts that two lists share where both cursors are.
func SkipShared(a, b *Cursor) {
	for a.at == 0 && b.at == 0 && a.chunk < len(a.List.chunks) && b.chunk < len(b.List.chunks) {
		x, y := a.List.chunks[a.chunk], b.List.chunks[b.chunk]
		if &x[0] != &y[0] || len(x) != len(y) {
			return
		}
		a.chunk++
		b.chunk++
	}
}

// StepBoth returns the models of the next path that either cursor is at, and moves on; the one of a list that has none
// there is nil. At the end of both lists both are nil.
func StepBoth(a, b *Cursor) (x, y *Model) {
	x, y = a.Model(), b.Model()
	if x != nil && y != nil {
		switch order := znode.ComparePaths(x.Path, y.Path); {
		case order < 0:
			y = nil
		case order > 0:
			x = nil
		}
	}
	if x != nil {
		a.Step()
	}
	if y != nil {
		b.Step()
	}
	return x, y
}

// SortModels sorts models in tree order.
func SortModels(ms []*Model) {
	byPath := func(a, b *Model) int { return znode.ComparePaths(a.Path, b.Path) }
	if !slices.IsSortedFunc(ms, byPath) {
		slices.SortFunc(ms, byPath)
	}
}
