package actions

import (
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// setValue offers to write the data of a configuration, a counter or a rendezvous. What is written has to be
// asked for: see SetTo.
var setValue = way{verb: VerbSet, key: "t", label: "set the value", asks: "new value", not: whyNotSet, plan: func(s Scene) Plan { return SetTo(s, nil) }}

func whyNotSet(s Scene) string {
	return s.blindOr(func() string {
		if n := s.Result.Snapshot.At(s.Claim.Path()); n != nil && n.Has(znode.DataOmitted) {
			return "its data is larger than is kept, so it could not be given back"
		}
		return ""
	})
}

// SetTo is the plan that writes a value. The offer for VerbSet says whether it can be done at all.
func SetTo(s Scene, value []byte) Plan {
	p := s.plan(VerbSet)
	p.Op, p.NewData, p.Name, p.Risk = Write, value, s.Claim.Path(), Elevated
	p.Title = "set " + say.Printable(s.Claim.Path())
	p.Outcome = append([]string{"it says " + quote(value) + " instead of " + quote(p.OldData)}, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, "whoever reads it acts on the new value at once; the old one is kept in the audit log")
	return p
}
