//go:build linux

package look_test

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
)

// packedMember writes an archive of what is in directories, each under a name, with what is added at its end.
func packedMember(t *testing.T, name string, dirs map[string]string, more ...*tar.Header) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := look.Pack(strings.Replace(name, ".tgz", ".gz", 1), f)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(out)
	for _, h := range more {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	for as, dir := range dirs {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.WriteHeader(&tar.Header{Name: as + "/" + e.Name(), Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(b))}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// left are the files in the folder for temporary ones.
func left(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "zkscope-*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A packed directory tells what the directory tells, calls the files by their names in it, and leaves nothing behind.
func TestFromAnArchive(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	t.Setenv("TMPDIR", t.TempDir())
	_, want, _ := s.Run("", "history", "--from", clitest.Samples+"expiry", "/locks/nightly", "-o", "csv")
	for _, name := range []string{"night.tar", "night.tar.gz", "night.tgz", "night.tar.zst"} {
		file := packedMember(t, name, map[string]string{"./data/version-2": clitest.Samples + "expiry"})
		code, out, errs := s.Run("", "history", "--from", file, "/locks/nightly", "-o", "csv")
		if code != 0 || out != want || !strings.HasPrefix(errs, "zkscope: "+file+": 173 transactions") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
		}
		_, out, _ = s.Run("", "history", "--from", file, "/locks/nightly", "-o", "json")
		if !strings.Contains(out, `"record": "`+file+`:data/version-2/log.1b:2684"`) {
			t.Errorf("%s: %s", name, out)
		}
		if names := left(t); len(names) > 0 {
			t.Fatalf("%s leaves %q", name, names)
		}
	}
	two := packedMember(t, "two.tar", map[string]string{"zk1/data": clitest.Samples + "contention", "zk2/data": clitest.Samples + "contention"})
	if code, out, errs := s.Run("", "ls", "--from", two); code != 0 || !strings.Contains(errs, "two.tar:zk2/data: 42 transactions") || !strings.Contains(errs, "together: 42 transactions") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, out, errs := s.Run("", "diff", two, two); code != world.ExitUsage && code != 0 || strings.Contains(errs, "is a directory") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if names := left(t); len(names) > 0 {
		t.Errorf("it leaves %q", names)
	}
}

// Nothing of an archive is written but logs and snapshots, and none of them outside; one that holds too much is refused.
func TestAnArchiveCannotEscape(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	t.Setenv("TMPDIR", t.TempDir())
	victim := filepath.Join(t.TempDir(), "log.9")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	evil := []*tar.Header{
		{Name: "d/log.2", Typeflag: tar.TypeSymlink, Linkname: victim},
		{Name: "d/log.3", Typeflag: tar.TypeLink, Linkname: victim},
		{Name: "d/log.4", Typeflag: tar.TypeFifo},
		{Name: "../../../../.." + victim, Typeflag: tar.TypeReg, Size: 8},
		{Name: victim, Typeflag: tar.TypeReg, Size: 8},
		{Name: "d/../../log.7", Typeflag: tar.TypeReg, Size: 8},
		{Name: "d/passwords", Typeflag: tar.TypeReg, Size: 8},
	}
	file := packedMember(t, "evil.tar", map[string]string{"d": clitest.Samples + "expiry"}, evil...)
	code, _, errs := s.Run("", "ls", "--from", file)
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if code != 0 || !strings.Contains(errs, "evil.tar:d: 173 transactions") || strings.Contains(errs, "log.2") || strings.Contains(errs, "passwords") {
		t.Errorf("exit %d: %s", code, errs)
	}
	back := look.SetTarBytes(1 << 10)
	defer back()
	s.Fails(world.ExitError, "unpack it yourself, and name the directory", "ls", "--from", file)
	back()
	s.Fails(world.ExitError, "no log.* or snapshot.* of a ZooKeeper server is in it", "ls", "--from", packedMember(t, "none.tar.gz", nil))
	s.Fails(world.ExitError, "--log-dir goes with directories", "ls", "--from", file, "--log-dir", "x")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.tar")
	if err := os.WriteFile(cut, b[:len(b)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	s.Fails(world.ExitError, "the archive is damaged, or cut off", "ls", "--from", cut)
	if names := left(t); len(names) > 0 {
		t.Errorf("it leaves %q", names)
	}
}

// A signal that comes while an archive is unpacked leaves nothing behind.
func TestASignalLeavesNothingOfAnArchive(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	pipe := filepath.Join(t.TempDir(), "night.tar")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := clitest.Process([]string{"ls", "--from", pipe}, "XDG_STATE_HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	in, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	whole, err := os.Open(packedMember(t, "w.tar", map[string]string{"d": clitest.Samples + "expiry"}))
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	if _, err := io.CopyN(in, whole, 2048); err != nil {
		t.Fatal(err)
	}
	peers.WaitFor(t, 20*time.Second, "a file", func() bool {
		files, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "zkscope-*", "0", "log.*"))
		return len(files) > 0
	})
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if names := left(t); err == nil || cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) || len(names) > 0 {
		t.Errorf("%v, and it leaves %q", err, names)
	}
}
