package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func info() *debug.BuildInfo {
	set := func(k, v string) debug.BuildSetting { return debug.BuildSetting{Key: k, Value: v} }
	return &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/zkscope/zkscope", Version: "v1.2.3+dirty"},
		Deps: []*debug.Module{{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:x"}, {Path: "example.org/b", Version: "v1.0.0",
			Replace: &debug.Module{Path: "example.org/c", Version: "v2.0.0", Sum: "h1:y"}}},
		Settings: []debug.BuildSetting{set("vcs.revision", "abc"), set("vcs.time", "2026-11-29T01:08:01Z"), set("vcs.modified", "true")}}
}

func TestWhatABinaryTells(t *testing.T) {
	r, err := releaseIn(info())
	if err != nil || r.version != "v1.2.3+dirty" || r.bare() != "1.2.3+dirty" || r.revision != "abc" || !r.modified || r.date() != "2026-11-29" || r.epoch() != "1795914481" {
		t.Errorf("%+v %s %s %v", r, r.date(), r.epoch(), err)
	}
	r, err = releaseIn(&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}})
	if err != nil || r.version != "v0.0.0-devel" || r.epoch() != "0" || r.date() != "1970-01-01" {
		t.Errorf("%+v %v", r, err)
	}
}

// The parts of a binary are its modules, as they were built in, and Go's own library; the same binary has the same parts.
func TestParts(t *testing.T) {
	r, err := releaseIn(info())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("binary"))
	b := parts(info(), target{"linux", "amd64"}, r, sum)
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"bomFormat":"CycloneDX"`, `"specVersion":"1.6"`, `"pkg:golang/std@1.26.8"`, `"pkg:golang/example.org/a@v1.0.0"`, `"pkg:golang/example.org/c@v2.0.0"`,
		`"pkg:golang/github.com/zkscope/zkscope@v1.2.3%2Bdirty"`, fmt.Sprintf("%x", sum), `"2026-11-29T01:08:01Z"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(b.Serial) {
		t.Error(b.Serial)
	}
}

func TestTheFormulaIsFilled(t *testing.T) {
	got := filled(formula, release{version: "v1.2.3", revision: "abc"})
	if strings.Contains(got, "@") || !strings.Contains(got, `version "1.2.3"`) || !strings.Contains(got, `revision: "abc"`) {
		t.Error(got)
	}
}

func TestDifferencesAndSums(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{a, b} {
		put(dir, "x", "1")
		put(dir, "man/y", "2")
	}
	if n, err := differences(a, b); n != 2 || err != nil {
		t.Error(n, err)
	}
	if err := sums(a); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(a, "SHA256SUMS"))
	if want := fmt.Sprintf("%x  x\n", sha256.Sum256([]byte("1"))); err != nil || string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	put(b, "man/y", "3")
	put(b, "z", "4")
	if _, err := differences(a, b); err == nil || !strings.Contains(err.Error(), "3 of 3 files differ") {
		t.Error(err)
	}
}
