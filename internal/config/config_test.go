package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const example = `
profile: staging
profiles:
  staging:
    servers: zk1:2181,zk2:2181/app
  prod:
    servers: zk9:2181
    production: true
    auth-env: ZK_PROD_AUTH
keys:
  quit: [Q]
hints: ["/tx/*=twophase"]
`

func TestAConfigurationIsRead(t *testing.T) {
	c, err := Parse([]byte(example), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Find("prod")
	if err != nil || !p.Production || p.Servers != "zk9:2181" || c.Keys["quit"][0] != "Q" || c.Profile != "staging" {
		t.Fatalf("%+v %v", c, err)
	}
	got, err := p.Credentials(func(string) string { return "digest:ops:secret" })
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if c, err := Parse(nil, "x"); err != nil || len(c.Profiles) != 0 {
		t.Fatal(c, err)
	}
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"profiles:\n  p:\n    servers: a\n    producton: true\n": "line 4: field producton not found",
		"profiles:\n  p:\n    read-only: true\n":                 "profile p names no servers",
		"profile: nope\n":                                        "there is no profile nope: the configuration has none",
		"keys: {quit: [x]}\n---\nprofiles: {}\n":                 "more than one YAML document",
		"theme: light\n---\n":                                    "more than one YAML document",
		"profiles: [1, 2]":                                       "line 1",
		"profile: b\nprofiles:\n  a: {servers: x}\n":             "there is no profile b; there are a",
	} {
		_, err := Parse([]byte(text), "x.yaml")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFilesThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(Path("", dir), false); err != nil {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(dir, "named.yaml"), true); err == nil {
		t.Error("a named file that is not there is no error")
	}
}

func TestSecretsOthersMayReadAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "auth")
	if err := os.WriteFile(file, []byte("# ops\ndigest:ops:secret\n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := Profile{AuthFile: file}
	if _, err := p.Credentials(os.Getenv); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Credentials(os.Getenv); err != nil || len(got) != 1 || got[0] != "digest:ops:secret" {
		t.Error(got, err)
	}
}
