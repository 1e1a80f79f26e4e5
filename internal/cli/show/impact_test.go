package show_test

import (
	"encoding/json"
	"testing"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// The session of the look itself is no client that would be lost.
func TestImpactLeavesItsOwnSessionOut(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	_, out, errs := s.Run("", "impact", "127.0.0.1", s.Addr, "-o", "json")
	var rep story.ImpactReport
	if err := json.Unmarshal([]byte(out), &rep); err != nil {
		t.Fatal(err, out, errs)
	}
	if len(rep.Sessions) != 1 || rep.Sessions[0] != s.Session(kazoo) || len(rep.Releases) == 0 {
		t.Errorf("sessions %v, releases %+v", rep.Sessions, rep.Releases)
	}
	idle := clitest.New(t, cli.Run, zkserver.Options{})
	idle.Client.Close()
	idle.Fails(world.ExitNotFound, "but that of this very look", "impact", "127.0.0.1", idle.Addr)
}
