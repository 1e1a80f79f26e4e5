package actions

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// openBarrier offers to delete a barrier's znode, which lets everybody pass.
func openBarrier(s Scene) Offer {
	o := Offer{Verb: VerbOpen, Key: "o", Label: "open the barrier", Disabled: whyNotOpen(s)}
	if o.Disabled != "" {
		return o
	}
	p := s.plan(VerbOpen)
	p.Op, p.Risk, p.Name = Remove, Elevated, s.Model.Path
	p.Title = "open the barrier " + inspect.Printable(s.Model.Path)
	p.Outcome = append([]string{"whoever waits at it goes on"}, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, "closing it again stops only those who come later")
	if s.Claim.Session != 0 {
		p.Warnings = append(p.Warnings, "it belongs to session "+s.Claim.Session.String()+", which is not told")
	}
	o.Plan = p
	return o
}

func whyNotOpen(s Scene) string {
	if s.Claim == nil || s.Model.State == inspect.Opened {
		return "it is open: its znode is not there"
	}
	return s.blindOr(func() string { return s.hasChildren() })
}

// closeBarrier offers to make a barrier's znode, which stops those who come from then on.
func closeBarrier(s Scene) Offer {
	o := Offer{Verb: VerbClose, Key: "c", Label: "close the barrier"}
	switch {
	case s.lost() != "":
		o.Disabled = s.lost()
	case s.Model.State != inspect.Opened:
		o.Disabled = "it is closed"
	}
	if o.Disabled != "" {
		return o
	}
	p := s.made(VerbClose, s.Model.Path)
	p.Title = "close the barrier " + inspect.Printable(s.Model.Path)
	p.Risk = Elevated
	p.Outcome = []string{"whoever comes from now on waits; those inside are not stopped"}
	p.Warnings = append(p.Warnings, "the znode is persistent: it stays until somebody opens the barrier")
	o.Plan = p
	return o
}

// made is a plan that makes a znode.
func (s Scene) made(v Verb, path string) Plan {
	dir, _ := inspect.Split(path)
	return Plan{Verb: v, Op: Make, Recipe: s.Model.Path, Kind: s.Model.Kind, Name: path, Target: Target{Path: path}, NewData: []byte{},
		Guards: []string{"sync, then see that it is not there", fmt.Sprintf("%s is there and lets us create", inspect.Printable(dir))}}
}
