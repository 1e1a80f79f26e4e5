package survey

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// hasValue reports whether a znode may be the recipe that a word in its path says it is. Without data, a
// znode that has had children is a directory of such recipes and not one of them, and so is one whose own
// name is the word, but for a barrier in the singular.
func (w *walk) hasValue(c *znode.Node, kind layout.Kind, itself bool) bool {
	switch {
	case layout.IsFurniture(c.Name):
		return false
	case kind.Gate() && c.Ephemeral():
		return false
	case len(c.Data) > 0 || c.Has(znode.DataOmitted) || c.Has(znode.Unreadable):
		return true
	case c.HasCversion && c.Cversion > 0:
		return false
	case itself:
		return kind.Gate() && !strings.HasSuffix(strings.ToLower(c.Name), "s")
	}
	return true
}

// buildOpaque builds a recipe that is one znode with a value.
func (x *Dir) buildOpaque(kind layout.Kind, why []Evidence) *model.Model {
	for i := range x.kinds.Rows {
		if x.kinds.Rows[i].Kind == kind {
			return x.kinds.Rows[i].Build(x, why)
		}
	}
	return nil
}

// openBarriers are the barriers that hints name by their whole path and that are not there: they stand
// open. Nothing can be said while the tree is still being read.
func (d *Decoder) openBarriers() {
	for i := range d.Hints.Rules {
		r := &d.Hints.Rules[i]
		if !r.Kind.Gate() || !r.Fixed {
			continue
		}
		var was *model.Model
		if m := d.Prev.ByPath(r.Path); m != nil && m.State == model.Opened && d.reuse {
			was = m
		}
		gone := !d.Snap.Loading() && d.Snap.At(r.Path) == nil
		if _, inside := znode.Relative(d.Snap.Base, r.Path); !inside {
			gone = false
		}
		switch {
		case gone && was == nil:
			dialect := r.Dialect
			if dialect == "" {
				dialect = layout.ZooKeeper
			}
			d.added = append(d.added, &model.Model{Path: r.Path, Kind: r.Kind, Dialect: dialect, Confidence: 1,
				State: model.Opened,
				Why:   []string{"a hint says so: " + say.Printable(r.Path)}})
		case !gone && was != nil:
			d.removed = append(d.removed, was)
		}
	}
}
