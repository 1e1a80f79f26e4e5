// Command zkscope is a terminal console for ZooKeeper recipes: it shows who holds and who waits, on whom
// and why, and lets an operator ask a holder to let go or break a stale claim.
package main

import (
	"os"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/quiet"
)

func main() {
	quiet.Restore()
	os.Exit(cli.Run(os.Args[1:], cli.OS()))
}
