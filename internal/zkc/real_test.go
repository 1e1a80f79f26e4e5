package zkc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

func addrs(list []*peers.Server) (out []string) {
	for _, s := range list {
		out = append(out, s.Addr)
	}
	return out
}

func byAddr(t *testing.T, list []*peers.Server, addr string) *peers.Server {
	t.Helper()
	i := slices.IndexFunc(list, func(s *peers.Server) bool { return s.Addr == addr })
	if i < 0 {
		t.Fatalf("no member at %q", addr)
	}
	return list[i]
}

func without(members []*peers.Server, one *peers.Server) []*peers.Server {
	return slices.DeleteFunc(slices.Clone(members), func(s *peers.Server) bool { return s == one })
}

// TestEnsembleFaults kills and stops the member that serves us, on a real ensemble.
func TestEnsembleFaults(t *testing.T) {
	members := peers.Ensemble(t, 3, peers.Options{})
	j := &journal{}
	cfg := Config{Servers: addrs(members), Session: 6 * time.Second, Watches: []string{"/"}}
	j.on(&cfg)
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), cfg))
	defer c.Close()
	mustCreate(t, c, "/mine", "", wire.FlagEphemeral)
	session := c.State().Session
	check := func(what string, since time.Time) {
		t.Helper()
		if _, ok, err := c.Exists(soon(t, 20*time.Second), "/mine"); !ok || err != nil {
			t.Fatalf("after %s the ephemeral is gone: %v", what, err)
		}
		if ok, err := c.Watching(soon(t, 20*time.Second), "/"); !ok || err != nil {
			t.Fatalf("after %s there is no watch: %v", what, err)
		}
		st := c.State()
		if st.Session != session || st.Expirations != 0 {
			t.Fatalf("after %s: %+v", what, st)
		}
		t.Logf("%s: served again by another member after %v", what, time.Since(since))
	}
	victim := byAddr(t, members, c.State().Server)
	start := time.Now()
	victim.Kill()
	peers.Quorum(t, without(members, victim)...) // it may have led, and until another does nobody serves
	check("kill", start)
	victim.Restart()
	peers.Quorum(t, members...)

	victim = byAddr(t, members, c.State().Server)
	start = time.Now()
	victim.Pause()
	peers.WaitFor(t, 10*time.Second, "the hung member is left", func() bool { return c.State().Server != victim.Addr || c.State().Phase != Connected })
	peers.Quorum(t, without(members, victim)...)
	peers.WaitFor(t, 10*time.Second, "another member serves", func() bool { return c.State().Server != victim.Addr && c.State().Phase == Connected })
	check("stop", start)
	victim.Resume()
	states, _ := j.seen()
	for _, s := range states {
		if s.Phase == Expired {
			t.Errorf("%+v", s)
		}
	}
}

// TestServerRestart measures nothing, but shows that a restart of the only server keeps the session.
func TestServerRestart(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}}))
	defer c.Close()
	session := c.State().Session
	s.Kill()
	peers.WaitFor(t, 5*time.Second, "the loss is noticed", func() bool { return c.State().Phase == Disconnected })
	if st := c.State(); st.LostSince.IsZero() || st.Session != session {
		t.Fatalf("%+v", st)
	}
	s.Restart()
	if _, _, err := c.Get(soon(t, 20*time.Second), "/"); err != nil || c.State().Session != session {
		t.Fatal(err, fmt.Sprintf("%+v", c.State()))
	}
}

// TestReadOnlyMember leaves one of three members without a quorum.
func TestReadOnlyMember(t *testing.T) {
	members := peers.Ensemble(t, 3, peers.Options{JVMFlags: []string{"-Dreadonlymode.enabled=true"},
		ExtraCfg: "localSessionsEnabled=true\nlocalSessionsUpgradingEnabled=true"})
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{members[0].Addr}, Session: 6 * time.Second, ReadOnly: true}))
	defer c.Close()
	session := c.State().Session
	members[1].Kill()
	members[2].Kill()
	peers.WaitFor(t, 40*time.Second, "the read-only member serves us", func() bool { st := c.State(); return st.Phase == Connected && st.ReadOnlyServer })
	if st := c.State(); st.Session == session || st.Expirations != 1 {
		t.Fatalf("%+v", st)
	}
	if _, err := c.MultiRead(soon(t, 5*time.Second), []Read{{Path: "/"}}); err != nil {
		t.Fatal(err)
	}
	members[1].Restart()
	peers.WaitFor(t, 40*time.Second, "the quorum is back", func() bool { st := c.State(); return st.Phase == Connected && !st.ReadOnlyServer })
}

// TestAMemberWithoutAQuorumSaysSo: the last of three answers and does not serve.
func TestAMemberWithoutAQuorumSaysSo(t *testing.T) {
	t.Parallel()
	members := peers.Ensemble(t, 3, peers.Options{})
	members[0].Kill()
	members[1].Kill()
	cfg := Config{Servers: addrs(members), GiveUp: 1}
	peers.WaitFor(t, 30*time.Second, "a member without a quorum", func() bool {
		return strings.Contains(members[2].FourLetter("srvr"), "not currently serving")
	})
	_, err := Dial(soon(t, 20*time.Second), cfg)
	for _, want := range []string{members[0].Addr, members[1].Addr, ": connection refused", members[2].Addr + ": it answers and does not serve: it has no quorum"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
}
