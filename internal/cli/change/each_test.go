package change_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// plansOf reads the lines of JSON that a change printed.
func plansOf(t *testing.T, out string) (plans []change.PlanReport) {
	t.Helper()
	for line := range strings.Lines(out) {
		var p change.PlanReport
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		plans = append(plans, p)
	}
	return plans
}

// A dry run as JSON is the plan, with the pin that doing it takes.
func TestAPlanIsPrintedAsJSON(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	code, out, errs := s.Run("", "break", s.Addr, kazoo, "--dry-run", "-o", "json")
	plans := plansOf(t, out)
	n, there := s.Server.Node(kazoo)
	if code != 0 || errs != "" || len(plans) != 1 || plans[0].Outcome != "dry-run" || plans[0].Path != kazoo || !there {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if p := plans[0].Plan; p.Czxid != n.Stat.Czxid || p.Recipe != "/locks/a" || p.Owner != "job-1" || !strings.Contains(strings.Join(p.Then, "\n"), "job-2 will hold") || p.Does != "delete "+kazoo+" if version is 0" {
		t.Errorf("%+v", p)
	}
	code, out, errs = s.Run("", "break", s.Addr, kazoo, "-o", "json", "--yes", "--czxid", clitest.Itoa(n.Stat.Czxid), "--wait", "20s")
	if plans = plansOf(t, out); code != 0 || len(plans) != 1 || plans[0].Outcome != "done" || !strings.HasPrefix(plans[0].Text, "broke the claim of job-1") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = s.Run("", "break", s.Addr, kazoo, "-o", "json", "--yes", "--czxid", clitest.Itoa(n.Stat.Czxid))
	if plans = plansOf(t, out); code != world.ExitNotFound || len(plans) != 1 || plans[0].Outcome != "refused" || plans[0].Plan != nil || !strings.Contains(errs, plans[0].Text) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// Each claim of a list is done with its own guards, and one that cannot be done keeps none of the others.
func TestClaimsFromStandardInput(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/jobs", "", 0)
	var paths []string
	list := ""
	for i := range 4 {
		paths = append(paths, s.Create("/jobs/job "+clitest.Itoa(int64(i))+"-lock-", fmt.Sprintf("w-%d", i), wire.FlagEphemeralSequence))
		n, _ := s.Server.Node(paths[i])
		list += paths[i] + "\t" + clitest.Itoa(n.Stat.Czxid+say0(i == 2)) + "\n" // the third is another claim by now
	}
	hint := []string{"--hint", "/jobs=lock"}
	code, out, errs := s.Run(list, append([]string{"break", s.Addr, "-", "--dry-run", "-o", "json"}, hint...)...)
	if plans := plansOf(t, out); code != world.ExitRefused || len(plans) != 4 || plans[0].Outcome != "dry-run" || plans[2].Outcome != "refused" {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	s.Fails(world.ExitRefused, "give --yes", "break", s.Addr, "-")
	code, out, errs = s.Run(list, append([]string{"break", s.Addr, "-", "--yes"}, hint...)...)
	if code != world.ExitRefused || strings.Count(out, "broke the claim of") != 3 || strings.Count(out, "not done: ") != 1 || !strings.Contains(errs, "1 of 4 were not done") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	for i, p := range paths {
		if _, there := s.Server.Node(p); there != (i == 2) {
			t.Errorf("%s is there: %v", p, there)
		}
	}
}

func say0(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// The claims of show are a list; a list with a mistake does nothing at all.
func TestAListIsReadWholeBeforeAnythingIsDone(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	kazoo, _ := s.Contend()
	_, out, _ := s.Run("", "show", s.Addr, "/locks/a", "-o", "json")
	var shown struct {
		Recipes []struct{ Claims []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || len(shown.Recipes) != 1 {
		t.Fatal(err, out)
	}
	line := string(clitest.MustJSON(shown.Recipes[0].Claims[0])) + "\n"
	for says, list := range map[string]string{
		"line 2: locks/x is not a path":           line + "locks/x\n",
		"stands on line 1 already":                line + "\n" + line,
		"line 2: not a path":                      line + "/locks/a\tnone\n",
		"/locks/b has no czxid":                   line + "/locks/b\n",
		"lists no claim":                          "\n",
		"line 1: not a path, a tab and a":         "{}}\n",
		"line 1: {} is not a path: a path begins": "{}\n",
	} {
		code, _, errs := s.Run(list, "break", s.Addr, "-", "--yes")
		if _, there := s.Server.Node(kazoo); code != world.ExitUsage && code != world.ExitRefused || !strings.Contains(errs, says) || !there {
			t.Errorf("%q: exit %d, %s", list, code, errs)
		}
	}
	s.Fails(world.ExitUsage, "takes one path", "set", s.Addr, "-", "--data", "x")
	s.Fails(world.ExitUsage, "each line has its own czxid", "break", s.Addr, "-", "--czxid", "7", "--yes")
	if code, out, errs := s.Run(line, "break", s.Addr, "-", "--yes"); code != 0 || !strings.Contains(out, "broke the claim of job-1") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}
