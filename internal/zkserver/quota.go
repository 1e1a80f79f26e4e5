package zkserver

import (
	"fmt"
	"path"
	"strings"
)

// Quotas, as zkCli's setquota sets them: a path's limits and statistics are znodes below quotaRoot and the path. Limits are
// not enforced, as real servers do not by default, but what stands below the path is counted.
const (
	quotaRoot   = "/zookeeper/quota"
	quotaLimits = "zookeeper_limits"
	quotaStats  = "zookeeper_stats"
)

// count keeps the statistics of quotas up to date with a znode that was made, deleted or written.
func (tx *txn) count(at string, bytes, nodes int) {
	if dir, name := parentPath(at), path.Base(at); strings.HasPrefix(dir, quotaRoot+"/") {
		quota := dir[len(quotaRoot):]
		switch {
		case name == quotaLimits && nodes != 0:
			tx.limit(quota, nodes > 0)
		case name == quotaStats && nodes > 0:
			total, below := tx.s.tree.below(quota)
			tx.tell(tx.s.tree.nodes[at], below, total)
		}
	}
	quota := at
	for ; quota != "" && !tx.s.quotas[quota]; quota = parentPath(quota) {
	}
	stats := tx.s.tree.nodes[quotaRoot+quota+"/"+quotaStats]
	var haveNodes, haveBytes int
	if quota == "" || stats == nil {
		return
	}
	if _, err := fmt.Sscanf(string(stats.data), "count=%d,bytes=%d", &haveNodes, &haveBytes); err == nil {
		tx.tell(stats, haveNodes+nodes, haveBytes+bytes)
	}
}

// limit begins or ends to count what stands below a path.
func (tx *txn) limit(quota string, on bool) {
	was := tx.s.quotas[quota]
	set := func(on bool) {
		if delete(tx.s.quotas, quota); on {
			tx.s.quotas[quota] = true
		}
	}
	set(on)
	tx.undoable(func() { set(was) })
}

// tell writes statistics. That is no change of the znode: nobody is told, and its versions stay.
func (tx *txn) tell(stats *node, nodes, bytes int) {
	was := stats.data
	stats.data = fmt.Appendf(nil, "count=%d,bytes=%d", nodes, bytes)
	tx.undoable(func() { stats.data = was })
}

// below counts a znode and all below it.
func (t *tree) below(at string) (bytes, nodes int) {
	n := t.nodes[at]
	if n == nil {
		return 0, 0
	}
	bytes, nodes = len(n.data), 1
	for _, child := range n.children {
		b, c := t.below(child.path)
		bytes, nodes = bytes+b, nodes+c
	}
	return bytes, nodes
}
