package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// nfpm makes packages of a description; the go command fetches and builds it once.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

//go:embed zkscope.rb
var formula string

// packages writes the pages, the packages and the formula.
func packages(out string, r release) error {
	pages := exec.Command("go", "run", "./packaging/pages", "-dir", out, "-version", r.version, "-date", r.date())
	if err := run(pages); err != nil {
		return err
	}
	for _, t := range targets {
		if t.os != "linux" {
			continue
		}
		for _, kind := range []string{"deb", "rpm"} {
			cmd := exec.Command("go", "run", nfpm, "package", "-f", "packaging/nfpm.yaml", "-p", kind, "-t", filepath.Join(out, "zkscope-"+t.os+"-"+t.arch+"."+kind))
			cmd.Env = append(os.Environ(), "GOFLAGS=", "VERSION="+r.version, "ARCH="+t.arch, "DIST="+filepath.ToSlash(out), "SOURCE_DATE_EPOCH="+r.epoch())
			if err := run(cmd); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(out, "zkscope.rb"), []byte(filled(formula, r)), 0o644)
}

// filled is the formula of a release.
func filled(formula string, r release) string {
	return strings.NewReplacer("@VERSION@", r.bare(), "@REVISION@", r.revision).Replace(formula)
}

// check builds clones of this repository in two places, the second without what was compiled before, and compares what comes out.
func check(bare bool) error {
	work, err := os.MkdirTemp("", "zkscope-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	places := []string{filepath.Join(work, "a"), filepath.Join(work, "another", "place")}
	for i, place := range places {
		if err := run(exec.Command("git", "clone", "--quiet", "--no-hardlinks", ".", place)); err != nil {
			return err
		}
		args := []string{"run", "./packaging/dist"}
		if bare {
			args = append(args, "-binaries")
		}
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = place, os.Environ()
		if i == 1 {
			cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(work, "cache"))
		}
		if err := run(cmd); err != nil {
			return err
		}
	}
	n, err := differences(filepath.Join(places[0], "dist"), filepath.Join(places[1], "dist"))
	if err != nil {
		return err
	}
	fmt.Printf("%d files, the same both times\n", n)
	if bare {
		return nil
	}
	return installed(filepath.Join(places[0], "dist"), work)
}

// differences compares two directories by what is in their files; an error names those that differ.
func differences(a, b string) (n int, err error) {
	inA, err := contents(a)
	if err != nil {
		return 0, err
	}
	inB, err := contents(b)
	if err != nil {
		return 0, err
	}
	var differ []string
	for name, text := range inA {
		if other, ok := inB[name]; !ok || other != text {
			differ = append(differ, name)
		}
		delete(inB, name)
	}
	for name := range inB {
		differ = append(differ, name)
	}
	if len(differ) > 0 {
		return 0, fmt.Errorf("%d of %d files differ: %s", len(differ), len(inA), strings.Join(differ, ", "))
	}
	return len(inA), nil
}

// contents are the files below a directory, by their names in it.
func contents(dir string) (map[string]string, error) {
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[name] = string(b)
		return err
	})
	return out, err
}
