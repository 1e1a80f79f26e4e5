package actions

import (
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// vote offers to write the vote of a transaction's site. Which vote it is has to be asked for: see VoteFor.
var vote = way{verb: VerbVote, key: "v", label: "vote for the site", asks: "commit or abort", not: whyNotVote, plan: func(s Scene) Plan { return VoteFor(s, true) }}

func whyNotVote(s Scene) string {
	return s.blindOr(func() string {
		switch {
		case s.Model.Dialect == layout.HBase:
			return "HBase's members vote by making znodes of their own"
		case s.Claim.Vote() != nil && *s.Claim.Vote() != "":
			return say.Printable(s.Claim.Owner()) + " has voted " + say.Printable(*s.Claim.Vote()) + " already"
		}
		return ""
	})
}

// VoteFor is the plan that writes the vote of the scene's site: commit, else abort. The offer for VerbVote says whether it
// can be done at all.
func VoteFor(s Scene, commit bool) Plan {
	site := say.Printable(s.Claim.Owner())
	p := s.plan(VerbVote)
	p.Op, p.NewData = Write, []byte(s.Model.VoteWord(commit))
	p.Title = "vote " + string(p.NewData) + " for " + site + " in " + say.Printable(s.Model.Path)
	p.Outcome = append([]string{decides(s, p.NewData)}, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, "it cannot be taken back: whoever has read the vote, or the verdict, acts on it")
	if p.Risk = Elevated; !s.Claim.Mine {
		p.Risk, p.Confirm = High, "vote"
		if typeable(s.Claim.Owner()) {
			p.Confirm = s.Claim.Owner()
		}
		p.Warnings = append(p.Warnings, site+" is not our site: it is not told, and may not have done what it is said to be ready for")
	}
	return p
}

// decides says what a vote decides.
func decides(s Scene, data []byte) string {
	after := inspect.Decode(s.Result.Snapshot.WithData(s.Claim.Path(), data), s.Result, s.Hints).ByPath(s.Model.Path)
	switch was := s.Model.State; {
	case after == nil:
		return "what it decides is not known"
	case was == model.Aborted || was == model.Committed:
		return "it decides nothing: the transaction is decided, " + string(was)
	case after.State == model.Aborted:
		return "it decides the transaction: abort, by this vote alone"
	case after.State == model.Committed:
		return "it decides the transaction: commit, since every other site has voted so"
	}
	missing := count(after, func(c *model.Claim) bool { return c.Vote() == nil || *c.Vote() == "" })
	return "the transaction stays undecided: " + plural(missing, "site has", "sites have") + " not voted"
}
