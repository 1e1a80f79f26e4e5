package recipes

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// besides is what a write is longer than its path and its data.
const besides = 64

// fits refuses a write that would cost the connection.
func (g *goZooKeeper) fits(op, path string, data int) error {
	if n := len(path) + data + besides; n > g.most {
		return &zkc.Error{Op: op, Path: path, Err: fmt.Errorf("%w: %d bytes, and jute.maxbuffer is %d", zkc.ErrTooLarge, n, g.most)}
	}
	return nil
}

func theirACL(acl []wire.ACL) []zk.ACL {
	if acl == nil {
		return zk.WorldACL(zk.PermAll)
	}
	out := make([]zk.ACL, len(acl))
	for i, a := range acl {
		out[i] = zk.ACL{Perms: a.Perms, Scheme: a.Scheme, ID: a.ID}
	}
	return out
}

func (g *goZooKeeper) Create(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL) (zkc.Created, error) {
	if err := g.fits("create", path, len(data)); err != nil {
		return zkc.Created{}, err
	}
	who := theirACL(acl)
	made, err := call(ctx, g, "create", path, false, func() (string, error) {
		if flags == wire.FlagContainer {
			return g.conn.CreateContainer(path, data, zk.FlagContainer, who)
		}
		return g.conn.Create(path, data, flags, who)
	})
	return zkc.Created{Path: made}, err
}

func (g *goZooKeeper) Set(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error) {
	if err := g.fits("set", path, len(data)); err != nil {
		return wire.Stat{}, err
	}
	st, err := call(ctx, g, "set", path, false, func() (*zk.Stat, error) { return g.conn.Set(path, data, version) })
	return statOf(st), err
}

func (g *goZooKeeper) Delete(ctx context.Context, path string, version int32) error {
	_, err := call(ctx, g, "delete", path, false, func() (struct{}, error) { return struct{}{}, g.conn.Delete(path, version) })
	return err
}

func (g *goZooKeeper) Multi(ctx context.Context, changes ...zkc.Change) ([]zkc.Done, error) {
	var ops []any
	size := 0
	for _, c := range changes {
		if err := zkc.GoodPath("multi", c.Path); err != nil {
			return nil, err
		}
		size += len(c.Path) + len(c.Data) + besides
		switch c.Op {
		case wire.OpCreate:
			ops = append(ops, &zk.CreateRequest{Path: c.Path, Data: c.Data, Acl: theirACL(c.ACL), Flags: c.Flags})
		case wire.OpDelete:
			ops = append(ops, &zk.DeleteRequest{Path: c.Path, Version: c.Version})
		case wire.OpCheck:
			ops = append(ops, &zk.CheckVersionRequest{Path: c.Path, Version: c.Version})
		default:
			ops = append(ops, &zk.SetDataRequest{Path: c.Path, Data: c.Data, Version: c.Version})
		}
	}
	if err := g.fits("multi", changes[0].Path, size); err != nil {
		return nil, err
	}
	got, err := call(ctx, g, "multi", changes[0].Path, false, func() ([]zk.MultiResponse, error) { return g.conn.Multi(ops...) })
	out := make([]zkc.Done, len(changes))
	for i := range min(len(got), len(out)) {
		out[i] = zkc.Done{Code: codes[got[i].Error], Path: got[i].String, Stat: statOf(got[i].Stat)}
	}
	return out, err
}

func (g *goZooKeeper) Get(ctx context.Context, path string) ([]byte, wire.Stat, error) {
	v, err := call(ctx, g, "get", path, true, func() (value, error) {
		data, st, err := g.conn.Get(path)
		return value{data, statOf(st)}, err
	})
	return v.data, v.stat, err
}

func (g *goZooKeeper) Exists(ctx context.Context, path string) (wire.Stat, bool, error) {
	st, err := call(ctx, g, "exists", path, true, func() (*zk.Stat, error) {
		ok, st, err := g.conn.Exists(path)
		if !ok {
			return nil, err
		}
		return st, err
	})
	return statOf(st), st != nil && err == nil, err
}

func (g *goZooKeeper) Children(ctx context.Context, path string) ([]string, wire.Stat, error) {
	w, err := call(ctx, g, "children", path, true, func() (watch, error) {
		names, st, err := g.conn.Children(path)
		return watch{Children: names, Stat: statOf(st)}, err
	})
	return w.Children, w.Stat, err
}

func (g *goZooKeeper) Sync(ctx context.Context, path string) error {
	_, err := call(ctx, g, "sync", path, true, func() (string, error) { return g.conn.Sync(path) })
	return err
}

// values reads one by one: go-zookeeper has no batch read.
func (g *goZooKeeper) values(ctx context.Context, paths []string) ([]zkc.Result, error) {
	out := make([]zkc.Result, len(paths))
	for i, p := range paths {
		data, st, err := g.Get(ctx, p)
		var e *zkc.Error
		switch {
		case err == nil:
			out[i] = zkc.Result{Data: data, Stat: st}
		case errors.As(err, &e) && e.Code != wire.OK && e.Code != wire.ErrSessionExpired:
			out[i].Code = e.Code
		default:
			return nil, err
		}
	}
	return out, nil
}

// What the recipes ask for together is asked for in turn, or not at all: go-zookeeper sends nothing in one piece.

func (g *goZooKeeper) withdraw(ctx context.Context, path string) (int64, error) {
	return 0, g.Delete(ctx, path, zkc.AnyVersion)
}

func (g *goZooKeeper) enter(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL, _ bool) (zkc.Entered, error) {
	made, err := g.Create(ctx, path, data, flags, acl)
	return zkc.Entered{Created: made}, err
}

func (g *goZooKeeper) stand(ctx context.Context, paths []string) ([]bool, error) {
	out := make([]bool, len(paths))
	for i, p := range paths {
		var err error
		if _, out[i], err = g.Exists(ctx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}
