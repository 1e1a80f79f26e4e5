package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
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
	got, err := p.Credentials(func(string) string { return "digest:ops:secret" }, false)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if c, err := Parse(nil, "x"); err != nil || len(c.Profiles) != 0 {
		t.Fatal(c, err)
	}
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"profiles:\n  p:\n    servers: a\n    producton: true\n": "x.yaml:4: there is no key producton in profiles.p; there are 4lw, admin",
		"profiles:\n  p:\n    read-only: true\n":                 "profile p names no servers",
		"profile: nope\n":                                        "there is no profile nope: the configuration has none",
		"keys: {quit: [x]}\n---\nprofiles: {}\n":                 "more than one YAML document",
		"theme: light\n---\n":                                    "more than one YAML document",
		"profiles: [1, 2]":                                       "x.yaml:1: profiles takes keys and values",
		"thresholds:\n- held: 2h\n  servity: high\n":             "x.yaml:3: there is no key servity in thresholds.0; there are age, code",
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
	if _, err := p.Credentials(os.Getenv, false); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Credentials(os.Getenv, false); err != nil || len(got) != 1 || got[0] != "digest:ops:secret" {
		t.Error(got, err)
	}
}

// All that is wrong is found at once, each with its line.
func TestAllFaultsAreFound(t *testing.T) {
	for text, want := range map[string][]string{
		"keyz: {}\nmouse: perhaps\ntheme: [a]\nhints: one\nprofiles:\n  p:\n    servers: a\n    tls: 3\n    map: {a: [b]}\n    tsl: true\n": {
			"1 there is no key keyz here; there are ascii, ", "2 mouse takes true or false", "3 theme takes one text",
			"4 hints takes a list, as [a, b]", "8 profiles.p.tls takes true or false", "9 profiles.p.map.a takes one text", "10 there is no key tsl in profiles.p; "},
		"mouse: true\nmouse: false\n":               {"2 mouse stands in line 1 already"},
		"profiles:\n  a: {}\n  b: {}\nprofile: c\n": {"2 profile a names no servers", "3 profile b names no servers", "4 there is no profile c; there are a, b"},
		"profiles:\n\t- a\n":                        {"2 found character that cannot start any token"},
		"profiles: {a: &a {<<: *a}}\n":              {"0 anchor 'a' value contains itself"},
		"just a text":                               {"1 a configuration takes keys and values"},
		"mouse: true\n---\nascii: true\n":           {"2 more than one YAML document"},
		"keys:\n  quit: [{a: b}]\n":                 {"2 keys.quit.0 takes one text"},
		"":                                          nil,
		"profiles: ~\nmouse:\n":                     nil,
		"profiles:\n  a: &a {servers: x, tls: true}\n  b: {<<: *a, servers: y}\n  c:\n    <<: [*a]\n": nil,
		"profiles:\n  a: &a {servers: x}\n  b:\n    <<: {sevrers: y}\n    servers: x\n":               {"4 there is no key sevrers in profiles.b; "},
	} {
		f, faults := Load([]byte(text), "x")
		for i := range max(len(faults), len(want)) {
			if i >= len(faults) || i >= len(want) || !strings.HasPrefix(fmt.Sprint(faults[i].Line, " ", faults[i].Text), want[i]) {
				t.Errorf("%q: %v, want %v", text, faults, want)
				break
			}
		}
		if len(want) == 0 && strings.Contains(text, "<<") && (!f.Profiles["b"].TLS || f.Profiles["b"].Servers != "y" || f.At("profiles", "b", "servers") != "x:3" || f.At("profiles", "c", "tls") != "x:2") {
			t.Errorf("%+v %v", f.Profiles, f.Lines)
		}
	}
}

// Whatever stands in a file, reading it ends, and what is taken without a fault is what the library reads.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{example, "a: &a\n  <<: *a\n", "profiles: {x: {<<: [{servers: a}, {tls: true}]}}", "? [a]\n: b\n", "keys: {quit: [a, b]}\n", "- a\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, faults := Load([]byte(text), "x")
		for _, fault := range faults {
			if strings.Contains(fault.Text, "\n") && !strings.Contains(text, "\\") || fault.Text == "" {
				t.Errorf("%q: %q", text, fault.Text)
			}
		}
		var want Config
		d := yaml.NewDecoder(strings.NewReader(text))
		d.KnownFields(true)
		if err := d.Decode(&want); len(faults) == 0 && (err != nil && !errors.Is(err, io.EOF) || !reflect.DeepEqual(got.Config, want)) {
			t.Errorf("%q is taken as %+v; the library says %+v %v", text, got.Config, want, err)
		}
	})
}

func TestAProgramBesideAConsoleGetsNoTerminal(t *testing.T) {
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	said, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(feed, "digest:typed:x")
	feed.Close()
	stdin, stderr := os.Stdin, os.Stderr
	os.Stdin, os.Stderr = in, out
	defer func() { os.Stdin, os.Stderr = stdin, stderr }()
	p := Profile{AuthCommand: []string{"sh", "-c", "echo 'password?' >&2; cat; echo digest:kept:y"}}
	got, err := p.Credentials(os.Getenv, true)
	if err != nil || len(got) != 1 || got[0] != "digest:kept:y" {
		t.Errorf("%v, %v", got, err)
	}
	got, err = p.Credentials(os.Getenv, false)
	if err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	out.Close()
	if text, _ := io.ReadAll(said); string(text) != "password?\n" {
		t.Errorf("written to the terminal: %q", text)
	}
}
