package past

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// origin is what a snapshot tells of the moment in its name.
type origin struct {
	root     *znode.Node
	sessions map[znode.SessionID]int32
	zxid     int64
	until    int64 // from its zxid to this one it is uncertain: the snapshot was being written
	written  int64 // when its file was changed last, in milliseconds by the clock of this machine
}

// empty is the tree of a server that was never started before.
func empty() *origin {
	root := &znode.Node{HasCversion: true}
	for _, name := range []string{"config", "quota"} {
		z := root.Child("zookeeper")
		if z == nil {
			z = &znode.Node{Name: "zookeeper", HasCversion: true}
			root.Children = append(root.Children, z)
		}
		z.Children = append(z.Children, &znode.Node{Name: name, HasCversion: true})
	}
	p := &origin{root: root, sessions: map[znode.SessionID]int32{}}
	finish(root)
	return p
}

// load reads a snapshot file.
func load(f txnlog.File) (*origin, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := &planter{zxid: znode.Zxid(f.Zxid)}
	s, err := txnlog.ReadSnapshot(in, f.Called(), b.plant)
	if err != nil {
		return nil, err
	}
	if len(b.path) == 0 {
		return nil, &txnlog.Corrupt{File: f.Called(), What: "the snapshot holds no root"}
	}
	p := &origin{root: b.path[0].node, sessions: make(map[znode.SessionID]int32, len(s.Sessions)), zxid: f.Zxid, until: s.Last}
	for id, timeout := range s.Sessions {
		p.sessions[znode.SessionID(id)] = timeout
	}
	if st, err := in.Stat(); err == nil {
		p.written = st.ModTime().UnixMilli()
	}
	finish(p.root)
	return p, nil
}

// planter makes a tree of znodes that come parents first, each subtree whole.
type planter struct {
	zxid znode.Zxid
	path []planted // from the root to the znode that came last
}

type planted struct {
	path string
	node *znode.Node
	late bool // it was made after the moment in the snapshot's name: its record is in the logs
}

func (b *planter) plant(z *txnlog.Znode) error {
	n := b.node(z)
	if z.Path == "/" {
		b.path = []planted{{"/", n, false}}
		return nil
	}
	dir, name := znode.Split(z.Path)
	for len(b.path) > 0 && b.path[len(b.path)-1].path != dir {
		b.path = b.path[:len(b.path)-1]
	}
	if len(b.path) == 0 {
		return fmt.Errorf("%q comes before its parent", z.Path)
	}
	up := b.path[len(b.path)-1]
	n.Name = name
	late := up.late || n.Czxid > b.zxid
	if !late {
		up.node.Children = append(up.node.Children, n)
	}
	b.path = append(b.path, planted{z.Path, n, late})
	return nil
}

// node makes a node of a znode.
func (b *planter) node(z *txnlog.Znode) *znode.Node {
	st := &z.Stat
	n := &znode.Node{Data: z.Data, DataLength: int32(len(z.Data)), Czxid: znode.Zxid(st.Czxid), Mzxid: znode.Zxid(st.Mzxid), Pzxid: znode.Zxid(st.Pzxid),
		Ctime: znode.Millis(st.Ctime), Mtime: znode.Millis(st.Mtime), Version: st.Version, Cversion: st.Cversion, Aversion: st.Aversion, HasCversion: true}
	if id := znode.SessionID(st.Owner); id != 0 {
		if _, _, special := id.Special(); !special {
			n.Owner = id
		}
	}
	return n
}

// finish orders the children, and counts them as clients see it.
func finish(n *znode.Node) {
	slices.SortFunc(n.Children, func(a, b *znode.Node) int { return strings.Compare(a.Name, b.Name) })
	n.NumChildren = int32(len(n.Children))
	n.Cversion = 2*n.Cversion - n.NumChildren
	for _, c := range n.Children {
		finish(c)
	}
}
