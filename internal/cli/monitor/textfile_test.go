package monitor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	promodel "github.com/prometheus/common/model"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// readsPage is a file that has to be a page of metrics, and the only one in its directory.
func readsPage(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(promodel.LegacyValidation)
	if _, err := parser.TextToMetricFamilies(strings.NewReader(string(b))); err != nil {
		t.Errorf("%v in\n%s", err, b)
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the page: %v, %v", left, err)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	return string(b)
}

// holds reports what is not in a page.
func holds(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !strings.Contains("\n"+page, "\n"+l) {
			t.Errorf("no %s in\n%s", l, page)
		}
	}
}

// check leaves a page for node_exporter: what it saw, and that it saw nothing where the servers do not answer. Its exit code and
// what it prints stay what they are.
func TestCheckWritesAPageOfMetrics(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := filepath.Join(t.TempDir(), "zkscope.prom")
	limits := clitest.Written(t, "limits.yaml", "thresholds:\n- {kind: lock, waiting: 0, severity: high}\n")
	code, out, errs := s.Run("", "check", s.Addr, "--prometheus", file, "--thresholds", limits)
	if code != world.ExitFindings || !strings.Contains(out, "over-threshold") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	page, of := readsPage(t, file), `ensemble="`+s.Addr+`"`
	holds(t, page, `zkscope_up{`+of+`} 1`, `zkscope_findings{code="over-threshold",`+of+`,severity="high"} 2`, `zkscope_check_time_seconds{`+of+`} `,
		`zkscope_recipes{`+of+`,kind="lock",state="held"} 2`, `zkscope_recipe_waiting{`+of+`,kind="lock",path="/locks/a"} 1`)
	if strings.Contains(page, "_total") || strings.Contains(page, "picture_age") {
		t.Errorf("one look counts nothing over time:\n%s", page)
	}
	if _, _, errs := s.Run("", "check", s.Addr, "--prometheus", file, "--thresholds", limits, "--ignore", "over-threshold"); errs != "" || strings.Contains(readsPage(t, file), "over-threshold") {
		t.Errorf("what is ignored is told: %s", errs)
	}
	s.Fails(world.ExitConnect, "127.0.0.1:1", "check", "127.0.0.1:1", "--prometheus", file, "--timeout", "1s")
	page = readsPage(t, file)
	holds(t, page, `zkscope_up{ensemble="127.0.0.1:1"} 0`, `zkscope_check_time_seconds{ensemble="127.0.0.1:1"} `)
	if strings.Contains(page, "zkscope_recipes") || strings.Contains(page, "zkscope_servers") {
		t.Errorf("what was not read is told as none:\n%s", page)
	}
	s.Fails(world.ExitError, "--prometheus: open /nowhere/", "check", s.Addr, "--prometheus", "/nowhere/x.prom")
	if code, out, _ := s.Run("", "check", s.Addr, "--prometheus", "/nowhere/x.prom", "-o", "nagios"); code != monitor.NagiosUnknown || !strings.HasPrefix(out, "ZKSCOPE UNKNOWN: --prometheus: ") {
		t.Errorf("nagios: exit %d %s", code, out)
	}
	s.Fails(world.ExitUsage, "does not go with --from", "check", "--from", "x", "--prometheus", file)
}

// One page holds several ensembles, those that could not be read too.
func TestCheckWritesOnePageOfAllProfiles(t *testing.T) {
	a, _, file := clitest.Fleet(t, cli.Run)
	prom := filepath.Join(t.TempDir(), "all.prom")
	code, _, errs := a.Run("", "check", "--all-profiles", "--config", file, "--timeout", "2s", "--session-timeout", "2s", "--prometheus", prom)
	if code != world.ExitConnect || !strings.Contains(errs, "mute: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	holds(t, readsPage(t, prom), `zkscope_up{ensemble="a"} 1`, `zkscope_up{ensemble="b"} 1`, `zkscope_up{ensemble="mute"} 0`,
		`zkscope_recipes{ensemble="a",kind="lock",state="held"} 1`, `zkscope_recipes{ensemble="b",kind="lock",state="held"} 1`)
}

// Prometheus' own tool takes such a page.
func TestPromtoolTakesTheFile(t *testing.T) {
	peers.Require(t, peers.NeedPrometheus)
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := filepath.Join(t.TempDir(), "zkscope.prom")
	s.Run("", "check", s.Addr, "--prometheus", file)
	clitest.Promtool(t, readsPage(t, file), "check", "metrics")
}
