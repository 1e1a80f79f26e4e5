package recipes

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
)

// Membership is a group: each member has an ephemeral znode in the group's directory.
//
// Protocol: the recipe documents' group membership, Curator's GroupMember, or kazoo's Party. A watcher of the
// group wakes at every coming and going; that is what it asks for.
//
// Requests: create to join, exists and delete to leave, list to see the names, and one batch for their data.
type Membership struct {
	s    *Session
	path string
	opts Options
}

// Membership returns the group at a path. It does no I/O.
func (s *Session) Membership(path string, o Options) Membership { return Membership{s, path, o} }

// Join enters the group. The znode is called by the options' Name, and by an id of its own without one or in
// kazoo's dialect; it holds the options' Data. A name that is in the group already is ErrExists.
func (g Membership) Join(ctx context.Context) (*Claim, error) {
	row, err := rowOf(layout.Membership, layout.Exclusive, g.opts.Dialect)
	if err != nil {
		return nil, &Error{"join", g.path, err}
	}
	t := newTicket(g.s, g.path, row, g.opts)
	if g.opts.Name != "" && row.Open {
		t.prefix, t.shared = g.opts.Name, true
	}
	return g.s.obtain(ctx, "join", t, g.opts, "", nil)
}

// Member is one member of a group.
type Member struct {
	Name    string // of its znode
	Data    []byte
	Session znode.SessionID // 0: its znode is not ephemeral, and stays when the member dies
}

// Members reads who is there, by name.
func (g Membership) Members(ctx context.Context) ([]Member, error) {
	names, err := g.s.children(ctx, g.path)
	if err != nil {
		return nil, g.s.fail("list", g.path, err)
	}
	out, err := g.read(ctx, names)
	return out, g.s.fail("list", g.path, err)
}

func (g Membership) read(ctx context.Context, names []string) ([]Member, error) {
	row, err := rowOf(layout.Membership, layout.Exclusive, g.opts.Dialect)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !row.Spells(n) })
	found, err := g.s.readAll(ctx, g.path, names)
	if err != nil {
		return nil, err
	}
	var out []Member
	for _, n := range slices.Sorted(maps.Keys(found)) {
		out = append(out, Member{n, found[n].data, znode.SessionID(found[n].stat.EphemeralOwner)})
	}
	return out, nil
}

// Watch yields the members, and again each time that somebody comes or goes, until ctx ends or the caller
// stops. Short memberships may be skipped; the latest state never is. An error is the last thing yielded.
func (g Membership) Watch(ctx context.Context) iter.Seq2[[]Member, error] {
	return observe(g.s, ctx, g.path, func(ctx context.Context) ([]Member, *watch, error) {
		w, err := g.s.watchChildren(ctx, g.path)
		if err != nil {
			return nil, nil, err
		}
		m, err := g.read(ctx, w.Children)
		return m, w, err
	})
}

// value is what a znode holds.
type value struct {
	data []byte
	stat wire.Stat
}

// stats reads the stats of children of a directory, also of those that may not be read; those that are gone by now
// are left out.
func (s *Session) stats(ctx context.Context, dir string, names []string) (map[string]wire.Stat, error) {
	out := make(map[string]wire.Stat, len(names))
	if len(names) == 0 {
		return out, nil
	}
	values, err := s.link().values(ctx, joined(dir, names))
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		switch v.Code {
		case wire.OK:
			out[names[i]] = v.Stat
		case wire.ErrNoNode:
		default: // everyone may ask whether it exists
			stat, there, err := s.link().Exists(ctx, join(dir, names[i]))
			if err != nil {
				return nil, err
			}
			if there {
				out[names[i]] = stat
			}
		}
	}
	return out, nil
}

func joined(dir string, names []string) []string {
	paths := make([]string, len(names))
	for i, n := range names {
		paths[i] = join(dir, n)
	}
	return paths
}

// readAll reads children of a directory; those that are gone by now are left out, those that may not be read
// have no data.
func (s *Session) readAll(ctx context.Context, dir string, names []string) (map[string]value, error) {
	out := make(map[string]value, len(names))
	if len(names) == 0 {
		return out, nil
	}
	values, err := s.link().values(ctx, joined(dir, names))
	for i, v := range values {
		if v.Code != wire.ErrNoNode {
			out[names[i]] = value{v.Data, v.Stat}
		}
	}
	return out, err
}
