// Command dist builds what is handed out of zkscope into a directory: a static binary for every system, packages for
// Debian and for Red Hat with manual pages and completions, the parts of each binary (CycloneDX), a Homebrew formula, and
// the checksums of all of them. It is not part of zkscope. Run it in the root of a clone:
//
//	go run ./packaging/dist             everything, into dist/
//	go run ./packaging/dist -binaries   without packages
//	go run ./packaging/dist -check      twice, of clones in two places, the second without a build cache, and compare; install the package in a directory
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// targets are the systems that are built for.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"}, {"freebsd", "amd64"}, {"freebsd", "arm64"},
}

// limit is how big a binary may be, in bytes.
const limit = 20_000_000

type target struct{ os, arch string }

func (t target) file() string {
	name := "zkscope-" + t.os + "-" + t.arch
	if t.os == "windows" {
		name += ".exe"
	}
	return name
}

func main() {
	out := flag.String("out", "dist", "the directory to write to; what is in it goes")
	bare := flag.Bool("binaries", false, "make no packages")
	twice := flag.Bool("check", false, "build everything twice and compare, and keep nothing")
	flag.Parse()
	var err error
	if *twice {
		err = check(*bare)
	} else {
		err = dist(*out, *bare)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// dist fills a directory.
func dist(out string, bare bool) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, t := range targets {
		if err := build(t, filepath.Join(out, t.file())); err != nil {
			return err
		}
	}
	r, err := releaseOf(filepath.Join(out, targets[0].file()))
	if err != nil {
		return err
	}
	if r.modified {
		fmt.Fprintln(os.Stderr, "dist: files differ from the revision, and the version says so: "+r.version)
	}
	for _, t := range targets {
		path := filepath.Join(out, t.file())
		if err := inventory(path, t, r); err != nil {
			return err
		}
	}
	if !bare {
		if err := packages(out, r); err != nil {
			return err
		}
	}
	return sums(out)
}

// build builds one binary, without HTTP/2, which takes half a MB and which nothing of ours needs: pages are served, and
// webhooks called, by HTTP/1.1. Libraries that run once, or never, as the protobuf that metrics bring, are compiled without
// inlining: 0.2 MB. Nothing of the place where, of the user who, or of the time when goes into it.
func build(t target, path string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-tags=nethttpomithttp2", "-buildvcs=true",
		"-gcflags=google.golang.org/protobuf/...=-l", "-gcflags=github.com/prometheus/...=-l",
		"-gcflags=github.com/jcmturner/...=-l", "-gcflags=go.yaml.in/...=-l",
		"-gcflags=github.com/spf13/...=-l", "-gcflags=github.com/zkscope/zkscope/internal/cli/...=-l",
		"-ldflags=-s -w -buildid=", "-o", path, ".")
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	if err := run(cmd); err != nil {
		return err
	}
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("%-24s %5.1f MB\n", t.file(), float64(st.Size())/1e6)
	if st.Size() > limit {
		return fmt.Errorf("%s has %d bytes, more than %d: docs/dependencies.md says what keeps the linker from leaving things out", t.file(), st.Size(), limit)
	}
	return nil
}

// run runs a command; what it says is in the error.
func run(cmd *exec.Cmd) error {
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said)
	}
	return nil
}
