package command

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Once a credential was read, no core dump holds it; without one the process may be dumped.
func TestSecretsAreKeptOutOfCores(t *testing.T) {
	dumpable := func() int {
		n, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := dumpable()
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(before), 0, 0, 0) })
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	env := ""
	w := world.World{Getenv: func(name string) string {
		if name == AuthVar {
			return env
		}
		return ""
	}}
	if err := new(Access).into(new(zkc.Config), w); err != nil || dumpable() != 1 {
		t.Errorf("without a credential: %v, %d", err, dumpable())
	}
	env = "digest:ann:secret"
	if err := new(Access).into(new(zkc.Config), w); err != nil || dumpable() != 0 {
		t.Errorf("with a credential: %v, %d", err, dumpable())
	}
}
