package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// release is what a binary tells of its making.
type release struct {
	version  string // v1.2.3; v0.0.0-devel: it tells none
	revision string
	made     time.Time // of the revision; zero: not told
	modified bool
}

// releaseOf reads a binary.
func releaseOf(path string) (release, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return release{}, err
	}
	return releaseIn(info)
}

func releaseIn(info *debug.BuildInfo) (release, error) {
	r := release{version: info.Main.Version}
	if r.version == "" || r.version == "(devel)" {
		r.version = "v0.0.0-devel"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.revision = s.Value
		case "vcs.modified":
			r.modified = s.Value == "true"
		case "vcs.time":
			var err error
			if r.made, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// bare is the version as packages write it.
func (r release) bare() string { return strings.TrimPrefix(r.version, "v") }

// epoch is the time of the revision in seconds, for what wants a time.
func (r release) epoch() string {
	if r.made.IsZero() {
		return "0"
	}
	return fmt.Sprint(r.made.Unix())
}

// date is the day of the revision.
func (r release) date() string {
	if r.made.IsZero() {
		return "1970-01-01"
	}
	return r.made.UTC().Format(time.DateOnly)
}

// The forms of CycloneDX 1.6 that are written.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Serial     string      `json:"serialNumber"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp,omitempty"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		PURL       string     `json:"purl,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

// inventory writes beside a binary which modules are in it, as the binary tells it.
func inventory(path string, t target, r release) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(parts(info, t, r, sha256.Sum256(b)), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(path, ".exe")+".cdx.json", append(text, '\n'), 0o644)
}

// parts are a binary's modules, Go's own library among them.
func parts(info *debug.BuildInfo, t target, r release, sum [sha256.Size]byte) bom {
	out := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Serial: uuid(sum)}
	if !r.made.IsZero() {
		out.Metadata.Timestamp = r.made.UTC().Format(time.RFC3339)
	}
	self := module(info.Main.Path, r.version)
	self.Type, self.Hashes = "application", []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	self.Properties = []property{{"zkscope:target", t.os + "/" + t.arch}}
	out.Metadata.Component = self
	std := strings.TrimPrefix(info.GoVersion, "go")
	out.Components = []component{{Type: "library", Ref: "pkg:golang/std@" + std, Name: "std", Version: std, PURL: "pkg:golang/std@" + std}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		c := module(d.Path, d.Version)
		c.Properties = []property{{"go:sum", d.Sum}} // of the module's files as Go counts them, not of one file
		out.Components = append(out.Components, c)
	}
	return out
}

func module(path, version string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
}

// uuid is a name of the form that is made of a hash.
func uuid(sum [sha256.Size]byte) string {
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: made in a way of one's own
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// sums writes the checksums of all files, as sha256sum -c reads them.
func sums(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(b), f.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), text.Bytes(), 0o644)
}
