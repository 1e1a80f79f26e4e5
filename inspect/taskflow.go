package inspect

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// taskflow's job board (OpenStack):
//
//	P/job<seq>, persistent, JSON with uuid, name, posted_on, details       a job
//	P/job<seq>.lock, ephemeral, JSON with owner                            who claimed it; its session works on it
//	P/.trash, P/.entities/conductor/<name>                                 jobs that were thrown away; conductors
//
// A claimed job stays, and is deleted when it was consumed.
const claimSuffix = ".lock"

// claimsOf notes who works on the jobs of a board.
func (v *itemView) claimsOf() {
	v.at, v.marks = v.Path, make(map[string]*znode.Node)
	for _, c := range v.Node.Children {
		if job, ok := layout.CutSuffix(c.Name, claimSuffix); ok && strings.HasPrefix(job, "job") {
			v.marks[job] = c
		}
	}
}

// onBoard reports whether a child of a job board belongs to it without being a job.
func onBoard(c *znode.Node) bool {
	return c.Name == ".trash" || c.Name == ".entities" ||
		strings.HasPrefix(c.Name, "job") && strings.HasSuffix(c.Name, claimSuffix)
}
