package recipes

import (
	"context"
	"errors"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Found is what Detect makes of a path.
type Found struct {
	Kind    inspect.Kind
	Dialect inspect.Dialect
	Sure    float64 // 0 to 1
}

// detectAtMost limits how many children Detect looks at.
const detectAtMost = 500

// Detect tells which recipe stands at a path and in which dialect, by what its clients have written there, as
// package inspect reads it. found is false for a path without a recipe: an empty directory, or none.
//
// Requests: a read and a list, one batch read, and the same for each child that has children.
func (s *Session) Detect(ctx context.Context, path string) (f Found, found bool, err error) {
	snap := &inspect.Snapshot{Root: &inspect.Node{}, Base: "/", TakenAt: time.Now(), Complete: true}
	snap, err = s.picture(ctx, snap, path, 2)
	if err != nil {
		return Found{}, false, s.fail("detect", path, err)
	}
	m := inspect.Decode(snap, nil, inspect.Hints{}).ByPath(path)
	if m == nil {
		return Found{}, false, nil
	}
	return Found{m.Kind, m.Dialect, m.Confidence}, true, nil
}

// picture adds a znode and what is below it to a snapshot.
func (s *Session) picture(ctx context.Context, snap *inspect.Snapshot, path string, depth int) (*inspect.Snapshot, error) {
	data, stat, err := s.conn.Get(ctx, path)
	if errors.Is(err, zkc.ErrNoNode) {
		return snap, nil
	}
	if err != nil {
		return snap, err
	}
	snap = withParents(snap, path).WithCreated(path, node(value{data, stat}))
	return s.pictureBelow(ctx, snap, path, depth)
}

func (s *Session) pictureBelow(ctx context.Context, snap *inspect.Snapshot, path string, depth int) (*inspect.Snapshot, error) {
	names, err := s.children(ctx, path)
	if err != nil {
		return snap, err
	}
	values, err := s.readAll(ctx, path, names[:min(len(names), detectAtMost)])
	if err != nil {
		return snap, err
	}
	for n, v := range values {
		child := inspect.Join(path, n)
		snap = snap.WithCreated(child, node(v))
		if v.stat.NumChildren > 0 && depth > 1 {
			if snap, err = s.pictureBelow(ctx, snap, child, depth-1); err != nil {
				return snap, err
			}
		}
	}
	return snap, nil
}

func withParents(snap *inspect.Snapshot, path string) *inspect.Snapshot {
	dir, _ := inspect.Split(path)
	if dir == "/" || snap.At(dir) != nil {
		return snap
	}
	return withParents(snap, dir).WithCreated(dir, inspect.Node{})
}

func node(v value) inspect.Node {
	st := v.stat
	return inspect.Node{Data: v.data, Owner: inspect.SessionID(st.EphemeralOwner), Czxid: inspect.Zxid(st.Czxid),
		Mzxid: inspect.Zxid(st.Mzxid), Pzxid: inspect.Zxid(st.Pzxid), Ctime: inspect.Millis(st.Ctime), Version: st.Version,
		Cversion: st.Cversion, HasCversion: true, DataLength: st.DataLength}
}
