package actions

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// openBarrier offers to delete a barrier's znode, which lets everybody pass.
var openBarrier = way{verb: VerbOpen, key: "o", label: "open the barrier", not: whyNotOpen, plan: planOpen}

func planOpen(s Scene) Plan {
	p := s.plan(VerbOpen)
	p.Op, p.Risk, p.Name = Remove, Elevated, s.Model.Path
	p.Title = "open the barrier " + say.Printable(s.Model.Path)
	p.Outcome = append([]string{"whoever waits at it goes on"}, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, "closing it again stops only those who come later")
	if s.Claim.Session != 0 {
		p.Warnings = append(p.Warnings, "it belongs to session "+s.Claim.Session.String()+", which is not told")
	}
	return p
}

func whyNotOpen(s Scene) string {
	if s.Claim == nil || s.Model.State == model.Opened {
		return "it is open: its znode is not there"
	}
	return s.blindOr(s.hasChildren)
}

// closeBarrier offers to make a barrier's znode, which stops those who come from then on.
var closeBarrier = way{verb: VerbClose, key: "c", label: "close the barrier", not: whyNotClose, plan: planClose}

func whyNotClose(s Scene) string {
	if why := s.lost(); why != "" || s.Model.State == model.Opened {
		return why
	}
	return "it is closed"
}

func planClose(s Scene) Plan {
	p := s.made(VerbClose, s.Model.Path)
	p.Title = "close the barrier " + say.Printable(s.Model.Path)
	p.Risk = Elevated
	p.Outcome = []string{"whoever comes from now on waits; those inside are not stopped"}
	p.Warnings = append(p.Warnings, "the znode is persistent: it stays until somebody opens the barrier")
	return p
}

// made is a plan that makes a znode.
func (s Scene) made(v Verb, path string) Plan {
	dir, _ := znode.Split(path)
	return Plan{Verb: v, Op: Make, Recipe: s.Model.Path, Kind: s.Model.Kind, Name: path, Target: Target{Path: path}, NewData: []byte{},
		Guards: []string{"read again after a sync, it is not there", fmt.Sprintf("%s is there and lets us create", say.Printable(dir))}}
}
