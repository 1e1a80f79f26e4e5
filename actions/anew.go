package actions

import (
	"context"
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// ZooKeeper compares the version alone when it deletes or writes, and a znode that was made anew begins with the same ones. So
// one that goes and comes back at its path between our last read and our request takes the blow in place of the one that was
// meant. That cannot be prevented, only found out afterwards.

// comesAgain reports whether another znode could be made at a path. A number with an id that is drawn for it is not made
// again; a bare number is where the directory itself is made anew, whose counter begins anew then.
func comesAgain(path string) bool {
	_, name := znode.Split(path)
	n := layout.ParseName(name)
	return !n.HasSeq || n.GUID == ""
}

// mayBeMadeAnew reports whether a plan's znode could be made again at its own path before the plan removes it.
func (p Plan) mayBeMadeAnew() bool { return p.Op == Remove && comesAgain(p.Target.Path) }

// numbered reports whether a plan's znode has a number, which comes again only in a directory that was made anew.
func (p Plan) numbered() bool {
	_, name := znode.Split(p.Target.Path)
	return layout.ParseName(name).HasSeq
}

// creations counts the znodes that were ever made below a parent: its cversion counts them and those deleted, which are what
// is not there any more.
func creations(parent wire.Stat) int64 {
	return (int64(parent.Cversion) + int64(parent.NumChildren)) / 2
}

// before reads the parent of a znode that may be made anew, ahead of the last look at the znode itself; nil where it is no
// matter or cannot be read.
func (p Plan) before(ctx context.Context, conn *zkc.Conn) *wire.Stat {
	if !p.mayBeMadeAnew() {
		return nil
	}
	dir, _ := znode.Split(p.Target.Path)
	if st, there, err := conn.Exists(ctx, dir); err == nil && there {
		return &st
	}
	return nil
}

// doubt says, after a znode was deleted, what speaks against its being the one that was meant; empty where nothing does: no
// znode was made below its parent since, or only the one that stands at its path now.
func (p Plan) doubt(ctx context.Context, conn *zkc.Conn, parent *wire.Stat) string {
	if !p.mayBeMadeAnew() {
		return ""
	}
	dir, _ := znode.Split(p.Target.Path)
	const either = "; if one was created at this path in the moment between, that one was deleted"
	if parent == nil {
		return either
	}
	_, again, e := conn.Exists(ctx, p.Target.Path) // before its parent, which then counts it
	st, there, err := conn.Exists(ctx, dir)
	if err != nil || !there || e != nil {
		return either
	}
	if p.numbered() {
		if st.Czxid == parent.Czxid {
			return ""
		}
		return fmt.Sprintf("; %s was deleted and created again at the same time%s", say.Printable(dir), either)
	}
	made := creations(st) - creations(*parent)
	if again {
		made--
	}
	if made <= 0 {
		return ""
	}
	return fmt.Sprintf("; %d more created below %s at the same time%s", made, say.Printable(dir), either)
}

// wroteOther is the error of a write that met another znode than the one that was meant.
type wroteOther struct {
	st     wire.Stat
	target Target
}

func (w wroteOther) Error() string {
	return fmt.Sprintf("another znode was written: it was %s a moment before (czxid %d, not %d); look at %s before anything else",
		anewOf(w.st), w.st.Czxid, int64(w.target.Czxid), say.Printable(w.target.Path))
}
