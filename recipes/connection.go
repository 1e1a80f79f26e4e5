package recipes

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// connection is what a Session needs of a ZooKeeper client. Reads are repeated until ctx ends; a write whose
// reply is lost reports zkc.ErrUnknownOutcome and is not repeated.
type connection interface {
	Create(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL) (zkc.Created, error)
	Set(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error)
	Delete(ctx context.Context, path string, version int32) error
	Multi(ctx context.Context, changes ...zkc.Change) ([]zkc.Done, error)
	Get(ctx context.Context, path string) ([]byte, wire.Stat, error)
	Exists(ctx context.Context, path string) (wire.Stat, bool, error)
	Children(ctx context.Context, path string) ([]string, wire.Stat, error)
	Sync(ctx context.Context, path string) error

	// withdraw is Delete of any version; it returns the zxid of the change, or 0 where that is not told.
	withdraw(ctx context.Context, path string) (zxid int64, err error)
	// enter is Create; where list says so, the names in its directory are asked for right behind it; where they are not
	// known, Names is nil.
	enter(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL, list bool) (zkc.Entered, error)
	// watches watches the data of several znodes at once: each has a watch or an error.
	watches(ctx context.Context, paths []string) ([]*watch, []error)
	// values reads data and stats of many znodes; those that cannot be read have a code.
	values(ctx context.Context, paths []string) ([]zkc.Result, error)
	// stand tells which of the znodes are there; one that may not be read is.
	stand(ctx context.Context, paths []string) ([]bool, error)
	watch(ctx context.Context, kind zkc.WatchKind, path string) (*watch, error)
	session() (id int64, timeout time.Duration)
	// alive returns when the latest request was sent that the server has answered.
	alive() time.Time
	Close()
}

// watch is a one-shot watch and what was read when it was set.
type watch struct {
	C        <-chan wire.Event // one event, then closed: read again
	Exists   bool
	Stat     wire.Stat
	Data     []byte
	Children []string
	Mute     bool // the znode may not be read: Stat and Data are not known, and C may fire without a change
	cancel   func()
	recheck  func(every time.Duration) // see zkc.Watch.Recheck
}

// quiet reports whether a watch has seen nothing.
func (w *watch) quiet() bool {
	select {
	case <-w.C:
		return false
	default:
		return true
	}
}

// zkcConn is a connection that this package opened.
type zkcConn struct{ *zkc.Conn }

func (c zkcConn) session() (int64, time.Duration) {
	st := c.State()
	return st.Session, st.Timeout
}

func (c zkcConn) alive() time.Time { return c.Alive() }

func (c zkcConn) values(ctx context.Context, paths []string) ([]zkc.Result, error) {
	reads := make([]zkc.Read, len(paths))
	for i, p := range paths {
		reads[i].Path = p
	}
	return c.MultiRead(ctx, reads)
}

// stand lists the znodes' children: leaves have none, whereas their data may be large.
func (c zkcConn) stand(ctx context.Context, paths []string) ([]bool, error) {
	reads := make([]zkc.Read, len(paths))
	for i, p := range paths {
		reads[i] = zkc.Read{Path: p, Kind: zkc.ReadChildren}
	}
	found, err := c.MultiRead(ctx, reads)
	out := make([]bool, len(found))
	for i := range found {
		out[i] = found[i].Code != wire.ErrNoNode
	}
	return out, err
}

func (c zkcConn) watch(ctx context.Context, kind zkc.WatchKind, path string) (*watch, error) {
	w, err := c.WatchOnce(ctx, kind, path)
	if err != nil {
		return nil, err
	}
	return watchOf(w), nil
}

func watchOf(w *zkc.Watch) *watch {
	return &watch{C: w.C, Exists: w.Exists, Stat: w.Stat, Data: w.Data, Children: w.Children, cancel: w.Cancel, recheck: w.Recheck}
}

func (c zkcConn) watches(ctx context.Context, paths []string) ([]*watch, []error) {
	found, errs := c.WatchAll(ctx, paths)
	out := make([]*watch, len(paths))
	for i, w := range found {
		if errs[i] == nil {
			out[i] = watchOf(w)
		}
	}
	return out, errs
}

func (c zkcConn) withdraw(ctx context.Context, path string) (int64, error) {
	return c.DeleteAt(ctx, path, zkc.AnyVersion)
}

func (c zkcConn) enter(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL, list bool) (zkc.Entered, error) {
	dir, _ := split(path)
	return c.Enter(ctx, createOf(path, data, flags, acl), dir, list)
}
