package inspect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The two-phase commit: every site votes; all for commit decide so, one for abort decides at once.
//
// Layouts:
//
//	Tx/s_<site>, data commit or abort            the recipe document: made empty by the coordinator, then the
//	                                             site writes its vote; or made by each site itself, ephemeral,
//	                                             so that its failure shows; the transaction is Tx's own data
//	transaction/<site>, data COMMIT or ABORT     c.js: all of them belong to the coordinator's session
//	acquired/<instance>/<member>, with           HBase's procedures: a child means prepared; reached/<instance>
//	reached and abort beside acquired            means that all may go on, abort/<instance> that they may not
//
// A vote counts for clients when it is the exact word. One that differs in case or by white space is
// shown as it is and not counted: clients that compare the text will not count it either. Who should vote
// is known to the coordinator alone; a site that vanished before the verdict is remembered as lost.
var twoPhaseKind = survey.KindRow{Kind: layout.TwoPhase, Weigh: weighTwoPhase, Build: buildTwoPhase}

// isSite reports whether a child is called as the recipe document calls a site. Where one is, others that have no
// vote are no sites.
func isSite(c *znode.Node) bool { return strings.HasPrefix(c.Name, "s_") }

func weighTwoPhase(x *survey.Dir) []survey.Evidence {
	sites, votes, others, siteVotes := 0, 0, 0, 0
	for _, c := range x.Node.Children {
		switch {
		case len(c.Children) > 0 || len(c.Data) > 64:
			others++
		case layout.IsVote(c.Data):
			votes++
			if isSite(c) {
				siteVotes++
			}
			fallthrough
		case isSite(c):
			sites++
		case len(c.Data) > 0:
			others++
		}
	}
	says := x.Words.Whole == layout.TwoPhase
	switch {
	case votes > 0 && (says || others == 0 || sites > others || siteVotes > 0 && sites >= others):
		return []survey.Evidence{{Kind: layout.TwoPhase, Weight: 2,
			Why: say.Plural(votes, "child has", "children have") +
				say.Choose(votes, " a vote for its data", " votes for their data")}}
	case says && sites > 0 && others == 0:
		return []survey.Evidence{{Kind: layout.TwoPhase, Weight: 1,
			Why: "its children are named like sites and the path says " + say.Printable(x.Words.Word)}}
	}
	return nil
}

func buildTwoPhase(x *survey.Dir, why []survey.Evidence) *model.Model {
	if x.Place != nil && x.Place.ID == "HBASE-PROC" {
		return buildProcedure(x, why)
	}
	d, commit, abort := layout.ZooKeeper, layout.VoteCommit, layout.VoteAbort
	if capitalVotes(x) {
		d, commit, abort = layout.CJS, strings.ToUpper(layout.VoteCommit), strings.ToUpper(layout.VoteAbort)
	}
	b := x.Recipe(layout.TwoPhase, d, 0.8, why)
	x.Parts = survey.AllChildren
	t := &tally{Builder: b, commit: commit, abort: abort}
	named := slices.ContainsFunc(x.Node.Children, isSite)
	sites := slices.DeleteFunc(slices.Clone(x.Node.Children), func(c *znode.Node) bool {
		return layout.IsFurniture(c.Name) || named && !isSite(c) && !layout.IsVote(c.Data)
	})
	isOne := make(map[*znode.Node]bool, len(sites))
	for _, c := range sites {
		isOne[c] = true
	}
	b.ListForeign(func(c *znode.Node) bool { return isOne[c] })
	survey.ByArrival(sites)
	for _, n := range sites {
		t.vote(n)
	}
	return t.settle()
}

// capitalVotes reports whether the transaction is one of c.js: its node's name and all its votes say so.
func capitalVotes(x *survey.Dir) bool {
	if x.Node.Name != "transaction" {
		return false
	}
	for _, c := range x.Node.Children {
		if len(c.Data) > 0 && string(c.Data) != "COMMIT" && string(c.Data) != "ABORT" {
			return false
		}
	}
	return len(x.Node.Children) > 0
}

// tally counts the votes of a transaction.
type tally struct {
	*survey.Builder
	commit, abort                       string
	commits, aborts, pending, uncounted int
	inexact                             []*model.Claim
}

// vote adds a site's vote.
func (t *tally) vote(n *znode.Node) {
	text := string(n.Data)
	c := t.Item(n, znode.Join(t.Path, n.Name), model.Vote, model.Unsaid)
	c.SetOwner(n.Name, model.FromNode) // the child is named after its site
	if text != "" {
		c.MakeRare().Vote = &text
		if n.Version > 0 && n.Mtime > 0 { // it was written after the site came
			c.SetRoleSince(n.Mtime.Time())
		}
	}
	switch {
	case n.Has(znode.Unreadable) || n.Has(znode.DataOmitted):
		t.uncounted++
		c.Reason = model.VotesUnread
	case text == "":
		t.pending++
		c.Reason = model.VotesNotYet
	case text == t.commit:
		t.commits++
		c.Reason = model.VotesCommit
	case text == t.abort:
		t.aborts++
		c.Reason = model.VotesAbort
	default:
		t.uncounted++
		c.SetWhy(inexactVote(text, t.commit, t.abort))
	}
	if !n.Ephemeral() && text == "" {
		c.SetWhy(c.Why() + "; whether it lives is not known, since no session owns its znode")
	}
}

// inexactVote says what is wrong with a vote that is not the exact word.
func inexactVote(text, commit, abort string) string {
	for _, word := range []string{commit, abort} {
		switch {
		case strings.TrimRight(text, "\r\n") == word:
			return "votes " + word + " with a trailing newline: clients that compare the exact text do not count it"
		case strings.EqualFold(strings.TrimSpace(text), word):
			return "votes " + say.Visible(text) + ", which is not exactly " + word +
				": clients that compare the text do not count it"
		}
	}
	return "its data is not a vote"
}

// settle ends a transaction: verdict, numbers, findings, the sites that were lost.
func (t *tally) settle() *model.Model {
	m := t.Model
	t.Number("commit", t.commits)
	t.Number("abort", t.aborts)
	t.Number("pending", t.pending)
	t.Number("inexact", t.uncounted)
	t.Payload = true
	for i := range m.Claims {
		c := &m.Claims[i]
		if c.Vote() != nil && *c.Vote() != t.commit && *c.Vote() != t.abort {
			t.inexact = append(t.inexact, c)
		}
		t.changedVote(c)
	}
	if len(t.inexact) > 0 {
		t.AddFinding(model.CodeVoteInexact, model.High, model.Names(t.inexact)+
			say.Choose(len(t.inexact), ": its data is", ": their data is")+
			" not an exact vote, and clients that compare the text do not count it", t.inexact...)
	}
	if len(m.Claims) == 0 && t.Node.NumChildren == 0 {
		t.AddFinding(model.CodeNoParticipants, model.Low, "no site takes part yet, or all are gone")
	}
	state := t.verdict()
	if state == model.Committed || state == model.Undecided {
		if t.rememberNays(); len(m.Detail().Nays) > 0 {
			state = model.Aborted
		}
	}
	t.rememberLost(state)
	if state == model.Committed && len(m.Detail().Lost) > 0 {
		state = model.Undecided // not every site voted
	}
	t.CheckExpected()
	return t.Finish(state)
}

// verdict is what the votes decide.
func (t *tally) verdict() model.State {
	switch n := len(t.Model.Claims); {
	case n == 0:
		return model.Empty
	case t.aborts > 0:
		return model.Aborted
	case t.commits == n:
		return model.Committed
	}
	return model.Undecided
}

// changedVote finds a site that voted one way and then another.
func (t *tally) changedVote(c *model.Claim) {
	was := t.Memo.Find(c)
	if was == nil {
		return
	}
	first := was.FirstVote()
	if first == "" && was.Vote() != nil && layout.IsVote([]byte(*was.Vote())) {
		first = *was.Vote()
	}
	if first == "" {
		return
	}
	c.MakeRare().First = first
	if c.Vote() != nil && *c.Vote() == first {
		return
	}
	now := "nothing"
	if c.Vote() != nil {
		now = say.Visible(*c.Vote())
	}
	t.AddFinding(model.CodeVoteChanged, model.High, say.Visible(c.Owner())+" voted "+
		say.Visible(first)+" and says "+now+
		" now: others may have decided by the first", c)
}

// rememberNays finds the sites whose votes have aborted the transaction and that are gone: one that is being cleaned up
// has had its verdict, whatever is left of it.
func (t *tally) rememberNays() {
	old := t.Memo.Old
	if old == nil || old.Kind != layout.TwoPhase || old.State != model.Aborted ||
		!slices.ContainsFunc(old.Claims, t.stays) {
		return
	}
	nays := slices.Clone(old.Detail().Nays)
	for i := range old.Claims {
		was := &old.Claims[i]
		if was.Reason == model.VotesAbort && t.Node.Child(was.Node()) == nil && !slices.Contains(nays, was.Node()) {
			nays = append(nays, was.Node())
		}
	}
	if len(nays) > 0 {
		t.Model.MakeDetail().Nays = nays
	}
}

// stays reports whether a claim of the last picture is still there.
func (t *tally) stays(was model.Claim) bool {
	n := t.Node.Child(was.Node())
	return n != nil && n.Czxid == was.Czxid()
}

// rememberLost finds sites that were in the transaction and left before a verdict.
func (t *tally) rememberLost(state model.State) {
	m := t.Model
	if t.Memo.Old == nil || t.Memo.Old.Kind != layout.TwoPhase {
		return
	}
	lost := slices.Clone(t.Memo.Old.Detail().Lost)
	for i := range t.Memo.Old.Claims {
		was := &t.Memo.Old.Claims[i]
		if t.Node.Child(was.Node()) == nil && t.Memo.Old.State == model.Undecided &&
			!slices.Contains(lost, was.Node()) {
			lost = append(lost, was.Node())
		}
	}
	lost = slices.DeleteFunc(lost, func(name string) bool { return t.Node.Child(name) != nil })
	if len(lost) == 0 {
		return
	}
	m.MakeDetail().Lost = lost
	if state == model.Aborted {
		return
	}
	n := len(m.Claims)
	t.AddFinding(model.CodeParticipantLost, model.High, say.List(lost)+
		" left before the verdict: the transaction shrank from "+
		strconv.Itoa(n+len(lost))+" to "+say.Plural(n, "site", "sites")+" and cannot be taken for committed")
}

// buildProcedure builds one of HBase's procedures from its three directories.
func buildProcedure(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := x.Recipe(layout.TwoPhase, layout.HBase, 0.9, why)
	x.Parts = survey.AllChildren
	root := znode.ParentPath(znode.ParentPath(x.Path))
	reached, aborted := x.DependOn(znode.Join(root, "reached/"+x.Node.Name)),
		x.DependOn(znode.Join(root, "abort/"+x.Node.Name))
	members := slices.Clone(x.Node.Children)
	survey.ByArrival(members)
	done := 0
	for _, n := range members {
		text := model.IsPrepared
		if reached != nil && reached.Child(n.Name) != nil {
			text = model.IsFinished
			done++
		}
		c := b.Item(n, znode.Join(x.Path, n.Name), model.Vote, text)
		c.SetOwner(n.Name, model.FromNode)
	}
	b.Payload = true
	b.Number("commit", len(members))
	b.CheckExpected()
	switch {
	case aborted != nil:
		return b.Finish(model.Aborted)
	case reached != nil:
		return b.Finish(model.Committed)
	case len(members) == 0:
		return b.Finish(model.Empty)
	}
	return b.Finish(model.Undecided)
}
