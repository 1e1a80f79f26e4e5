//go:build linux

package join

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// deafChild is a process that ends when it is told, and whose child does not.
const deafChild = `(trap '' TERM; exec sleep 300) & echo $$ $! > $PIDS; while :; do sleep 0.1; done`

// TestACommandInOurGroupDiesWithUs: as on a terminal, where the group is ours, and of which the others live on.
func TestACommandInOurGroupDiesWithUs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command("sh", "-c", deafChild)
	cmd.Env = append(os.Environ(), "PIDS="+file)
	p, err := launch(cmd, false, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	peers.WaitFor(t, 20*time.Second, "the command", func() bool {
		b, _ := os.ReadFile(file)
		pids = nil
		for _, f := range strings.Fields(string(b)) {
			pid, _ := strconv.Atoi(f)
			pids = append(pids, pid)
		}
		return strings.HasSuffix(string(b), "\n")
	})
	for _, pid := range pids {
		if g := processes()[pid].group; g != syscall.Getpgrp() {
			t.Errorf("%d is in group %d, not ours", pid, g)
		}
	}
	p.control.Close() // as the kernel does when we are killed
	_ = p.wait()
	var left []int
	for _, pid := range pids {
		if _, there := processes()[pid]; there {
			left = append(left, pid)
		}
	}
	if len(pids) != 2 || len(left) > 0 {
		t.Errorf("%v of %v still run", left, pids)
	}
}
