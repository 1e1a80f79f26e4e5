package inspect

import (
	"sort"
	"time"
)

// Decoded returns what a recording shows at an index from 0 to Len-1, decoded from its first state on as somebody saw it
// who watched: since when a claim has its role, who changed its vote, and whatever else only history tells. Going forward
// is cheap, and so is going back by a little. Other hints than in the call before begin anew.
func (r *Recording) Decoded(i int, h Hints) *Result {
	i = max(0, min(i, len(r.steps)))
	c := &r.decoded
	if c.res == nil || !c.res.hints.equal(h) {
		*c = decodedAt{}
	}
	if c.res == nil || i < c.at {
		c.at, c.res = 0, nil
		for j := i - i%markEvery; j > 0; j -= markEvery {
			if c.marks[j] != nil {
				c.at, c.res = j, c.marks[j]
				break
			}
		}
	}
	if c.res == nil {
		c.res = Decode(r.At(0), nil, h)
	}
	for c.at < i {
		c.at++
		if c.at < i && c.at%markEvery != 0 && r.TimeOf(c.at).Equal(r.TimeOf(c.at+1)) {
			continue // what was written at one moment was seen as one
		}
		if c.res = Decode(r.At(c.at), c.res, h); c.at%markEvery == 0 {
			if c.marks == nil {
				c.marks = make(map[int]*Result)
			}
			c.marks[c.at] = c.res
		}
	}
	return c.res
}

// decodedAt remembers how far a recording was decoded.
type decodedAt struct {
	at    int
	res   *Result
	marks map[int]*Result // every few hundredth state passed
}

// IndexAt returns the index of the last state that was taken at a time or before it; -1 where the recording begins later.
func (r *Recording) IndexAt(t time.Time) int {
	if t.Before(r.base.TakenAt) {
		return -1
	}
	return sort.Search(len(r.steps), func(i int) bool { return r.steps[i].at.After(t) })
}

// Check marks the states of a recording as incomplete when a znode of the first says that it has more children than the
// file holds: the file was cut off. /zookeeper is left out on purpose. It is to be called before any state is taken.
func (r *Recording) Check() {
	s, why := r.base, ""
	if at, lacks := shortfall(s.Base, s.Root); lacks > 0 {
		why = "the file lacks " + plural(lacks, "child", "children") + " of " + Printable(at) + ": it was cut off"
	} else if len(s.Root.Children) == 0 && s.Root.Mtime == 0 && s.Root.Cversion == 0 {
		why = "the file holds no znode: it was cut off"
	}
	if why != "" {
		s.Complete, s.Partial = false, append(s.Partial, why)
	}
}

// shortfall finds the first znode of which children are missing.
func shortfall(dir string, n *Node) (at string, lacks int) {
	lacks = int(n.NumChildren) - len(n.Children)
	if dir == "/" && n.Child("zookeeper") == nil {
		lacks--
	}
	if lacks > 0 && !n.Has(NotListed) {
		return dir, lacks
	}
	for _, c := range n.Children {
		if at, lacks = shortfall(Join(dir, c.Name), c); lacks > 0 {
			return at, lacks
		}
	}
	return dir, 0
}
