// Package catalog is the one table that ties a kind of recipe together: how the console shows it and which
// troupe acts it out in the demo. What a kind is, how it is decoded and what can be done to it is decided in
// inspect and actions; a kind without a row is shown by a generic one.
//
// # Concurrency
//
// The table is read-only.
package catalog

import (
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/tui"
)

// Recipes returns the table, in the order of the console's list.
func Recipes() []tui.Recipe {
	return []tui.Recipe{
		tui.LockRecipe(),
		tui.SharedLockRecipe(),
		tui.ElectionRecipe(),
		tui.PlainRecipe(inspect.Semaphore, "semaphores"),
		tui.PlainRecipe(inspect.Barrier, "barriers"),
		tui.PlainRecipe(inspect.DoubleBarrier, "double barriers"),
		tui.PlainRecipe(inspect.Queue, "queues"),
		tui.PlainRecipe(inspect.PriorityQueue, "priority queues"),
		tui.PlainRecipe(inspect.DelayQueue, "delay queues"),
		tui.PlainRecipe(inspect.TwoPhase, "transactions"),
		tui.PlainRecipe(inspect.Membership, "groups"),
		tui.PlainRecipe(inspect.Service, "services"),
		tui.PlainRecipe(inspect.Config, "values"),
		tui.PlainRecipe(inspect.Rendezvous, "rendezvous"),
		tui.PlainRecipe(inspect.Counter, "counters"),
		tui.PlainRecipe(inspect.Lease, "leases"),
	}
}
