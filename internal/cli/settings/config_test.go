package settings_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/settings"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// configured runs a command with a configuration file of its own home, and further variables.
func configured(t *testing.T, text string, env map[string]string, args ...string) (out, errs string, code int, file string) {
	t.Helper()
	home := t.TempDir()
	file = filepath.Join(home, "zkscope", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if text != "" {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var o, e strings.Builder
	w := world.World{In: strings.NewReader(""), Out: &o, Err: &e, Now: time.Now, Getenv: func(k string) string {
		if strings.HasPrefix(k, "XDG_") {
			return home
		}
		return env[k]
	}}
	code = cli.Run(args, w)
	return o.String(), e.String(), code, file
}

func TestEverySettingIsToldWithItsOrigin(t *testing.T) {
	type told struct {
		Found    bool
		File     string
		Profile  string
		Settings []settings.Setting
	}
	ask := func(env map[string]string, args ...string) (told, map[string]settings.Setting) {
		t.Helper()
		out, errs, code, file := configured(t, clitest.Settings, env, append([]string{"config", "-o", "json"}, args...)...)
		if code != world.ExitOK || errs != "" {
			t.Fatalf("%v: exit %d %s", args, code, errs)
		}
		var got told
		if err := json.Unmarshal([]byte(strings.ReplaceAll(out, file, "FILE")), &got); err != nil {
			t.Fatal(err)
		}
		by := map[string]settings.Setting{}
		for _, s := range got.Settings {
			by[s.Key] = s
		}
		return got, by
	}
	for _, c := range []struct {
		args string
		env  map[string]string
		want []settings.Setting
	}{
		{"", nil, []settings.Setting{
			{Key: "servers", Value: "zk1:2181,zk2:2181/prod", Origin: "file", Place: "FILE:9"}, {Key: "read-only", Value: "true", Origin: "file", Place: "FILE:11"}, {Key: "production", Value: "true", Origin: "file", Place: "FILE:10"},
			{Key: "require-reason", Value: "false", Origin: "default", Place: ""}, {Key: "auth-command", Value: "/bin/false --secret", Origin: "file", Place: "FILE:12"}, {Key: "auth-file", Value: "/nowhere/secret", Origin: "file", Place: "FILE:13"},
			{Key: "tls-min", Value: "1.3", Origin: "file", Place: "FILE:14"}, {Key: "theme", Value: "light", Origin: "file", Place: "FILE:2"}, {Key: "mouse", Value: "true", Origin: "file", Place: "FILE:3"}, {Key: "ascii", Value: "false", Origin: "default", Place: ""},
			{Key: "hint", Value: "/app/*=lock", Origin: "file", Place: "FILE:5"}, {Key: "keys.quit", Value: "Q", Origin: "file", Place: "FILE:6"}, {Key: "timeout", Value: "10s", Origin: "default", Place: ""}, {Key: "root", Value: "/", Origin: "default", Place: ""}}},
		{"--profile prod --tls-min 1.2 --theme dark --root /x --hint /q=queue --mouse=false", nil, []settings.Setting{
			{Key: "tls-min", Value: "1.2", Origin: "flag", Place: "--tls-min"}, {Key: "theme", Value: "dark", Origin: "flag", Place: "--theme"}, {Key: "root", Value: "/x", Origin: "flag", Place: "--root"}, {Key: "mouse", Value: "true", Origin: "file", Place: "FILE:3"}}},
		{"--profile test", nil, []settings.Setting{{Key: "servers", Value: "t:2181", Origin: "file", Place: "FILE:15"}, {Key: "read-only", Value: "false", Origin: "default", Place: ""}, {Key: "auth-file", Value: "", Origin: "default", Place: ""}, {Key: "tls-min", Value: "1.2", Origin: "default", Place: ""}}},
		{"--servers h:1 --read-only", nil, []settings.Setting{{Key: "servers", Value: "h:1", Origin: "flag", Place: "--servers"}, {Key: "read-only", Value: "true", Origin: "flag", Place: "--read-only"}, {Key: "tls-min", Value: "1.2", Origin: "default", Place: ""}}},
		{"", map[string]string{"ZKSCOPE_SERVERS": "e:1", "ZKSCOPE_AUTH": "digest:me:hush"}, []settings.Setting{
			{Key: "servers", Value: "e:1", Origin: "environment", Place: "$ZKSCOPE_SERVERS"}, {Key: "credentials", Value: "set", Origin: "environment", Place: "$ZKSCOPE_AUTH"}}},
	} {
		got, by := ask(c.env, strings.Fields(c.args)...)
		if !got.Found || got.File != "FILE" {
			t.Errorf("%+v", got)
		}
		for _, want := range c.want {
			if by[want.Key] != want {
				t.Errorf("%s: %+v, want %+v", c.args, by[want.Key], want)
			}
		}
		for _, s := range got.Settings {
			if strings.Contains(s.Value, "hush") {
				t.Errorf("a credential is printed: %+v", s)
			}
		}
		if _, tells := by["production"]; tells != (got.Profile != "") {
			t.Errorf("%s: profile %q, and production is told: %v", c.args, got.Profile, tells)
		}
	}
	out, _, code, file := configured(t, "", nil, "config")
	if code != world.ExitOK || !strings.Contains(out, file+", which is not there\n") || !strings.Contains(out, "servers            127.0.0.1:2181") {
		t.Errorf("without a file: exit %d\n%s", code, out)
	}
}

// All flags that a profile or the file may set are told.
func TestNoSettingIsForgotten(t *testing.T) {
	known := map[string]bool{"hint": true}
	for _, name := range settings.Settled {
		known[name] = true
		if cli.Tree().PersistentFlags().Lookup(name) == nil {
			t.Errorf("there is no flag %s", name)
		}
	}
	of := map[string]bool{"profile": true, "config": true, "from": true, "log-dir": true, "at": true, "output": true, "auth": true, "ask-password": true, "hidden": true} // of one call
	for f := range flagsOf(cli.Tree().PersistentFlags()) {
		if !known[f] && !of[f] {
			t.Errorf("--%s is in no setting", f)
		}
	}
}

func TestConfigCheck(t *testing.T) {
	for _, c := range []struct {
		text string
		code int
		want string
	}{
		{clitest.Settings, world.ExitFindings, "FILE:13: auth-file: stat /nowhere/secret: no such file or directory\n"},
		{"theme: light\n", world.ExitOK, "FILE: nothing is wrong\n"},
		{"them: light\nmouse: 3\n", world.ExitFindings, "FILE:1: there is no key them here; there are ascii, commands, expected, hidden, hints, keys, local-history, mouse, names, profile, profiles, theme, thresholds\nFILE:2: mouse takes true or false\n"},
		{"theme: pink\nhints: ['/a=lock', '/b=lok']\nkeys:\n  quit: [Q]\n  qiut: [x]\n  pause: []\nprofiles:\n  p:\n    servers: h:0\n    root: x\n    map: {a: b}\n    tls-min: \"1.1\"\n    auth-command: [/no/program]\n",
			world.ExitFindings, "FILE:1: theme pink: there are auto, safe and dark, light, mono, contrast, safe-dark, safe-light\nFILE:2: hint /b=lok: "},
	} {
		out, errs, code, file := configured(t, c.text, nil, "config", "check")
		if out = strings.ReplaceAll(out, file, "FILE"); code != c.code || !strings.HasPrefix(out, c.want) || errs != "" {
			t.Errorf("%q: exit %d\n%s%s", c.text, code, out, errs)
		}
		if strings.HasPrefix(c.text, "theme: pink") {
			for _, want := range []string{"FILE:5: keys: nothing is called qiut", "FILE:6: keys: pause has no key", "FILE:9: servers: ", "FILE:10: root: ", "FILE:11: map: ", "FILE:12: tls-min: ", "FILE:13: auth-command: "} {
				if !strings.Contains(out, want) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
		}
	}
	out, _, code, _ := configured(t, "a: 1\n", nil, "config", "check", "-o", "json")
	if code != world.ExitFindings || !json.Valid([]byte(out)) || !strings.Contains(out, `"line": 1`) {
		t.Errorf("exit %d %s", code, out)
	}
	if _, errs, code, _ := configured(t, "", nil, "config", "check", "/no/such.yaml"); code != world.ExitUsage || !strings.Contains(errs, "/no/such.yaml") {
		t.Errorf("exit %d %s", code, errs)
	}
	if _, errs, code, _ := configured(t, "a: 1\nb: 2\n", nil, "ls"); code != world.ExitUsage || !strings.Contains(errs, "config.yaml:1: there is no key a here") || !strings.Contains(errs, "1 more: zkscope config check lists all") {
		t.Errorf("exit %d %s", code, errs)
	}
}

func TestConfigProfiles(t *testing.T) {
	out, errs, code, file := configured(t, clitest.Settings, nil, "config", "profiles")
	want := "PROFILE  SERVERS                 MARKS                         FROM\n" +
		"prod     zk1:2181,zk2:2181/prod  default,production,read-only  FILE:8\ntest     t:2181                  -                             FILE:15\n"
	if out = strings.ReplaceAll(out, file, "FILE"); code != world.ExitOK || out != want {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	if out, _, _, file := configured(t, "", nil, "config", "profiles"); out != "no profile is in "+file+"\n" {
		t.Error(out)
	}
	if out, _, _, _ := configured(t, "", nil, "config", "profiles", "-o", "json"); !strings.Contains(out, `"profiles": []`) {
		t.Error(out)
	}
}

// flagsOf are the names of a set's flags.
func flagsOf(set *pflag.FlagSet) map[string]bool {
	out := map[string]bool{}
	set.VisitAll(func(f *pflag.Flag) { out[f.Name] = true })
	return out
}
