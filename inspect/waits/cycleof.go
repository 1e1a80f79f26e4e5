package waits

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// CycleOf returns the cycle that a finding of the same picture tells of; nil: there is none, or there are several
// between the same sessions in the same recipes, and it is not the same claim that is best broken in each.
func (w *Waits) CycleOf(f *model.Finding) (of *Cycle) {
	for i := range w.Cycles {
		c := &w.Cycles[i]
		if !c.told(f) {
			continue
		}
		if of != nil && of.victim() != c.victim() {
			return nil
		}
		of = c
	}
	return of
}

// told reports whether a finding can be what Finding says of the cycle. Sessions alone do not tell: two processes may
// wait for each other in one recipe and, with other threads, in another.
func (c *Cycle) told(f *model.Finding) bool {
	sessions, paths := c.parties()
	return f.Code == model.CodeDeadlock && slices.Equal(sessions, f.Sessions) && slices.Equal(paths, f.Paths)
}

// parties are the sessions that wait in the cycle, in its order, each once, and the recipes that it goes through.
func (c *Cycle) parties() (sessions []znode.SessionID, paths []string) {
	for _, e := range c.Waits {
		if !slices.Contains(sessions, e.From) {
			sessions = append(sessions, e.From)
		}
		if !slices.Contains(paths, e.Model.Path) {
			paths = append(paths, e.Model.Path)
		}
	}
	return sessions, paths
}

// victim is the claim that is best broken; the zero value where none is.
func (c *Cycle) victim() (id model.ClaimID) {
	if c.Victim >= 0 && c.Victim < len(c.Breaks) {
		id = c.Breaks[c.Victim].Claim.ID()
	}
	return id
}
