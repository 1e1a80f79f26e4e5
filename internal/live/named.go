package live

import (
	"sync"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// namer gives sessions the names of their clients' hosts. The same sessions stay the same map for as long as the names do: what
// has not changed is not looked at again.
type namer struct {
	names Names // nil: there are none

	mu      sync.Mutex
	was, is map[znode.SessionID]znode.Session
	version uint64
}

// on returns the snapshot with names; one without sessions as it is.
func (n *namer) on(snap *znode.Snapshot) *znode.Snapshot {
	if n.names == nil || len(snap.Sessions) == 0 {
		return snap
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if v := n.names.Version(); n.is == nil || v != n.version || !model.SameMap(n.was, snap.Sessions) {
		n.was, n.version, n.is = snap.Sessions, v, make(map[znode.SessionID]znode.Session, len(snap.Sessions))
		for id, s := range snap.Sessions {
			s.Known = n.names.Of(s.Addr)
			n.is[id] = s
		}
	}
	out := *snap
	out.Sessions = n.is
	return &out
}
