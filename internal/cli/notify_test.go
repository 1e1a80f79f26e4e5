package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A finding that begins is posted once, and its end as well; the webhook's URL comes from a file and is in nothing that is
// printed.
func TestNotifyTellsOfBeginningAndEnd(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	s.create("/locks", "", 0)
	s.create("/locks/a", "", 0)
	var mu sync.Mutex
	got := ""
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got += string(b) + "\n"
	}))
	defer hook.Close()
	file := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(file, []byte(hook.URL+"/T0K3N\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startProcess(t, "notify", s.addr, "--webhook-file", file, "--for", "0s", "--least", "low", "--admin", "off")
	peers.WaitFor(t, 20*time.Second, "it watches", func() bool { return strings.Contains(p.printed(), "watching") })
	s.create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-", "web-1", 3)
	twice := s.create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000002-lock-", "web-1", 3)
	sees := func(what string) {
		t.Helper()
		peers.WaitFor(t, 20*time.Second, what, func() bool { mu.Lock(); defer mu.Unlock(); return strings.Contains(got, what) })
	}
	sees("on /locks/a")
	if err := s.client.Delete(t.Context(), twice, -1); err != nil {
		t.Fatal(err)
	}
	sees("ended after")
	p.end(t)
	mu.Lock()
	defer mu.Unlock()
	if strings.Count(got, "ended after") != 1 || strings.Contains(p.printed(), "T0K3N") {
		t.Errorf("posted %s\nprinted %s", got, p.printed())
	}
}

func TestNotifyIsToldWhereTo(t *testing.T) {
	s := newShell(t, zkserver.Options{})
	open := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(open, []byte("http://127.0.0.1:1/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.fails(world.ExitUsage, "where to? give the URL", "notify", s.addr)
	s.fails(world.ExitUsage, "--webhook-file: ", "notify", s.addr, "--webhook-file", open)
	s.fails(world.ExitUsage, "--format pigeon", "notify", s.addr, "--webhook", "http://127.0.0.1:1/", "--format", "pigeon")
	s.fails(world.ExitUsage, "--least grave", "notify", s.addr, "--webhook", "http://127.0.0.1:1/", "--least", "grave")
	s.fails(world.ExitConnect, "127.0.0.1:1", "notify", "127.0.0.1:1", "--webhook", "http://127.0.0.1:1/", "--timeout", "1s")
}

// running is zkscope as a process of its own that goes on until it is ended.
type running struct {
	cmd *exec.Cmd
	mu  sync.Mutex
	out strings.Builder
}

func (p *running) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *running) printed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

func startProcess(t *testing.T, args ...string) *running {
	t.Helper()
	list, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	p := &running{cmd: exec.Command(os.Args[0], "-test.run=^TestBeZkscope$")}
	p.cmd.Env = append(os.Environ(), beVar+"="+string(list), "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	p.cmd.Stdout, p.cmd.Stderr = p, p
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait() })
	return p
}

// end ends it as an operator would, and fails unless it ends well.
func (p *running) end(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v: %s", err, p.printed())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}
