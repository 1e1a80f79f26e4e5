// Package catalog lists how the console shows each kind of recipe. What a kind is, how it is decoded and what can be done
// to it is decided in inspect and actions; a kind without a row is shown by a generic one.
//
// # Concurrency
//
// The table is read-only.
package catalog

import "github.com/zkscope/zkscope/tui"

// Recipes returns the table, in the order of the console's list.
func Recipes() []tui.Recipe {
	return []tui.Recipe{
		tui.LockRecipe(),
		tui.SharedLockRecipe(),
		tui.ElectionRecipe(),
		tui.SemaphoreRecipe(),
		tui.BarrierRecipe(),
		tui.DoubleBarrierRecipe(),
		tui.QueueRecipe(),
		tui.PriorityQueueRecipe(),
		tui.DelayQueueRecipe(),
		tui.TwoPhaseRecipe(),
		tui.MembershipRecipe(),
		tui.ServiceRecipe(),
		tui.ConfigRecipe(),
		tui.RendezvousRecipe(),
		tui.CounterRecipe(),
		tui.LeaseRecipe(),
	}
}
