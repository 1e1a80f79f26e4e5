package zkserver

import (
	"math"
	"strings"

	"github.com/zkscope/zkscope/internal/wire"
)

// kind says when a znode goes by itself.
type kind uint8

const (
	persistent kind = iota
	ephemeral       // with its session
	container       // when its last child is gone
	ttlNode         // when it is empty and was not changed for a while
)

// node is one znode.
type node struct {
	path     string
	parent   *node
	index    int // place among the parent's children
	children []*node
	data     []byte // nil: null, which is not the same as empty
	acl      []wire.ACL

	czxid, mzxid, pzxid        int64
	ctime, mtime               int64
	version, creates, aversion int32 // creates: children made under it so far; the next sequence number
	kind                       kind
	owner                      int64 // session of an ephemeral
	nth                        int64 // which of its ephemerals it was
	ttl                        int64 // milliseconds
}

// stat is the metadata as clients see it: containers and TTL nodes show no owner, and cversion is computed from the
// counter of creates.
func (n *node) stat() wire.Stat {
	st := wire.Stat{
		Czxid: n.czxid, Mzxid: n.mzxid, Pzxid: n.pzxid, Ctime: n.ctime, Mtime: n.mtime,
		Version: n.version, Aversion: n.aversion, Cversion: 2*n.creates - int32(len(n.children)),
		DataLength: int32(len(n.data)), NumChildren: int32(len(n.children)),
	}
	if n.kind == ephemeral {
		st.EphemeralOwner = n.owner
	}
	return st
}

// countCreate notes that a child was created. The counter sticks at its largest value; then pzxid no longer moves either.
func (n *node) countCreate(zxid int64) {
	if n.creates < math.MaxInt32 {
		n.creates++
		n.pzxid = zxid
	}
}

// descendants counts the znodes below n.
func (n *node) descendants() int {
	sum := len(n.children)
	for _, c := range n.children {
		if len(c.children) > 0 {
			sum += c.descendants()
		}
	}
	return sum
}

// tree is all znodes by path. The root is also found under the empty path, as on real servers.
type tree struct {
	nodes   map[string]*node
	reaping map[string]*node // containers and TTL nodes
}

func newTree() tree {
	t := tree{nodes: map[string]*node{}, reaping: map[string]*node{}}
	root := &node{path: "/", data: []byte{}, acl: openACL}
	t.nodes["/"], t.nodes[""] = root, root
	for _, p := range []string{"/zookeeper", "/zookeeper/quota", "/zookeeper/config"} {
		t.link(&node{path: p, data: []byte{}, acl: openACL})
	}
	config := t.nodes["/zookeeper/config"]
	config.acl, config.aversion = readACL, -1
	return t
}

// parentPath returns what stands before the last slash; the empty string names the root.
func parentPath(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// parentOrRoot is parentPath with the root by its usual name.
func parentOrRoot(path string) string {
	if p := parentPath(path); p != "" {
		return p
	}
	return "/"
}

// link adds a node whose parent exists.
func (t *tree) link(n *node) {
	n.parent = t.nodes[parentPath(n.path)]
	n.index = len(n.parent.children)
	n.parent.children = append(n.parent.children, n)
	t.nodes[n.path] = n
	if n.kind >= container {
		t.reaping[n.path] = n
	}
}

// unlink removes a childless node; the last of its siblings takes its place.
func (t *tree) unlink(n *node) {
	list := n.parent.children
	last := list[len(list)-1]
	list[n.index], last.index = last, n.index
	list[len(list)-1] = nil
	n.parent.children = list[:len(list)-1]
	delete(t.nodes, n.path)
	delete(t.reaping, n.path)
}

// validPath reports whether a znode may have this path.
func validPath(path string) bool {
	if path == "/" {
		return true
	}
	if path == "" || path[0] != '/' || path[len(path)-1] == '/' {
		return false
	}
	for _, name := range strings.Split(path[1:], "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return strings.IndexFunc(path, forbidden) < 0
}

// forbidden lists the characters that no name may hold.
func forbidden(r rune) bool {
	return r <= 0x1f || r >= 0x7f && r <= 0x9f || r >= 0xd800 && r <= 0xf8ff || r >= 0xfff0
}

// reserved paths can be neither created nor deleted.
func reserved(path string) bool {
	return path == "/" || path == "/zookeeper" || path == "/zookeeper/quota" || path == "/zookeeper/config"
}
