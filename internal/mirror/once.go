package mirror

import (
	"context"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Load reads a tree once, over a connection that it shares and on which it leaves no watches. It fails when
// the root does not exist (matching zkc.ErrNoNode), when ctx ends, or when the connection is given up; a
// connection that is lost on the way makes it start over on the next.
func Load(ctx context.Context, conn *zkc.Conn, o Options) (*znode.Snapshot, error) {
	o = o.withDefaults(conn.Chroot())
	bad := make(map[string]int)
	for caution := 0; ; caution++ {
		if _, there, err := conn.Exists(ctx, o.Root); err != nil {
			return nil, err
		} else if !there {
			return nil, &zkc.Error{Op: "load", Path: o.Root, Code: wire.ErrNoNode}
		}
		l := newLoader(o, nil)
		l.caution, l.bad = caution, bad
		if err := run(ctx, conn, l); err != nil {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("load %s: read %d znodes of an unknown number: %w", o.Root, l.nodes, ctx.Err())
			}
			continue
		}
		root := l.result()
		if root == nil {
			continue // gone in between: the check above says so
		}
		s := &znode.Snapshot{Root: root, Base: o.Root, TakenAt: time.Now()}
		s.Partial = partial(o, l.over, l.unlisted, func(path string) *znode.Node { return s.At(path) })
		s.Complete = len(s.Partial) == 0
		return s, missing(ctx, conn, s, o.Asked)
	}
}

// missing looks for those asked for that were not found, and whose siblings are not all known.
func missing(ctx context.Context, conn *zkc.Conn, s *znode.Snapshot, asked []string) error {
	for _, path := range asked {
		if n, why := s.Known(path); n != nil || why == "" {
			continue
		}
		if _, there, err := conn.Exists(ctx, path); err != nil {
			return err
		} else if !there {
			s.Missing = append(s.Missing, path)
		}
	}
	return nil
}

// run drives a loader until it is done.
func run(ctx context.Context, conn *zkc.Conn, l *loader) error {
	answered := make(chan *batch, depth)
	listing := make(map[string]bool) // big directories
	for !l.done() {
		for b := l.next(); b != nil; b = l.next() {
			b.bigLists(func(path string) { listing[path] = true })
			conn.Submit(b.reads, b.each, func(err error) { b.err = err; answered <- b })
		}
		select {
		case b := <-answered:
			if b.err != nil {
				for path := range listing {
					l.bad[path]++
				}
				return b.err
			}
			b.bigLists(func(path string) { delete(listing, path) })
			if l.take(b); l.broken != nil {
				return l.broken
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// partial says in phrases what a snapshot does not hold.
func partial(o Options, over bool, unlisted []string, at func(string) *znode.Node) (out []string) {
	if over {
		out = append(out, fmt.Sprintf("stopped at %d znodes", o.MaxNodes))
	}
	more := 0
	for _, path := range unlisted {
		n := at(path)
		switch {
		case n == nil || n.Flags&(znode.NotListed|znode.NamesRead) == 0:
		case len(out) >= maxPhrases:
			more++
		case n.Has(znode.NoStat):
			out = append(out, path+": the server does not let it be read")
		case n.Has(znode.Unreadable):
			out = append(out, fmt.Sprintf("%s: no permission to list its %d children", path, n.NumChildren))
		case n.Has(znode.NamesRead):
			out = append(out, fmt.Sprintf("%s: %d children, of most only the names were read", path, n.NumChildren))
		default:
			out = append(out, fmt.Sprintf("%s: %d children, not listed", path, n.NumChildren))
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

const maxPhrases = 10
