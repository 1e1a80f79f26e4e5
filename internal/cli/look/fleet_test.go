package look_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Every profile is asked at the same time: what one says is told with its name, and one that is silent holds up no other for
// longer than its own time.
func TestAllProfilesAreAskedAtOnce(t *testing.T) {
	a, _, file := clitest.Fleet(t, cli.Run)
	begin := time.Now()
	code, out, errs := a.Run("", "ls", "--all-profiles", "--config", file, "--timeout", "2s", "--session-timeout", "2s")
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	if code != world.ExitConnect || !strings.Contains(errs, "mute: ") || !strings.Contains(errs, "1 of 3 ensembles could not be read") {
		t.Errorf("exit %d: %s", code, errs)
	}
	for _, want := range []string{"ENSEMBLE", "a         lock", "b         lock", "/locks/of0", "/locks/of1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	code, out, _ = a.Run("", "ls", "--all-profiles", "--config", file, "--timeout", "2s", "--session-timeout", "2s", "-o", "name")
	if code != world.ExitConnect || out != "a:/locks/of0\nb:/locks/of1\n" {
		t.Errorf("exit %d: %q", code, out)
	}
}

// In JSON every recipe and every finding says of which ensemble it is, and the worst of all exit codes counts: what is wrong
// before what was not reached.
func TestWhatIsWrongAnywhere(t *testing.T) {
	a, b, file := clitest.Fleet(t, cli.Run)
	b.Create("/locks/of1/_c_0a1b2c3d-0000-4000-8000-000000000002-lock-", "web-1", 3) // the same session, twice in line
	args := []string{"check", "--all-profiles", "--config", file, "--timeout", "2s", "--session-timeout", "2s", "--fail-on", "low"}
	code, out, errs := a.Run("", append(args, "-o", "json")...)
	if code != world.ExitFindings || !strings.Contains(errs, "mute: ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	var r look.FleetReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Ensembles) != 3 {
		t.Fatalf("%v: %s", err, out)
	}
	for i, want := range []struct {
		name string
		exit int
	}{{"a", world.ExitOK}, {"b", world.ExitFindings}, {"mute", world.ExitConnect}} {
		e := r.Ensembles[i]
		if e.Ensemble != want.name || e.Exit != want.exit || (e.Report == nil) != (e.Error != nil) {
			t.Errorf("%+v, want %+v", e, want)
		}
	}
	if rec := r.Ensembles[1].Report.Recipes; len(rec) != 1 || rec[0].Ensemble != "b" || len(rec[0].Findings) == 0 {
		t.Errorf("%+v", rec)
	}
	if code, out, _ = a.Run("", args...); code != world.ExitFindings || !strings.Contains(out, "ENSEMBLE") || !strings.Contains(out, "/locks/of1") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestWhatDoesNotGoWithAllProfiles(t *testing.T) {
	a, _, file := clitest.Fleet(t, cli.Run)
	for says, more := range map[string][]string{"--all-profiles does not go with --profile": {"--profile", "a"}, "takes the servers from the profiles": {"zk1:2181"},
		"does not go with -o nagios": {"-o", "nagios"}, "there are no profiles in": {"--config", os.DevNull}} {
		args := append([]string{"check", "--all-profiles"}, more...)
		if more[0] != "--config" {
			args = append(args, "--config", file)
		}
		a.Fails(world.ExitUsage, says, args...)
	}
}
