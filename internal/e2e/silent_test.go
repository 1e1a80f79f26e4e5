package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// TestAHolderThatHangsIsSaidToBeSilent stops a client in the middle of its work: its connection stays, and its pings end.
func TestAHolderThatHangsIsSaidToBeSilent(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{ExtraCfg: "maxSessionTimeout=40000"})
	a, b := newKazoo(t, server.Addr, "web-1", "20"), newKazoo(t, server.Addr, "web-2", "20")
	a.hold("/locks/a")
	b.want("/locks/a")
	if _, out, _ := run("why", "/locks/a", server.Addr); !strings.Contains(out, "web-1 was heard about ") {
		t.Errorf("why, of one that works:\n%s", out)
	}
	a.p.Signal(syscall.SIGSTOP)
	said := ""
	peers.WaitFor(t, 20*time.Second, "the silence to be told", func() bool {
		_, said, _ = run("why", "/locks/a", server.Addr)
		return strings.Contains(said, "clients ping at a third of their timeout, which is 20s")
	})
	if !strings.Contains(said, "Unless it is heard, its session expires in ") || strings.Contains(said, "is alive") || !strings.Contains(said, "Wait for the session to expire") {
		t.Errorf("why:\n%s", said)
	}
	if code, out, _ := run("check", server.Addr); code != 3 || !strings.Contains(out, "owner-silent") || !strings.Contains(out, "web-1 (holder) is connected and not heard since") {
		t.Errorf("check: exit %d\n%s", code, out)
	}
	b.got("/locks/a", 30*time.Second)
}
