package recipes

import (
	"context"
	"errors"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Found is what Detect makes of a path.
type Found struct {
	Kind    layout.Kind
	Dialect layout.Dialect
	Sure    float64 // 0 to 1
}

// detectAtMost limits how many children Detect looks at.
const detectAtMost = 500

// Detect tells which recipe stands at a path and in which dialect, by what its clients have written there, as
// package inspect reads it; of a system that elects or locks with a library, it is the library's. found is false for
// a path without a recipe: an empty directory, or none.
//
// Requests: those of Look.
func (s *Session) Detect(ctx context.Context, path string) (f Found, found bool, err error) {
	m, err := s.Look(ctx, path, "")
	if m == nil || err != nil {
		return Found{}, false, err
	}
	return Found{m.Kind, m.Library(), m.Confidence}, true, nil
}

// Look reads the recipe at a path once and decodes it; nil when there is none. A kind that is not empty says what
// to take it for. Of a directory of many it reads 500 children.
//
// Requests: a read and a list, one batch read, and the same for each child that has children.
func (s *Session) Look(ctx context.Context, path string, k layout.Kind) (*model.Model, error) {
	snap := &znode.Snapshot{Root: &znode.Node{}, Base: "/", TakenAt: time.Now(), Complete: true}
	snap, err := s.picture(ctx, snap, path, 2)
	if err != nil {
		return nil, s.fail("look at", path, err)
	}
	hints := model.Hints{Own: []znode.SessionID{s.ID()}}
	if k != "" {
		hints.Rules = []model.Hint{{Path: path, Kind: k}}
	}
	return inspect.Decode(snap, nil, hints).ByPath(path), nil
}

// InLine tells where the claim at a path stands in its line, however long that is; holds is true when it is served.
// ErrLost: it is not there. Requests: a list, and a batch read where a line is of several spellings.
func (s *Session) InLine(ctx context.Context, path string, d layout.Dialect) (w Wait, holds bool, err error) {
	t := &ticket{s: s, rule: order.Rule{Dialect: d}}
	t.dir, t.name = znode.Split(path)
	names, err := s.children(ctx, t.dir)
	if err != nil {
		return w, false, s.fail("look at", path, err)
	}
	v := lineupOf(names, t.name)
	all, err := t.contenders(ctx, names, v.mixed)
	if err != nil {
		return w, false, s.fail("look at", path, err)
	}
	turn := decide(t.rule, all, t.name, v.wrapped)
	if !turn.Found {
		return w, false, &Error{"look at", path, ErrLost}
	}
	return t.place(turn, v), turn.Holds, nil
}

// picture adds a znode and what is below it to a snapshot.
func (s *Session) picture(ctx context.Context, snap *znode.Snapshot, path string, depth int) (*znode.Snapshot, error) {
	data, stat, err := s.link().Get(ctx, path)
	if errors.Is(err, zkc.ErrNoNode) {
		return snap, nil
	}
	if err != nil {
		return snap, err
	}
	snap = withParents(snap, path).WithCreated(path, node(value{data, stat}))
	return s.pictureBelow(ctx, snap, path, depth)
}

func (s *Session) pictureBelow(ctx context.Context, snap *znode.Snapshot, path string, depth int) (*znode.Snapshot, error) {
	names, err := s.children(ctx, path)
	if err != nil {
		return snap, err
	}
	values, err := s.readAll(ctx, path, names[:min(len(names), detectAtMost)])
	if err != nil {
		return snap, err
	}
	for n, v := range values {
		child := join(path, n)
		snap = snap.WithCreated(child, node(v))
		if v.stat.NumChildren > 0 && depth > 1 {
			if snap, err = s.pictureBelow(ctx, snap, child, depth-1); err != nil {
				return snap, err
			}
		}
	}
	return snap, nil
}

func withParents(snap *znode.Snapshot, path string) *znode.Snapshot {
	dir, _ := znode.Split(path)
	if dir == "/" || snap.At(dir) != nil {
		return snap
	}
	return withParents(snap, dir).WithCreated(dir, znode.Node{})
}

func node(v value) znode.Node {
	st := v.stat
	return znode.Node{Data: v.data, Owner: znode.SessionID(st.EphemeralOwner), Czxid: znode.Zxid(st.Czxid),
		Mzxid: znode.Zxid(st.Mzxid), Pzxid: znode.Zxid(st.Pzxid), Ctime: znode.Millis(st.Ctime), Version: st.Version,
		Cversion: st.Cversion, HasCversion: true, DataLength: st.DataLength}
}
