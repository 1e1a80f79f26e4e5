package chronicle

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Crowd looks through a history for recipes whose claims wait, and returns the paths of those where most znodes stood side
// by side for the longest, at most so many, the most crowded first; and how many there were. It looks at every state that
// lasts, and at one of sixteen that follow each other at once: it ranks, and measures nothing.
func Crowd(reel files.Reel, since, until time.Time, h model.Hints, most int) (paths []string, of int, err error) {
	c := &crowd{at: map[string]*place{}}
	tape := reel.Tape()
	if t, ok := tape.(io.Closer); ok {
		defer t.Close()
	}
	for passed := 0; err == nil; err = tape.Next() {
		now, ahead := tape.Now(), tape.Ahead()
		if !until.IsZero() && now.After(until) {
			break
		}
		passed++
		if !ahead.IsZero() && (ahead.Before(since) || passed%16 != 0 && ahead.Sub(now) < lasts) {
			continue
		}
		c.look(tape.Snapshot())
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	paths, of = c.recipes(h, most)
	return paths, of, nil
}

// lasts is how long a state stands for it to be looked at.
const lasts = 100 * time.Millisecond

// crowd is how many znodes stood side by side.
type crowd struct {
	last *znode.Node
	now  time.Time
	at   map[string]*place
}

type place struct {
	path  string
	count int
	since time.Time
	sum   float64 // znodes times seconds
	most  int
	up    string
	node  *znode.Node // the parent, when most stood there
}

func (c *crowd) look(s *znode.Snapshot) {
	c.now = s.TakenAt
	c.compare("/", "/", nil, c.last, s.Root)
	c.last = s.Root
}

// compare notes the places at and below a path where children came or went.
func (c *crowd) compare(up, path string, parent, was, is *znode.Node) {
	if was == is || path == "/zookeeper" {
		return
	}
	n := 0
	var before []*znode.Node
	if was != nil {
		before = was.Children
	}
	if is != nil {
		n = len(is.Children)
		for _, child := range is.Children {
			for len(before) > 0 && before[0].Name < child.Name {
				c.compare(path, znode.Join(path, before[0].Name), is, before[0], nil)
				before = before[1:]
			}
			var old *znode.Node
			if len(before) > 0 && before[0].Name == child.Name {
				old, before = before[0], before[1:]
			}
			if old != child {
				c.compare(path, znode.Join(path, child.Name), is, old, child)
			}
		}
	}
	for _, old := range before {
		c.compare(path, znode.Join(path, old.Name), is, old, nil)
	}
	c.note(up, path, parent, n)
}

func (c *crowd) note(up, path string, parent *znode.Node, n int) {
	p := c.at[path]
	if p == nil {
		if n == 0 {
			return
		}
		p = &place{path: path, since: c.now}
		c.at[path] = p
	}
	p.sum += float64(p.count) * c.now.Sub(p.since).Seconds()
	p.count, p.since = n, c.now
	if n > p.most {
		p.most, p.up, p.node = n, up, parent
	}
}

// recipes decodes the most crowded places, each when most stood there, until there are so many recipes whose claims wait.
func (c *crowd) recipes(h model.Hints, most int) (out []string, of int) {
	var all []*place
	for _, p := range c.at {
		p.sum += float64(p.count) * c.now.Sub(p.since).Seconds()
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *place) int { return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.path, b.path)) })
	for _, p := range all {
		path := p.recipe(h)
		if path == "" || slices.Contains(out, path) {
			continue
		}
		if of++; len(out) < most {
			out = append(out, path)
		}
	}
	return out, of
}

// recipe is the path of the recipe whose claims wait here: of the place, or of what it lies in; empty: there is none.
func (p *place) recipe(h model.Hints) string {
	if p.node == nil {
		return ""
	}
	root := *p.node
	for _, child := range p.node.Children {
		if znode.Join(p.up, child.Name) != p.path {
			continue
		}
		root.Children, root.NumChildren = []*znode.Node{child}, 1
		if path := waitsAt(&root, p.up, p.path, h); path != "" {
			return path
		}
	}
	if len(p.node.Children) > 8 { // no recipe is a directory of so many
		return ""
	}
	up, name := znode.Split(p.up)
	around := *p.node
	around.Name = name
	return waitsAt(&znode.Node{Children: []*znode.Node{&around}, NumChildren: 1}, up, p.up, h)
}

func waitsAt(root *znode.Node, base, path string, h model.Hints) string {
	res := inspect.Decode(&znode.Snapshot{Root: root, Base: base, Complete: true, TakenAt: time.UnixMilli(int64(root.Mtime))}, nil, h)
	if m := res.ByPath(path); m != nil && m.Kind.Waits() && len(m.Claims) > 0 {
		return path
	}
	return ""
}
