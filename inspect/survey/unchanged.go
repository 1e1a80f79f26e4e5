package survey

import mathbits "math/bits"

// same counts the children from one on that are the old ones from the next on, and are still what they were without
// being asked.
func (w *walk) same(i int) int {
	if w.stirred || w.flip || w.seen < len(w.old.leaves) {
		return 0
	}
	kids, olds, n := w.node.Children[i:], w.olds[w.next:], 0
	for n < len(kids) && n < len(olds) && kids[n] == olds[n] && !(w.look && w.old.moving.has(w.next+n)) {
		n++
	}
	return n
}

// keep takes over what was found at so many of the next old children, which have no leaves.
func (w *walk) keep(i, n int) {
	if w.old.subs.n > 0 {
		w.memo.subs.take(i, &w.old.subs, w.next, n, len(w.node.Children))
	}
	if !w.look { // else none of them moves
		w.old.moving.each(w.next, w.next+n, func(at int) { w.memo.moving.add(at - w.next + i) })
	}
	w.next += n
}

// bits is a set of small numbers.
type bits []uint64

func (b bits) has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 == 1 }

func (b *bits) add(i int) {
	for len(*b) <= i>>6 {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// each calls a function for every number from one to before another, in order.
func (b bits) each(from, to int, do func(int)) {
	for i := from >> 6; i < len(b) && i<<6 < to; i++ {
		for word := b[i]; word != 0; word &= word - 1 {
			if n := i<<6 + mathbits.TrailingZeros64(word); n >= from && n < to {
				do(n)
			}
		}
	}
}
