package show_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// What ls prints, of which kinds, in which order, and in which form, is the caller's to say.
func TestWhatLsPrints(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	s.Create("/locks/b/0a1b2c3d-0000-4000-8000-000000000003-lock-", "batch-3", wire.FlagEphemeralSequence)
	s.Create("/election", "", 0)
	s.Create("/election/0a1b2c3d-0000-4000-8000-000000000001-n_", "web-1", wire.FlagEphemeralSequence)
	for args, want := range map[string]string{
		"--kind lock --columns path,waiting,holder":                      "PATH      WAITING  HOLDER\n/locks/a  1        job-1\n/locks/b  2        batch-1\n",
		"--kind lock --columns path,waiting --sort waiting --no-headers": "/locks/b  2\n/locks/a  1\n",
		"-o name": "/election\n/locks/a\n/locks/b\n",
		"-o csv --columns kind,path,holder --sort kind":            "kind,path,holder\nelection,/election,web-1\nlock,/locks/a,job-1\nlock,/locks/b,batch-1\n",
		"--kind election -o csv --no-headers --columns path,state": "/election,elected\n",
		"--kind queue": "no recipe found below /\n",
	} {
		code, out, errs := s.Run("", append([]string{"ls", s.Addr}, strings.Fields(args)...)...)
		if code != world.ExitOK || errs != "" || out != want {
			t.Errorf("ls %s: exit %d %s\n%q, want\n%q", args, code, errs, out, want)
		}
	}
	if _, out, _ := s.Run("", "ls", s.Addr, "-o", "json", "--kind", "election"); strings.Contains(out, "/locks/a") || !strings.Contains(out, `"/election"`) {
		t.Error(out)
	}
	s.Create("/locks/c", "", 0)
	if err := s.Client.Delete(t.Context(), s.Create("/locks/c/0a1b2c3d-0000-4000-8000-000000000004-lock-", "gone", wire.FlagEphemeralSequence), -1); err != nil {
		t.Fatal(err)
	}
	const left = "1 directory of a lock or an election is empty now and not listed; --all lists it\n"
	for args, want := range map[string]string{
		"--columns path":              "PATH\n/election\n/locks/a\n/locks/b\n" + left,
		"--columns path --kind queue": "no recipe found below /\n",
		"--columns path --kind lock":  "PATH\n/locks/a\n/locks/b\n" + left,
		"--columns path,state --all":  "PATH       STATE\n/election  elected\n/locks/a   held\n/locks/b   held\n/locks/c   empty\n",
		"-o name --all":               "/election\n/locks/a\n/locks/b\n/locks/c\n",
		"-o name":                     "/election\n/locks/a\n/locks/b\n",
	} {
		if code, out, errs := s.Run("", append([]string{"ls", s.Addr}, strings.Fields(args)...)...); code != world.ExitOK || out != want {
			t.Errorf("ls %s: exit %d %s\n%q, want\n%q", args, code, errs, out, want)
		}
	}
	s.Fails(world.ExitUsage, "--all goes with -o table, csv and name", "ls", s.Addr, "--all", "-o", "json")
	s.Fails(world.ExitUsage, "--kind loc: the kinds are ", "ls", s.Addr, "--kind", "loc")
	s.Fails(world.ExitUsage, "--columns holde: there are kind, path, state, summary, findings, dialect, holder, held, waiting, client; did you mean holder?", "ls", s.Addr, "--columns", "holde")
	s.Fails(world.ExitUsage, "--sort age: by path, kind, trouble, waiting or held", "ls", s.Addr, "--sort", "age")
}
