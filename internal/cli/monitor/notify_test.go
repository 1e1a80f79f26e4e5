package monitor_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A finding that begins is posted once, and its end as well; the webhook's URL comes from a file and is in nothing that is
// printed.
func TestNotifyTellsOfBeginningAndEnd(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/locks", "", 0)
	s.Create("/locks/a", "", 0)
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
	p := clitest.Start(t, "notify", s.Addr, "--webhook-file", file, "--for", "0s", "--least", "low", "--admin", "off")
	peers.WaitFor(t, 20*time.Second, "it watches", func() bool { return strings.Contains(p.Printed(), "watching") })
	s.Create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-", "web-1", 3)
	twice := s.Create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000002-lock-", "web-1", 3)
	sees := func(what string) {
		t.Helper()
		peers.WaitFor(t, 20*time.Second, what, func() bool { mu.Lock(); defer mu.Unlock(); return strings.Contains(got, what) })
	}
	sees("on /locks/a")
	if err := s.Client.Delete(t.Context(), twice, -1); err != nil {
		t.Fatal(err)
	}
	sees("ended after")
	p.End(t)
	mu.Lock()
	defer mu.Unlock()
	if strings.Count(got, "ended after") != 1 || strings.Contains(p.Printed(), "T0K3N") {
		t.Errorf("posted %s\nprinted %s", got, p.Printed())
	}
}

func TestNotifyIsToldWhereTo(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	open := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(open, []byte("http://127.0.0.1:1/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Fails(world.ExitUsage, "where to? give the URL", "notify", s.Addr)
	s.Fails(world.ExitUsage, "--webhook-file: ", "notify", s.Addr, "--webhook-file", open)
	s.Fails(world.ExitUsage, "--format pigeon", "notify", s.Addr, "--webhook", "http://127.0.0.1:1/", "--format", "pigeon")
	s.Fails(world.ExitUsage, "--least grave", "notify", s.Addr, "--webhook", "http://127.0.0.1:1/", "--least", "grave")
	s.Fails(world.ExitConnect, "127.0.0.1:1", "notify", "127.0.0.1:1", "--webhook", "http://127.0.0.1:1/", "--timeout", "1s")
}
