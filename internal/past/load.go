package past

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// picture is what a snapshot tells of the moment in its name.
type picture struct {
	root     *inspect.Node
	sessions map[inspect.SessionID]int32
	zxid     int64
	until    int64 // from its zxid to this one the picture is uncertain: the snapshot was being written
}

// empty is the tree of a server that was never started before.
func empty() *picture {
	root := &inspect.Node{HasCversion: true}
	for _, name := range []string{"config", "quota"} {
		z := root.Child("zookeeper")
		if z == nil {
			z = &inspect.Node{Name: "zookeeper", HasCversion: true}
			root.Children = append(root.Children, z)
		}
		z.Children = append(z.Children, &inspect.Node{Name: name, HasCversion: true})
	}
	p := &picture{root: root, sessions: map[inspect.SessionID]int32{}}
	finish(root)
	return p
}

// load reads a snapshot file.
func load(f txnlog.File) (*picture, error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := &planter{zxid: inspect.Zxid(f.Zxid)}
	s, err := txnlog.ReadSnapshot(in, f.Path, b.plant)
	if err != nil {
		return nil, err
	}
	if len(b.path) == 0 {
		return nil, &txnlog.Corrupt{File: f.Path, What: "the snapshot holds no root"}
	}
	p := &picture{root: b.path[0].node, sessions: make(map[inspect.SessionID]int32, len(s.Sessions)), zxid: f.Zxid, until: s.Last}
	for id, timeout := range s.Sessions {
		p.sessions[inspect.SessionID(id)] = timeout
	}
	finish(p.root)
	return p, nil
}

// planter makes a tree of znodes that come parents first, each subtree whole.
type planter struct {
	zxid inspect.Zxid
	path []planted // from the root to the znode that came last
}

type planted struct {
	path string
	node *inspect.Node
	late bool // it was made after the moment in the snapshot's name: its record is in the logs
}

func (b *planter) plant(z *txnlog.Znode) error {
	n := b.node(z)
	if z.Path == "/" {
		b.path = []planted{{"/", n, false}}
		return nil
	}
	dir, name := inspect.Split(z.Path)
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
func (b *planter) node(z *txnlog.Znode) *inspect.Node {
	st := &z.Stat
	n := &inspect.Node{Data: z.Data, DataLength: int32(len(z.Data)), Czxid: inspect.Zxid(st.Czxid), Mzxid: inspect.Zxid(st.Mzxid), Pzxid: inspect.Zxid(st.Pzxid),
		Ctime: inspect.Millis(st.Ctime), Mtime: inspect.Millis(st.Mtime), Version: st.Version, Cversion: st.Cversion, Aversion: st.Aversion, HasCversion: true}
	if id := inspect.SessionID(st.Owner); id != 0 {
		if _, _, special := id.Special(); !special {
			n.Owner = id
		}
	}
	return n
}

// finish orders the children, and counts them as clients see it.
func finish(n *inspect.Node) {
	slices.SortFunc(n.Children, func(a, b *inspect.Node) int { return strings.Compare(a.Name, b.Name) })
	n.NumChildren = int32(len(n.Children))
	n.Cversion = 2*n.Cversion - n.NumChildren
	for _, c := range n.Children {
		finish(c)
	}
}
