package monitor_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// What is over a limit of a file counts in every form that check prints, with the exit codes of the rest.
func TestCheckHoldsThresholds(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := clitest.Written(t, "limits.yaml", "thresholds:\n- {path: /locks/b, waiting: off, severity: high}\n- kind: lock\n  waiting: 0\n  severity: high\n")
	const says = "1 claim waits: more than 0, the limit of "
	code, out, errs := s.Run("", "check", s.Addr, "--thresholds", file)
	if code != world.ExitFindings || !strings.Contains(out, "over-threshold  /locks/a  "+says+file+":3") || strings.Contains(out, "over-threshold  /locks/b") {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
	code, out, _ = s.Run("", "check", "/locks/b", s.Addr, "--thresholds", file)
	if code != world.ExitOK || strings.Contains(out, "over-threshold") {
		t.Errorf("below a path: exit %d %s", code, out)
	}
	code, out, _ = s.Run("", "check", s.Addr, "--thresholds", file, "-o", "nagios")
	if code != monitor.NagiosCritical || !strings.HasPrefix(out, "ZKSCOPE CRITICAL: 1 high, 0 medium: over-threshold /locks/a: "+says) {
		t.Errorf("nagios: exit %d %s", code, out)
	}
	code, out, _ = s.Run("", "check", s.Addr, "--thresholds", file, "-o", "json")
	var r story.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range look.EveryFinding(&r) {
		if f.Code == model.CodeOverThreshold && f.Severity == "high" {
			n++
		}
	}
	if code != world.ExitFindings || n != 1 {
		t.Errorf("json: exit %d, %d found", code, n)
	}
	if code, out, _ = s.Run("", "check", s.Addr); code != world.ExitOK || strings.Contains(out, "over-threshold") {
		t.Errorf("without limits: exit %d %s", code, out)
	}
}

// Limits of the configuration hold for all, those of a profile where it is in use, before them.
func TestThresholdsOfTheConfiguration(t *testing.T) {
	a, b, file := clitest.Fleet(t, cli.Run)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := "thresholds: [{age: 1ns, kind: election, severity: high}, {age: 1ns, kind: lock, severity: high}]\n"
	config := strings.Replace(head+string(text), `{servers: "`+b.Addr+`"}`, "\n    servers: \""+b.Addr+"\"\n    thresholds: [{path: /locks/**, age: off, severity: high}]", 1)
	file = clitest.Written(t, "config.yaml", config)
	if code, out, errs := a.Run("", "check", "--config", file); code != world.ExitFindings || !strings.Contains(out, "over-threshold") || !strings.Contains(out, file+":1") {
		t.Errorf("profile a: exit %d %s%s", code, out, errs)
	}
	if code, out, errs := b.Run("", "check", "--config", file, "--profile", "b"); code != world.ExitOK || strings.Contains(out, "over-threshold") {
		t.Errorf("profile b: exit %d %s%s", code, out, errs)
	}
	_, out, _ := b.Run("", "config", "--config", file, "--profile", "b")
	if lines := strings.Split(out, "\n"); !strings.Contains(out, "path: /locks/**, age: off, severity: high") || !strings.Contains(out, "kind: lock, age: 1ns, severity: high") {
		t.Errorf("%q", lines)
	}
}

// Whatever a rule says that means nothing is an error with its place; nothing is connected to.
func TestThresholdsThatMeanNothing(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run, Env: map[string]string{"XDG_CONFIG_HOME": t.TempDir()}}
	for text, says := range map[string]string{
		"{hold: 2h, severity: high}":                    ":2: there is no key hold in thresholds.0; there are age, code, depth, held",
		"{held: 2, severity: high}":                     ":2: threshold: held takes a time above zero, as 90s, 2h or 7d, or off",
		"{waiting: many, severity: high}":               ":2: threshold: waiting takes a whole number from 0, or off",
		"{waiting: 1}":                                  ":2: threshold: the severity is one of low, medium, high; with a code also none",
		"{waiting: 1, severity: none}":                  ":2: threshold: the severity is one of low",
		"{kind: lok, held: 1h, severity: low}":          ":2: threshold: the kind is one of ",
		"{severity: low}":                               ":2: threshold: the rule sets no limit: held, waited, waiting, depth or age; or name a code",
		"{code: hurd, severity: low}":                   ":2: threshold: no finding has the code hurd",
		"{code: herd, held: 1h, severity: low}":         ":2: threshold: a rule for a code sets no limits: write two rules",
		"{code: over-threshold, severity: none}":        ":2: threshold: over-threshold has the severity of the rule whose limit is exceeded",
		"{path: '/a/[', held: 1h, severity: low}":       `:2: threshold: "/a/[" is not a glob of a path`,
		"{path: locks, held: 7d, severity: low}":        `:2: threshold: "locks" is not a glob of a path`,
		"{path: /x, held: 7d, severity: low}\n---\n{}":  ":3: more than one YAML document",
		"{path: /x, held: 7d, severity: low}\ntheme: x": ":3: there is no key theme here; there are thresholds",
	} {
		file := clitest.Written(t, "limits.yaml", "thresholds:\n- "+text+"\n")
		s.Fails(world.ExitUsage, file+says, "check", "127.0.0.1:1", "--thresholds", file)
		if strings.Contains(text, "\n") {
			continue
		}
		if code, out, _ := s.Run("", "config", "check", file); code != world.ExitFindings || !strings.Contains(out, file+says) {
			t.Errorf("config check of %q: exit %d %s", text, code, out)
		}
	}
	s.Fails(world.ExitUsage, "--thresholds: open /nowhere: no such file", "check", "127.0.0.1:1", "--thresholds", "/nowhere")
}
