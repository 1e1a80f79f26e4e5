package live

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// told are names that a test sets.
type told struct {
	version uint64
	name    string
}

func (t *told) Of(string) string { return t.name }
func (t *told) Version() uint64  { return t.version }

// Sessions have the names of now, and stay the same map while neither they nor the names change.
func TestSessionsAreNamedOnce(t *testing.T) {
	names := &told{1, "web-1"}
	n := namer{names: names}
	snap := &znode.Snapshot{Sessions: map[znode.SessionID]znode.Session{7: {ID: 7, Addr: "10.0.0.7:4711"}}}
	first := n.on(snap).Sessions
	if s := first[7]; s.Known != "web-1" || s.From() != "10.0.0.7:4711 (web-1)" || snap.Sessions[7].Known != "" {
		t.Errorf("%+v", first)
	}
	if !model.SameMap(first, n.on(snap).Sessions) {
		t.Error("the same sessions are another map")
	}
	names.version, names.name = 2, "web-2"
	if s := n.on(snap).Sessions[7]; s.Known != "web-2" {
		t.Errorf("%+v", s)
	}
	other := &znode.Snapshot{Sessions: map[znode.SessionID]znode.Session{8: {ID: 8, Addr: "10.0.0.8:4711"}}}
	if got := n.on(other).Sessions; got[8].Known != "web-2" || len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if none := (&namer{}); none.on(snap) != snap {
		t.Error("without names it is another picture")
	}
}
