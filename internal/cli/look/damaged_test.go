package look_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// sampleDir copies files of a sample of a server's directory; a name without a file behind it is written with the text.
func sampleDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		body := []byte(from)
		if rest, ok := strings.CutPrefix(from, "copy "); ok {
			var err error
			if body, err = os.ReadFile(filepath.Join(clitest.Samples, rest)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A directory of which nothing can be read is an error that names each file, whatever is asked for: it is no empty ensemble.
func TestADirectoryThatCannotBeReadIsNoEmptyEnsemble(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	for name, x := range map[string]struct {
		files map[string]string
		says  []string
	}{
		"an empty log":                          {map[string]string{"log.1": ""}, []string{"log.1 is empty (0 bytes)"}},
		"a log's header":                        {map[string]string{"log.1": "ZKLG\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00"}, []string{"log.1 holds no transaction"}},
		"an empty log after the first snapshot": {map[string]string{"log.1": "", "snapshot.0": "copy contention/snapshot.0"}, []string{"log.1 is empty (0 bytes)"}},
		"a garbage snapshot":                    {map[string]string{"snapshot.ff": strings.Repeat("garbage ", 9)}, []string{"snapshot.ff: at offset 0: this is not a snapshot"}},
		"an empty snapshot": {map[string]string{"snapshot.ff": "", "snapshot.fe.gz": "", "snapshot.fd.snappy": ""},
			[]string{"snapshot.ff: at offset 0: it is empty", "snapshot.fe.gz: at offset 0", "snapshot.fd.snappy: at offset 0"}},
		"all of it": {map[string]string{"log.1": "", "log.2": "no log at all, whatever its name", "snapshot.ff": "garbage, and not even much of it"},
			[]string{"log.1 is empty (0 bytes)", "log.2: at offset 0: this is not a transaction log", "snapshot.ff: at offset 0: this is not a snapshot"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := sampleDir(t, x.files)
			for _, args := range [][]string{{"ls"}, {"check"}, {"show", "/locks/a"}, {"history", "/locks/a"}, {"sessions"}, {"snapshot"}} {
				code, out, errs := s.Run("", append(args, "--from", dir)...)
				if code != world.ExitError || out != "" || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "1970-01-01") {
					t.Errorf("%v: exit %d\n%s%s", args, code, out, errs)
				}
				for _, w := range x.says {
					if !strings.Contains(errs, filepath.Join(dir, "")+"/"+w) {
						t.Errorf("%v does not say %q:\n%s", args, w, errs)
					}
				}
			}
		})
	}
}

// A server to which nobody wrote yet has a snapshot of that, and no log: no recipe is there.
func TestAServerToWhichNobodyWroteIsEmpty(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	code, out, errs := s.Run("", "ls", "--from", sampleDir(t, map[string]string{"snapshot.0": "copy contention/snapshot.0"}))
	if code != world.ExitOK || strings.Contains(out+errs, "1970-01-01") || !strings.Contains(out, "no recipe found") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// What is damaged beside what is whole is told, and what it leaves open is not taken for nothing.
func TestDamageBesideWhatIsWholeIsTold(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	snap, err := os.ReadFile(clitest.Samples + "contention/snapshot.0")
	if err != nil {
		t.Fatal(err)
	}
	half := string(snap[:len(snap)/2])
	whole := map[string]string{"log.1": "copy contention/log.1", "snapshot.0": "copy contention/snapshot.0"}
	late := map[string]string{"snapshot.0": "copy contention/snapshot.0", "log.1": "", "log.5a": "copy expiry/log.5a", "log.74": "copy expiry/log.74"}
	with := func(name, text string) map[string]string {
		out := map[string]string{name: text}
		for k, v := range whole {
			if out[k] == "" {
				out[k] = v
			}
		}
		return out
	}
	for name, x := range map[string]struct {
		files map[string]string
		args  string
		code  int
		says  []string
	}{
		"a halved snapshot that nobody needs": {with("snapshot.5", half), "ls", world.ExitOK, []string{"/locks/orders", "snapshot.5: at offset", "the snapshot ends in the middle"}},
		"a halved snapshot to begin with":     {with("snapshot.0", half), "ls", world.ExitOK, []string{"/locks/orders", "snapshot.0: at offset", "the snapshot ends in the middle"}},
		"an empty log":                        {with("log.ffff", ""), "ls", world.ExitOK, []string{"/locks/orders", "log.ffff is empty (0 bytes)"}},
		"an empty log before others":          {late, "ls", world.ExitOK, []string{"log.1 is empty (0 bytes)", "nothing is known from 0x0", "89 transactions are missing"}},
		"and what is not there":               {late, "show /locks/orders", world.ExitError, []string{"89 transactions are missing"}},
		"and what was not there":              {late, "history /locks/orders", world.ExitError, []string{"is not known: 89 transactions are missing"}},
		"what never was":                      {whole, "history /locks/none", world.ExitNotFound, []string{"no recipe stood at /locks/none"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := s.Run("", append(strings.Fields(x.args), "--from", sampleDir(t, x.files))...)
			for _, w := range x.says {
				if !strings.Contains(out+errs, w) {
					t.Errorf("it does not say %q", w)
				}
			}
			if code != x.code {
				t.Errorf("exit %d", code)
			}
			if t.Failed() {
				t.Logf("%s%s", out, errs)
			}
		})
	}
}
