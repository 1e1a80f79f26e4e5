package files

import (
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Decoded returns what a recording shows at an index from 0 to Len-1, decoded from its first state on as somebody saw
// it who watched: since when a claim has its role, who changed its vote, and whatever else only history tells. Going
// forward is cheap, and so is going back by a little. Other hints than in the call before begin anew.
func (r *Recording) Decoded(i int, h model.Hints) *model.Result {
	c := r.told
	if c == nil || c.res != nil && !c.res.Hints.Equal(h) {
		c = newPlayhead(r)
		r.told = c
	}
	if i = max(0, i); i < c.index {
		c.back(i)
	}
	if c.res == nil {
		c.to(r.horizon(i))
		c.res = inspect.Decode(c.snapshot(), nil, h)
	}
	if i-c.index >= besideFrom && c.pace.stride == 0 {
		c.beside(i, h)
	}
	for c.index < i && c.forward() {
		if c.index < i && (within(c.tape) || c.pace.skips()) {
			continue
		}
		c.decode(c.snapshot(), h)
		c.mark()
	}
	if s := c.snapshot(); c.rough || c.res.Snapshot != s { // or damage was met
		c.res, c.rough = inspect.Decode(s, c.res, h), false
	}
	return c.res
}

// horizon is the state with which Decoded begins for the sake of another.
func (r *Recording) horizon(i int) int {
	if r.recall <= 0 {
		return 0
	}
	return max(0, i-r.most, r.IndexAt(r.TimeOf(i).Add(-r.recall)))
}

// Check marks the states of a recording as incomplete when a znode of the first says that it has more children than the
// file holds: the file was cut off. /zookeeper is left out on purpose. It is to be called before any state is taken.
func (r *Recording) Check() {
	s, why := r.base, ""
	if at, lacks := shortfall(s.Base, s.Root); lacks > 0 {
		why = "the file lacks " + say.Plural(lacks, "child", "children") + " of " + say.Printable(at) +
			": it was cut off"
	} else if len(s.Root.Children) == 0 && s.Root.Mtime == 0 && s.Root.Cversion == 0 {
		why = "the file holds no znode: it was cut off"
	}
	if why != "" {
		s.Complete, s.Partial = false, append(s.Partial, why)
	}
}

// shortfall finds the first znode of which children are missing.
func shortfall(dir string, n *znode.Node) (at string, lacks int) {
	lacks = int(n.NumChildren) - len(n.Children)
	if dir == "/" && n.Child("zookeeper") == nil {
		lacks--
	}
	if lacks > 0 && !n.Has(znode.NotListed) {
		return dir, lacks
	}
	for _, c := range n.Children {
		if at, lacks = shortfall(znode.Join(dir, c.Name), c); lacks > 0 {
			return at, lacks
		}
	}
	return dir, 0
}
