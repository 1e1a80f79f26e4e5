package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// TestAServerWithoutAQuorumIsNotWrittenTo leaves one of three members, which then serves reads only.
func TestAServerWithoutAQuorumIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	members := peers.Ensemble(t, 3, peers.Options{Heap: "160m", JVMFlags: []string{"-Dreadonlymode.enabled=true"},
		ExtraCfg: "localSessionsEnabled=true\nlocalSessionsUpgradingEnabled=true"})
	last := members[0]
	relay := peers.NewRelay(t, last.Addr)
	g := guardedFor(t, 4*time.Second, last.Addr, relay.Addr)
	ctx := context.Background()
	g.create("/l", "", 0)
	path := g.create("/l/0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d__lock__", "x", wire.FlagSequence).Path
	p := g.breaking(path)
	members[1].Kill()
	members[2].Kill()
	peers.WaitFor(t, 30*time.Second, "the last member serves reads", func() bool { return last.FourLetter("isro") == "ro" })
	want := func(says string) {
		t.Helper()
		if r := g.actor.Apply(ctx, p); r.Outcome != actions.Refused || !strings.Contains(r.Text, says) {
			t.Errorf("%s: %s", r.Outcome, r.Text)
		}
	}
	want("has lost its quorum, is read-only and takes no writes), and a plan this old is not carried out")
	relay.EditConnect(func(frame []byte) { frame[len(frame)-1] = 1 }) // as a client that takes read-only servers
	want("not done: the server has lost its quorum: it is read-only and takes no writes")
	relay.EditConnected(func(frame []byte) { frame[len(frame)-1] = 0 }) // and does not notice that it got one
	relay.Cut()
	want("not done: the server has lost its quorum: it is read-only and takes no writes")
	code, _, errs := run("break", path, last.Addr, "--yes", "--czxid", fmt.Sprint(int64(p.Target.Czxid)))
	if code != 5 || !strings.Contains(errs, "have lost their quorum: they are read-only and take no writes") {
		t.Errorf("break: exit %d: %s", code, errs)
	}
	if _, out, _ := run("ls", last.Addr, "--4lw", last.Addr); !strings.Contains(out, "/l") {
		t.Errorf("it still shows what is there: %s", out)
	}
}
