package show_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
)

func TestWhatABuildTellsOfItself(t *testing.T) {
	setting := func(k, v string) debug.BuildSetting { return debug.BuildSetting{Key: k, Value: v} }
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{setting("vcs.revision", "0123456789abcdef"), setting("vcs.time", "2026-11-29T00:00:00Z"), setting("vcs.modified", "true")}}
	b := show.BuildOf(info)
	b.Go, b.OS, b.Arch = "go1.26.8", "linux", "amd64"
	if got, want := b.String(), "zkscope v1.2.3 0123456789ab (modified) 2026-11-29T00:00:00Z go1.26.8 linux/amd64"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, none := range []*debug.BuildInfo{nil, {Main: debug.Module{Version: "(devel)"}}} {
		text, err := json.Marshal(show.BuildOf(none))
		if err != nil || !strings.Contains(string(text), `"version":"devel"`) || strings.Contains(string(text), "revision") || strings.Contains(string(text), "modified") {
			t.Errorf("%s %v", text, err)
		}
	}
}

// Whoever asks for the version or for help, because a configuration is not read, gets it.
func TestVersionAndHelpNeedNoConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(file, []byte("nonsense: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"version", "zkscope "}, {"version -o json", `"schema": 1`}, {"help ls", "Usage:"}, {"completion bash", "__start_zkscope"},
	} {
		var out, errs strings.Builder
		w := world.World{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, Getenv: func(string) string { return "" }}
		if code := cli.Run(append(strings.Fields(c.args), "--config", file), w); code != world.ExitOK || !strings.Contains(out.String(), c.want) || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %s%s", c.args, code, out.String(), errs.String())
		}
	}
}
