package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// installed puts the package for this machine into a directory, runs what is in it, and takes it out again. Where there is no
// dpkg it says so.
func installed(dist, work string) error {
	if _, err := exec.LookPath("dpkg"); err != nil || runtime.GOOS != "linux" {
		fmt.Println("the package was not installed anywhere: there is no dpkg")
		return nil
	}
	deb, err := filepath.Abs(filepath.Join(dist, "zkscope-linux-"+runtime.GOARCH+".deb"))
	if err != nil {
		return err
	}
	root := filepath.Join(work, "root")
	for _, dir := range []string{"info", "updates"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		return err
	}
	dpkg := func(args ...string) error {
		return run(exec.Command("dpkg", append([]string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=/dev/null"}, args...)...))
	}
	if err := dpkg("-i", deb); err != nil {
		return err
	}
	program := filepath.Join(root, "usr/bin/zkscope")
	said, err := exec.Command(program, "version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("what the package installs does not run: %w\n%s", err, said)
	}
	for _, file := range []string{"usr/share/man/man1/zkscope-check.1.gz", "usr/share/bash-completion/completions/zkscope", "usr/share/doc/zkscope/README.md"} {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			return fmt.Errorf("the package brings no %s: %w", file, err)
		}
	}
	if err := dpkg("-r", "zkscope"); err != nil {
		return err
	}
	if _, err := os.Stat(program); err == nil {
		return fmt.Errorf("the package leaves %s when it is removed", program)
	}
	fmt.Printf("installed in a directory, run and removed: %s\n", strings.TrimSpace(string(said)))
	return nil
}
