package survey

// twigs is what was found below each child of a directory. It is kept in runs of runLength, which the pictures of a
// directory share while nothing in them changes: of thousands of children only few change at once.
type twigs struct {
	n    int       // children; 0: nothing was found below any
	runs [][]*memo // by number/runLength; nil: nothing was found below any of these
}

const runLength = 64

// at returns what was found below a child; nil: nothing.
func (t *twigs) at(i int) *memo {
	if t.n == 0 || t.runs[i/runLength] == nil {
		return nil
	}
	return t.runs[i/runLength][i%runLength]
}

// room makes room for what is found below so many children.
func (t *twigs) room(n int) {
	if t.n == 0 {
		t.n, t.runs = n, make([][]*memo, (n+runLength-1)/runLength)
	}
}

// set notes what was found below a child. Its run must not be shared.
func (t *twigs) set(i int, m *memo) {
	run := &t.runs[i/runLength]
	if *run == nil {
		*run = make([]*memo, min(runLength, t.n-i/runLength*runLength))
	}
	(*run)[i%runLength] = m
}

// take takes over what was found below n children from a number on, which are the children of another from a number
// on: whole runs are shared where the numbers are the same.
func (t *twigs) take(i int, from *twigs, at, n, children int) {
	for end := at + n; at < end; {
		step := min(runLength-at%runLength, end-at)
		if run := from.runs[at/runLength]; run != nil {
			t.room(children)
			if i == at && step == runLength {
				t.runs[i/runLength] = run
			} else {
				t.copy(i, run[at%runLength:][:step])
			}
		}
		i, at = i+step, at+step
	}
}

// copy notes what was found below consecutive children.
func (t *twigs) copy(i int, found []*memo) {
	for k, m := range found {
		if m != nil {
			t.set(i+k, m)
		}
	}
}

// each calls a function with everything that was found below a child.
func (t *twigs) each(do func(*memo)) {
	for _, run := range t.runs {
		for _, m := range run {
			if m != nil {
				do(m)
			}
		}
	}
}
