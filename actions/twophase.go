package actions

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// abort offers to vote for a site that has not voted, so that the transaction is decided: one abort is
// enough. The site itself is not told, and its own vote may still come.
var abort = way{verb: VerbAbort, key: "x", label: "abort the transaction", not: whyNotAbort, plan: planAbort}

func planAbort(s Scene) Plan {
	site := say.Printable(s.Claim.Owner())
	p := s.plan(VerbAbort)
	p.Op, p.NewData, p.Risk, p.Confirm = Write, []byte(s.Model.VoteWord(false)), High, "abort"
	p.Title = "vote abort for " + site + " in " + say.Printable(s.Model.Path)
	p.predictData(s, p.NewData)
	p.Outcome = append(p.Outcome, wakes(s, s.Claim.Path())...)
	p.Warnings = append(p.Warnings, site+" is not told, and may write its own vote over this one")
	return p
}

func whyNotAbort(s Scene) string {
	switch {
	case s.Model.State == model.Aborted:
		return "it is aborted already"
	case s.Model.State == model.Committed:
		return "it is decided: every site has voted commit"
	case s.Model.Dialect == layout.HBase:
		return "HBase's procedures are aborted by its own znode, by HBase"
	case s.Claim.Vote() != nil && *s.Claim.Vote() != "":
		return say.Printable(s.Claim.Owner()) + " has voted: choose a site that has not"
	}
	return s.blind()
}
