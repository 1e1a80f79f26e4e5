//go:build linux

package join

// KeeperName is what a keeper is called.
const KeeperName = keeperName

// ParentOf is the parent of a process; 0: it has ended.
func ParentOf(pid int) int { return processes()[pid].parent }
