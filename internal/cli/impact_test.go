package cli

import (
	"encoding/json"
	"testing"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// The session of the look itself is no client that would be lost.
func TestImpactLeavesItsOwnSessionOut(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	kazoo, _ := s.contend()
	_, out, errs := s.run("", "impact", "127.0.0.1", s.addr, "-o", "json")
	var rep story.ImpactReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err, out, errs)
	}
	if len(rep.Sessions) != 1 || rep.Sessions[0] != s.session(kazoo) || len(rep.Releases) == 0 {
		t.Errorf("sessions %v, releases %+v", rep.Sessions, rep.Releases)
	}
	idle := newShell(t, zkserver.Options{})
	idle.client.Close()
	idle.fails(world.ExitNotFound, "but that of this very look", "impact", "127.0.0.1", idle.addr)
}
