package show_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// parsed are the words of a command line, as a shell takes it apart.
func parsed(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "zkscope() { printf '%s\\000' \"$@\"; }\n"+line).Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// offers are the commands that a text offers.
func offers(text string) (out []string) {
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "zkscope ") {
			out = append(out, l)
		}
	}
	return out
}

// Whatever why and graph offer runs as it stands, through a shell, whatever paths are called, and does what it says.
func TestWhatIsOfferedRuns(t *testing.T) {
	for name, c := range map[string]struct{ path, claim string }{
		"plain": {"/locks/l", "job-1"},
		"odd":   {"/locks/it's $HOME `a` \"b\" \\c %d\u202e\u200b", "x"},
		"space": {"/locks/a b", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			s := clitest.New(t, cli.Run, zkserver.Options{})
			s.Create("/locks", "", 0)
			s.Create(c.path, "", 0)
			head := s.Create(c.path+"/0123456789abcdef0123456789abcdef__lock__", c.claim, wire.FlagSequence)
			s.Create(c.path+"/1123456789abcdef0123456789abcdef__lock__", "next", wire.FlagEphemeralSequence)
			s.Watch(head)
			_, out, errs := s.Run("", "why", c.path, s.Addr, "--session-timeout", "5s", "--hint", c.path+"=lock")
			lines := offers(out)
			if len(lines) != 1 || !strings.Contains(lines[0], "--session-timeout 5s --hint ") {
				t.Fatalf("%s%s", out, errs)
			}
			if code, out, errs := s.Run("", append(parsed(t, lines[0]), "--yes")...); code != world.ExitOK {
				t.Errorf("%s: exit %d: %s%s", lines[0], code, out, errs)
			}
			if _, there := s.Server.Node(head); there {
				t.Errorf("%s did not break it", lines[0])
			}
		})
	}
}

// A transaction's vote, and its end, run as they are printed.
func TestVotesThatAreOfferedRun(t *testing.T) {
	for i, vote := range []string{"commit", "abort"} {
		s := clitest.New(t, cli.Run, zkserver.Options{})
		s.Create("/tx", "", 0)
		s.Create("/tx/s_1", "commit", 0)
		site := s.Create("/tx/s_2", "", 0)
		_, out, _ := s.Run("", "why", "/tx", s.Addr)
		lines := offers(out)
		if len(lines) != 2 {
			t.Fatal(out)
		}
		n, _ := s.Server.Node(site)
		args := append(parsed(t, lines[i]), "--yes")
		if vote == "abort" {
			args = append(args, "--czxid", clitest.Itoa(n.Stat.Czxid))
		}
		if code, out, errs := s.Run("", args...); code != world.ExitOK {
			t.Errorf("%s: exit %d: %s%s", lines[i], code, out, errs)
		}
		if n, _ := s.Server.Node(site); string(n.Data) != vote {
			t.Errorf("%s wrote %q", lines[i], n.Data)
		}
	}
}

// What a profile says of servers is said again by its name, whether it was given or is the file's own.
func TestOffersKeepTheProfile(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/barriers", "", 0)
	s.Watch(s.Create("/barriers/release", "", 0))
	file := filepath.Join(t.TempDir(), "it's config.yaml")
	if err := os.WriteFile(file, []byte("profile: prod\nprofiles:\n  prod:\n    servers: "+s.Addr+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--config", file}, {"--config", file, "--profile", "prod"}} {
		_, out, errs := s.Run("", append([]string{"why", "/barriers/release", "-o", "json"}, args...)...)
		if !strings.Contains(out, "zkscope open /barriers/release --profile prod --config '") {
			t.Errorf("%v: %s%s", args, out, errs)
		}
	}
}
