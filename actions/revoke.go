package actions

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// revoke offers to ask a holder to let go. It writes the word of the claim's dialect (ZooKeeper's
// documents: unlock; Curator: __REVOKE__) to the holder's own znode, and only where the holder can hear it.
var revoke = way{verb: VerbRevoke, key: "r", label: "ask to let go", not: whyNotRevoke, plan: planRevoke}

func planRevoke(s Scene) Plan {
	name := say.Printable(s.Claim.Owner())
	p := s.plan(VerbRevoke)
	p.NewData = []byte(s.Claim.Revocable())
	p.Title = "ask " + s.Claim.Called() + " to let go of " + say.Printable(s.Model.Path)
	p.Risk = Elevated
	p.Warnings = append(p.Warnings, "it is a request: "+name+" may take its time or refuse")
	if s.Claim.Hears() == model.HearsLikely {
		p.Warnings = append(p.Warnings, "that "+name+" listens is likely, not seen")
	}
	if n := count(s.Model, holds) - 1; n > 0 && s.Model.Kind.Modes() {
		p.Warnings = append(p.Warnings, plural(n, "other holds it too", "others hold it too")+": a writer gets in when all have let go, so ask each of them")
	}
	if len(p.OldData) > 0 {
		p.Warnings = append(p.Warnings, "this overwrites "+quote(p.OldData)+"; the audit log keeps it")
	}
	for _, line := range predictGone(s) {
		p.Outcome = append(p.Outcome, "if it lets go: "+line)
	}
	return p
}

func whyNotRevoke(s Scene) string {
	c := s.Claim
	if why := s.blind(); why != "" {
		return why
	}
	owner := say.Printable(c.Owner())
	switch {
	case !holds(c):
		return owner + " holds nothing that it could let go"
	case c.Revoked:
		return owner + " has been asked already"
	case c.Revocable() == "":
		return fmt.Sprintf("clients of %s locks cannot be asked to let go: writing to the claim would only destroy %s; breaking it is the only way", s.Model.Dialect, destroyed(s))
	case c.Hears() == model.HearsUnlikely:
		return fmt.Sprintf("%s shows no sign of listening for %s, so writing it would only destroy %s; breaking the claim is the only way", owner, c.Revocable(), destroyed(s))
	case c.Hears() != model.HearsLikely && c.Hears() != model.HearsProven:
		return "it is not known whether " + owner + " listens for " + c.Revocable()
	}
	return ""
}

func destroyed(s Scene) string {
	if n := s.Result.Snapshot.At(s.Claim.Path()); n != nil && len(n.Data) > 0 {
		return "the text " + quote(n.Data)
	}
	return "the znode's data"
}

// restore offers to write back what an earlier revoke overwrote, as long as the word is still there.
var restore = way{verb: VerbRestore, key: "u", label: "restore the data", not: whyNotRestore, plan: planRestore}

func whyNotRestore(s Scene) string {
	return s.blindOr(func() string {
		if !s.Claim.Revoked {
			return "the request is no longer there"
		}
		return ""
	})
}

func planRestore(s Scene) Plan {
	p := s.plan(VerbRestore)
	p.NewData = s.Kept
	p.Title = "restore the data of " + s.Claim.Called() + " on " + say.Printable(s.Model.Path)
	p.Risk = Low
	p.Outcome = []string{"the znode says " + quote(s.Kept) + " again; who has read the request may still act on it"}
	return p
}
