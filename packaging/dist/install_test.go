package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A package that is none does not pass as one that installs.
func TestAPackageThatDoesNotInstall(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "zkscope-linux-amd64.deb"), []byte("no package"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/usr/bin/dpkg"); err != nil {
		t.Skip("there is no dpkg")
	}
	if err := installed(dir, t.TempDir()); err == nil {
		t.Error("it installs")
	}
}
