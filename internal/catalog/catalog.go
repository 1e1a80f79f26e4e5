// Package catalog lists how the console shows each kind of recipe. What a kind is, how it is decoded and what can be done
// to it is decided in inspect and actions; a kind without a row is shown by a generic one.
//
// # Concurrency
//
// The table is read-only.
package catalog

import "github.com/zkscope/zkscope/tui/panel"

// Recipes returns the table, in the order of the console's list.
func Recipes() []panel.Recipe {
	return []panel.Recipe{
		panel.Lock(),
		panel.SharedLock(),
		panel.Election(),
		panel.Semaphore(),
		panel.Barrier(),
		panel.DoubleBarrier(),
		panel.Queue(),
		panel.PriorityQueue(),
		panel.DelayQueue(),
		panel.TwoPhase(),
		panel.Membership(),
		panel.Service(),
		panel.Config(),
		panel.Rendezvous(),
		panel.Counter(),
		panel.Lease(),
	}
}
