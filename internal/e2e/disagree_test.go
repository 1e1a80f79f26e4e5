package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// disagreeing expects of the commands, and of what the console is told, that a znode is on one server and not on another.
func disagreeing(t *testing.T, commands, path, session, on, off string, servers ...string) {
	t.Helper()
	says := "the servers disagree on " + path + ": it is session " + session + "'s on " + on + " and not on " + off
	all := strings.Join(servers, ",")
	for _, command := range strings.Fields(commands) {
		want := map[bool]int{true: 3, false: 0}[command == "check"]
		for deadline := time.Now().Add(20 * time.Second); ; { // a busy server may not tell its sessions in time
			code, out, errs := run(command, all, "--admin", "off")
			if code == want && strings.Contains(out, says) {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s: exit %d\n%s%s\ndoes not say: %s", command, code, out, errs, says)
				break
			}
		}
	}
	v := watching(t, 200*time.Millisecond, servers...)
	v.until("the console's findings to say that "+says, func(*waits.Waits) bool {
		return told(v.w.Status(), says)
	})
}

func told(st *ensemble.Status, says string) bool {
	for _, f := range st.Findings() {
		if f.Code == model.CodeServersDisagree && f.Severity == model.High && strings.Contains(f.Text, says) {
			return true
		}
	}
	return false
}

// TestAMemberThatLagsIsNamed holds a follower behind while a claim is made, and made anew.
func TestAMemberThatLagsIsNamed(t *testing.T) {
	t.Parallel()
	follower, leader := laggard(t)
	g := guardedOn(t, leader.Addr)
	g.create("/l", "", 0)
	session := znode.SessionID(g.conn.State().Session).String()
	follower.Lag()
	defer follower.CatchUp()
	path := g.create("/l/0123456789abcdef0123456789abcdef__lock__", "job-7", wire.FlagEphemeralSequence).Path
	disagreeing(t, "doctor sessions", path, session, leader.Addr, follower.Addr, leader.Addr, follower.Addr)
	follower.CatchUp()
	v := watching(t, 200*time.Millisecond, leader.Addr, follower.Addr)
	v.until("they agree again", func(*waits.Waits) bool {
		st := v.w.Status()
		return st != nil && st.Answered() >= 2 && len(st.Findings()) == 0 && st.Ephemerals != nil
	})
}

// TestServersThatAreNoEnsembleAreNamed has two servers that stand alone in one connect string, each with a claim of its
// own at the same path: clients of either believe to hold.
func TestServersThatAreNoEnsembleAreNamed(t *testing.T) {
	t.Parallel()
	one, two := peers.ZooKeeper(t, peers.Options{}), peers.ZooKeeper(t, peers.Options{})
	a, b := guardedOn(t, one.Addr), guardedOn(t, two.Addr)
	const name = "/l/0123456789abcdef0123456789abcdef__lock__"
	for _, g := range []*guarded{a, b} {
		g.create("/l", "", 0)
		g.create(name, "job", wire.FlagEphemeralSequence)
		must(t, g.conn.Sync(context.Background(), "/l"))
	}
	for _, order := range []string{one.Addr + "," + two.Addr, two.Addr + "," + one.Addr} {
		for _, command := range []string{"doctor", "sessions", "check", "ls"} {
			peers.WaitFor(t, 30*time.Second, command+" to tell that they are no ensemble", func() bool {
				_, out, errs := run(command, order)
				return strings.Contains(out+errs, "servers-disagree") && strings.Contains(out+errs, "the servers that are given are not of one ensemble: ")
			})
		}
	}
}
