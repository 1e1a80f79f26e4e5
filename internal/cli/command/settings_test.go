package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/world"
)

func TestProfilesNameServers(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "zkscope"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "zkscope", "config.yaml")
	run := func(text string, args ...string) (int, string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs strings.Builder
		w := world.World{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, Getenv: func(k string) string {
			return map[string]string{"XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home}[k]
		}}
		return cli.Run(args, w), out.String() + errs.String()
	}
	const two = "profile: off\nprofiles:\n  off: {servers: 'h:0'}\n  prod: {servers: 'h:1', production: true, read-only: true}\n"
	for _, c := range []struct {
		text string
		args []string
		code int
		want string
	}{
		{two, []string{"ls", "--timeout", "1s"}, world.ExitUsage, "h:0"},
		{two, []string{"ls", "--profile", "nope"}, world.ExitUsage, "there is no profile nope; there are off, prod"},
		{two, []string{"ls", "--profile", "prod", "--servers", "x:1"}, world.ExitUsage, "--servers does not go with it"},
		{two, []string{"break", "/l/x", "--profile", "prod"}, world.ExitRefused, "read-only"},
		{"profils: {}\n", []string{"ls"}, world.ExitUsage, "config.yaml:1: there is no key profils here"},
	} {
		if code, got := run(c.text, c.args...); code != c.code || !strings.Contains(got, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, got)
		}
	}
}
