package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// site is a server with one lock, which whoever has the name of the site holds.
func site(t *testing.T, name string) (s *zkserver.Server, addr string) {
	t.Helper()
	s = zkserver.New(zkserver.Options{Record: true})
	t.Cleanup(func() { s.Close() })
	at, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := zkc.Dial(context.Background(), zkc.Config{Servers: []string{at.String()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	for _, p := range []string{"/locks", "/locks/of-" + name} {
		if _, err := conn.Create(context.Background(), p, nil, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Create(context.Background(), "/locks/of-"+name+"/0123456789abcdef0123456789abcdef__lock__", []byte("job-"+name), wire.FlagEphemeralSequence, nil); err != nil {
		t.Fatal(err)
	}
	return s, at.String()
}

// sessions counts a server's sessions.
func sessions(s *zkserver.Server) string {
	return regexp.MustCompile(`zk_global_sessions\s+(\d+)`).FindStringSubmatch(s.FourLetter("mntr"))[1]
}

// One console changes from one ensemble to the next and back: each as its profile says, the one that was left closed, and the
// shell not seen in between. What cannot be reached leaves it where it is.
func TestOneConsoleShowsOneEnsembleAfterAnother(t *testing.T) {
	t.Parallel()
	a, addrA := site(t, "a")
	b, addrB := site(t, "b")
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("digest:b:of-b-alone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "config.yaml")
	text := fmt.Sprintf("profiles:\n  alpha: {servers: %q}\n  beta: {servers: %q, production: true, auth-file: %s, hidden: [/locks/none/**]}\n  down: {servers: '127.0.0.1:1'}\n  mute: {servers: %q}\n  odd: {servers: %q, auth-file: /nowhere}\n",
		addrA, addrB, secret, silent.Addr(), addrA)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x := openTerminal(t, 140, 40, nil, "--config", file, "--profile", "alpha")
	x.see("job-a holds")
	x.see("zkscope  alpha")
	x.press(":profiles\r")
	x.see("HOW IT STANDS")
	x.see("not read: ") // the one that is down
	x.press("\x1b")
	x.gone("HOW IT STANDS")
	x.press(":profile down\r")
	x.see("Not changed to down")
	x.see("You are still on alpha")
	x.press("\x1b")
	x.gone("Not changed")
	x.press(":profile odd\r")
	x.see("auth-file")
	x.press("\x1b")
	x.gone("Not changed")
	x.press(":profile mute\r")
	x.see("Connecting to mute")
	x.press("\x1b")
	x.see("still on alpha")
	x.press(":profile be\t\r")
	x.see("job-b holds")
	x.see("zkscope  beta")
	x.see("[PRODUCTION]")
	x.see("now on beta, disarmed; :profile alpha goes back")
	x.gone("job-a")
	peers.WaitFor(t, 10*time.Second, "the session at the first to be closed", func() bool { return sessions(a) == "1" })
	x.press(":profile alpha\r")
	x.see("job-a holds")
	x.gone("PRODUCTION")
	peers.WaitFor(t, 10*time.Second, "the session at the second to be closed", func() bool { return sessions(b) == "1" })
	x.press("q")
	if code := x.ends(); code != 0 {
		t.Errorf("exit %d: %s", code, x.text())
	}
	x.restored()
	for _, seq := range []string{"\x1b[?1049h", "\x1b[?1049l"} {
		if n := strings.Count(x.bytes(), seq); n != 1 {
			t.Errorf("%q was sent %d times", seq, n)
		}
	}
	for name, s := range map[string]*zkserver.Server{"a": a, "b": b} {
		auths := 0
		for _, q := range s.Requests() {
			if q.Op == wire.OpAuth {
				auths++
			}
		}
		if (auths > 0) != (name == "b") {
			t.Errorf("the credential was sent %d times to %s", auths, name)
		}
	}
}

// A signal while a program is asked for the credentials of another ensemble ends the console as always: its terminal is given
// back, and nobody waits for that program.
func TestASignalWhileAnotherEnsembleIsPrepared(t *testing.T) {
	t.Parallel()
	_, addr := site(t, "a")
	dir := t.TempDir()
	file, began := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "began")
	text := fmt.Sprintf("profiles:\n  alpha: {servers: %q}\n  slow: {servers: %q, auth-command: [sh, -c, 'echo x >&2; touch %s; exec sleep 20']}\n", addr, addr, began)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x := openTerminal(t, 100, 30, nil, "--config", file, "--profile", "alpha")
	x.see("job-a holds")
	x.press(":profile slow\r")
	x.see("Connecting to slow")
	peers.WaitFor(t, 10*time.Second, "the program to run", func() bool { _, err := os.Stat(began); return err == nil })
	_ = x.cmd.Process.Signal(syscall.SIGTERM)
	if code := x.ends(); code != 1 || !strings.Contains(x.bytes(), "ended by a signal") {
		t.Errorf("exit %d: %q", code, x.bytes())
	}
	x.restored()
}
