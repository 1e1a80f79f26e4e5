package monitor_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	promodel "github.com/prometheus/common/model"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/metrics"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/webgate"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// exporting serves the shell's server until the test ends, and returns a way to scrape.
func exporting(t *testing.T, s *clitest.Shell, web string) (scrape func(path string) (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	src, err := live.Open(ctx, live.Config{Conn: zkc.Config{Servers: []string{s.Addr}, ReadOnly: true}, Admin: []string{"off"}, Now: time.Now,
		Tree: mirror.Options{Root: "/"}}, "test", true)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gate, err := webgate.Open(web)
	if err != nil {
		t.Fatal(err)
	}
	c := &command.Line{World: world.World{Out: io.Discard, Now: time.Now, Getenv: s.Getenv}}
	done := make(chan error, 1)
	go func() { done <- monitor.Serve(ctx, c, src, metrics.New(metrics.Options{Owners: true}), l, gate) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		src.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return func(path string) (int, string) {
		r, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(b)
	}
}

func TestExport(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	scrape := exporting(t, s, "")
	page := ""
	peers.WaitFor(t, 10*time.Second, "a whole page", func() bool {
		_, page = scrape("/metrics")
		return strings.Contains(page, "\nzkscope_up 1\n")
	})
	for _, want := range []string{`zkscope_recipes{kind="lock",state="held"} 2`, `zkscope_recipe_waiting{kind="lock",path="/locks/a"} 1`,
		`zkscope_recipe_holder{kind="lock",owner="job-1",path="/locks/a"} 1`, `zkscope_claims{kind="lock",role="waiter"} 2`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
	parser := expfmt.NewTextParser(promodel.LegacyValidation)
	if _, err := parser.TextToMetricFamilies(strings.NewReader(page)); err != nil {
		t.Error(err)
	}
	s.Server.ForgetRequests()
	for range 50 {
		scrape("/metrics")
	}
	for _, r := range s.Server.Requests() {
		if r.Op != wire.OpPing && r.Op != wire.OpMultiRead && r.Op != wire.OpMulti && r.Op != wire.OpCheckWatches {
			t.Errorf("a scrape costs the ensemble %v", r.Op)
		}
	}
}

// Passwords that the page wants are in a file of the form that exporters take.
func TestExportWithPasswords(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	web := filepath.Join(t.TempDir(), "web.yml")
	if err := os.WriteFile(web, []byte("basic_auth_users:\n  scraper: $2y$10$7EV2jTUfHFjQm9mHKZmd5.qvVYWZr3LIBFwDbLJqPaXWQzEO3vEMO\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	scrape := exporting(t, s, web)
	if code, _ := scrape("/metrics"); code != http.StatusUnauthorized {
		t.Errorf("without a password: %d", code)
	}
}
