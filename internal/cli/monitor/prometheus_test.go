package monitor_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// dashboard is what we look at of a dashboard of Grafana.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

// A real Prometheus takes the page and the rules, and every query of the dashboard finds something in them that is there.
func TestPrometheusTakesPageRulesAndDashboard(t *testing.T) {
	peers.Require(t, peers.NeedPrometheus)
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/locks", "", 0)
	s.Create("/locks/a", "", 0)
	s.Create("/queues", "", 0)
	s.Create("/queues/mail", "", 0)
	s.Create("/queues/mail/queue-", "job", 2)
	scrape := exporting(t, s, "")
	s.Create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-", "web-1", 3)
	s.Create("/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000002-lock-", "web-1", 3)
	peers.WaitFor(t, 10*time.Second, "the exporter sees the second claim", func() bool {
		_, page := scrape("/metrics")
		return strings.Contains(page, `zkscope_recipe_waiting{kind="lock",path="/locks/a"} 1`)
	})
	s.Create("/locks/b", "", 0)
	s.Create("/locks/b/_c_0a1b2c3d-0000-4000-8000-000000000003-lock-", "web-2", 3)
	_, page := scrape("/metrics")
	clitest.Promtool(t, page, "check", "metrics")
	rules, err := filepath.Abs("../../../examples/prometheus/rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	clitest.Promtool(t, "", "check", "rules", rules)
	ask := startPrometheus(t, rules, scrape)
	ask.until(t, "zkscope_up == 1")
	ask.until(t, `zkscope_events_total{event="acquired"}`)
	b, err := os.ReadFile("../../../examples/grafana/zkscope.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(b, &d); err != nil || len(d.Panels) < 10 {
		t.Fatalf("%v, %d panels", err, len(d.Panels))
	}
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			expr := strings.NewReplacer("$instance", ".*").Replace(q.Expr)
			n, err := ask.query(expr)
			if err != nil || n == 0 && !strings.Contains(expr, "rate(") { // a rate wants two scrapes with a change between
				t.Errorf("%s: %s: %d series, %v", p.Title, expr, n, err)
			}
		}
	}
}

// asking asks a Prometheus.
type asking string

// query counts the series that an expression gives.
func (a asking) query(expr string) (int, error) {
	r, err := http.Get(string(a) + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	var out struct {
		Status, Error string
		Data          struct{ Result []json.RawMessage }
	}
	if err := json.NewDecoder(r.Body).Decode(&out); err != nil {
		return 0, err
	}
	if out.Status != "success" {
		return 0, fmt.Errorf("%s", out.Error)
	}
	return len(out.Data.Result), nil
}

func (a asking) until(t *testing.T, expr string) {
	t.Helper()
	peers.WaitFor(t, 30*time.Second, expr, func() bool { n, err := a.query(expr); return err == nil && n > 0 })
}

// startPrometheus starts one that scrapes a page each second, and ends with the test.
func startPrometheus(t *testing.T, rules string, scrape func(string) (int, string)) asking {
	t.Helper()
	relay := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, page := scrape("/metrics")
		_, _ = io.WriteString(w, page)
	})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = relay.Serve(l) }()
	t.Cleanup(func() { relay.Close() })
	dir := t.TempDir()
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\nscrape_configs:\n- job_name: zkscope\n  static_configs: [{targets: [%q]}]\n", rules, l.Addr())
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", peers.FreePort(t))
	peers.Start(t, dir, nil, "prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr, "--log.level=error")
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return asking("http://" + addr)
}
