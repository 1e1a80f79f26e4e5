package survey

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Office returns what is known of the leadership at the known place that a recipe is; nil: nothing.
func (x *Dir) Office() *layout.Office {
	if x.Place == nil {
		return nil
	}
	return x.Place.Office
}

// HeirsOf finds out who could take the place of a leader at a path; leader is nil where nobody leads. watched is the
// znode that those who wait for the place watch; empty where they would stand in line.
func (x *Dir) HeirsOf(leader *model.Claim, watched string) *model.Heirs {
	h := &model.Heirs{}
	members := make(map[znode.SessionID]bool)
	if o := x.Office(); o != nil {
		for i := range o.Ranks {
			x.rank(h, &o.Ranks[i], leader, members)
		}
		h.There = h.There || o.Seen != "" && x.DependOn(x.relative(o.Seen)) != nil
		h.Paused = o.Pause != "" && layout.IsPaused(x.DependOn(x.relative(o.Pause)))
	}
	if h.Ranked {
		return h
	}
	if polls := x.Office() != nil && x.Office().Polls; watched == "" {
		h.Known, h.Line = !polls, !polls
		return h
	}
	h.Known = x.Snap.ListsWatches()
	for _, id := range x.Snap.Watches[watched] {
		if leader != nil && id == leader.Session || members[id] || x.isOwn(id) {
			continue
		}
		h.Add(id, x.sessionName(id))
	}
	return h
}

func (d *Decoder) isOwn(id znode.SessionID) bool {
	for _, own := range d.own {
		if id == own {
			return true
		}
	}
	return false
}

// sessionName is the best name for a session of which nothing but that is known.
func (d *Decoder) sessionName(id znode.SessionID) string {
	if addr := d.Snap.Sessions[id].Addr; addr != "" {
		return addr
	}
	return id.String()
}

// rank adds the members of one rank.
func (x *Dir) rank(h *model.Heirs, r *layout.Rank, leader *model.Claim, members map[znode.SessionID]bool) {
	n := x.DependOn(x.relative(r.At))
	if n == nil {
		return
	}
	h.There = true
	unread := n.Unlisted() || n.Has(znode.Unreadable)
	if !r.Led {
		h.Ranked, h.Known = true, !unread
	}
	count := 0
	for _, c := range n.Children {
		if !c.Ephemeral() {
			continue
		}
		members[c.Owner] = true
		switch {
		case leader != nil && (leader.Session != 0 && c.Owner == leader.Session || leader.Owner() == c.Name):
		case r.Led:
			count++
		case r.Can == nil || r.Can(c):
			h.Add(c.Owner, r.Called(c.Name))
		default:
			h.Barred = append(h.Barred, c.Name)
		}
	}
	if count > 0 {
		h.Led = append(h.Led, say.Plural(count, r.One, r.Many))
	}
}

// relative resolves a path of an office.
func (x *Dir) relative(path string) string {
	if rest, ok := strings.CutPrefix(path, "./"); ok {
		return znode.Join(x.Path, rest)
	}
	base := znode.ParentPath(x.Path)
	for {
		rest, ok := strings.CutPrefix(path, "../")
		if !ok {
			return znode.Join(base, path)
		}
		base, path = znode.ParentPath(base), rest
	}
}
