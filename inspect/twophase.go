package inspect

import (
	"slices"
	"strconv"
	"strings"
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
var twoPhaseKind = kindRow{kind: TwoPhase, weigh: weighTwoPhase, build: buildTwoPhase}

// Votes, as the recipe document spells them.
const (
	voteCommit = "commit"
	voteAbort  = "abort"
)

// isVote reports whether data is a vote, exact or not.
func isVote(data []byte) bool {
	if len(data) < len(voteAbort) || len(data) > 16 {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(string(data)))
	return word == voteCommit || word == voteAbort
}

// isSite reports whether a child is called as the recipe document calls a site. Where one is, others that have no
// vote are no sites.
func isSite(c *Node) bool { return strings.HasPrefix(c.Name, "s_") }

func weighTwoPhase(x *dir) []Evidence {
	sites, votes, others, siteVotes := 0, 0, 0, 0
	for _, c := range x.node.Children {
		switch {
		case len(c.Children) > 0 || len(c.Data) > 64:
			others++
		case isVote(c.Data):
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
	says := x.words.whole == TwoPhase
	switch {
	case votes > 0 && (says || others == 0 || sites > others || siteVotes > 0 && sites >= others):
		return []Evidence{{TwoPhase, 2, plural(votes, "child has", "children have") + choose(votes, " a vote for its data", " votes for their data")}}
	case says && sites > 0 && others == 0:
		return []Evidence{{TwoPhase, 1, "its children are named like sites and the path says " + Printable(x.words.word)}}
	}
	return nil
}

func buildTwoPhase(x *dir, why []Evidence) *Model {
	if x.place != nil && x.place.ID == "HBASE-PROC" {
		return x.buildProcedure(why)
	}
	d, commit, abort := ZooKeeper, voteCommit, voteAbort
	if x.capitalVotes() {
		d, commit, abort = CJS, strings.ToUpper(voteCommit), strings.ToUpper(voteAbort)
	}
	b := x.recipe(TwoPhase, d, 0.8, why)
	x.parts = all
	t := &tally{builder: b, commit: commit, abort: abort}
	named := slices.ContainsFunc(x.node.Children, isSite)
	sites := slices.DeleteFunc(slices.Clone(x.node.Children), func(c *Node) bool {
		return furniture[c.Name] || named && !isSite(c) && !isVote(c.Data)
	})
	isOne := make(map[*Node]bool, len(sites))
	for _, c := range sites {
		isOne[c] = true
	}
	b.outsiders(func(c *Node) bool { return isOne[c] })
	byArrival(sites)
	for _, n := range sites {
		t.vote(n)
	}
	return t.settle()
}

// capitalVotes reports whether the transaction is one of c.js: its node's name and all its votes say so.
func (x *dir) capitalVotes() bool {
	if x.node.Name != "transaction" {
		return false
	}
	for _, c := range x.node.Children {
		if len(c.Data) > 0 && string(c.Data) != "COMMIT" && string(c.Data) != "ABORT" {
			return false
		}
	}
	return len(x.node.Children) > 0
}

// tally counts the votes of a transaction.
type tally struct {
	*builder
	commit, abort                       string
	commits, aborts, pending, uncounted int
	inexact                             []*Claim
}

// vote adds a site's vote.
func (t *tally) vote(n *Node) {
	text := string(n.Data)
	c := t.item(n, Join(t.path, n.Name), Vote, unsaid)
	c.called(n.Name, FromNode) // the child is named after its site
	if text != "" {
		c.rarely().vote = &text
	}
	switch {
	case n.Has(Unreadable) || n.Has(DataOmitted):
		t.uncounted++
		c.reason = votesUnread
	case text == "":
		t.pending++
		c.reason = votesNotYet
	case text == t.commit:
		t.commits++
		c.reason = votesCommit
	case text == t.abort:
		t.aborts++
		c.reason = votesAbort
	default:
		t.uncounted++
		c.say(inexactVote(text, t.commit, t.abort))
	}
	if !n.Ephemeral() && text == "" {
		c.say(c.Why() + "; whether it lives is not known, since no session owns its znode")
	}
}

// inexactVote says what is wrong with a vote that is not the exact word.
func inexactVote(text, commit, abort string) string {
	for _, word := range []string{commit, abort} {
		switch {
		case strings.TrimRight(text, "\r\n") == word:
			return "votes " + word + " with a trailing newline: clients that compare the exact text do not count it"
		case strings.EqualFold(strings.TrimSpace(text), word):
			return "votes " + visible(text) + ", which is not exactly " + word + ": clients that compare the text do not count it"
		}
	}
	return "its data is no vote"
}

// settle ends a transaction: verdict, numbers, findings, the sites that were lost.
func (t *tally) settle() *Model {
	m := t.model
	t.number("commit", t.commits)
	t.number("abort", t.aborts)
	t.number("pending", t.pending)
	t.number("inexact", t.uncounted)
	t.payload = true
	for i := range m.Claims {
		c := &m.Claims[i]
		if c.Vote() != nil && *c.Vote() != t.commit && *c.Vote() != t.abort {
			t.inexact = append(t.inexact, c)
		}
		t.changedVote(c)
	}
	if len(t.inexact) > 0 {
		t.add(CodeVoteInexact, High, names(t.inexact)+choose(len(t.inexact), ": its data is", ": their data is")+
			" not an exact vote, and clients that compare the text do not count it", t.inexact...)
	}
	if len(m.Claims) == 0 && t.node.NumChildren == 0 {
		t.add(CodeNoParticipants, Low, "no site takes part yet, or all are gone")
	}
	state := t.verdict()
	if state == Committed || state == Undecided {
		if t.rememberNays(); len(m.detail().nays) > 0 {
			state = Aborted
		}
	}
	t.rememberLost(state)
	if state == Committed && len(m.detail().lost) > 0 {
		state = Undecided // not every site voted
	}
	t.missing()
	return t.finish(state)
}

// verdict is what the votes decide.
func (t *tally) verdict() State {
	switch n := len(t.model.Claims); {
	case n == 0:
		return Empty
	case t.aborts > 0:
		return Aborted
	case t.commits == n:
		return Committed
	}
	return Undecided
}

// changedVote finds a site that voted one way and then another.
func (t *tally) changedVote(c *Claim) {
	was := t.memo.find(c)
	if was == nil {
		return
	}
	first := was.firstVote()
	if first == "" && was.Vote() != nil && isVote([]byte(*was.Vote())) {
		first = *was.Vote()
	}
	if first == "" {
		return
	}
	c.rarely().first = first
	if c.Vote() != nil && *c.Vote() == first {
		return
	}
	now := "nothing"
	if c.Vote() != nil {
		now = visible(*c.Vote())
	}
	t.add(CodeVoteChanged, High, visible(c.Owner())+" voted "+visible(first)+" and says "+now+
		" now: others may have decided by the first", c)
}

// rememberNays finds the sites whose votes have aborted the transaction and that are gone: one that is being cleaned up
// has had its verdict, whatever is left of it.
func (t *tally) rememberNays() {
	old := t.memo.old
	if old == nil || old.Kind != TwoPhase || old.State != Aborted || !slices.ContainsFunc(old.Claims, t.stays) {
		return
	}
	nays := slices.Clone(old.detail().nays)
	for i := range old.Claims {
		was := &old.Claims[i]
		if was.reason == votesAbort && t.node.Child(was.Node()) == nil && !slices.Contains(nays, was.Node()) {
			nays = append(nays, was.Node())
		}
	}
	if len(nays) > 0 {
		t.model.detailed().nays = nays
	}
}

// stays reports whether a claim of the last picture is still there.
func (t *tally) stays(was Claim) bool {
	n := t.node.Child(was.Node())
	return n != nil && n.Czxid == was.Czxid()
}

// rememberLost finds sites that were in the transaction and left before a verdict.
func (t *tally) rememberLost(state State) {
	m := t.model
	if t.memo.old == nil || t.memo.old.Kind != TwoPhase {
		return
	}
	lost := slices.Clone(t.memo.old.detail().lost)
	for i := range t.memo.old.Claims {
		was := &t.memo.old.Claims[i]
		if t.node.Child(was.Node()) == nil && t.memo.old.State == Undecided && !slices.Contains(lost, was.Node()) {
			lost = append(lost, was.Node())
		}
	}
	lost = slices.DeleteFunc(lost, func(name string) bool { return t.node.Child(name) != nil })
	if len(lost) == 0 {
		return
	}
	m.detailed().lost = lost
	if state == Aborted {
		return
	}
	n := len(m.Claims)
	t.add(CodeParticipantLost, High, list(lost)+" left before the verdict: the transaction shrank from "+
		strconv.Itoa(n+len(lost))+" to "+plural(n, "site", "sites")+" and cannot be taken for committed")
}

// buildProcedure builds one of HBase's procedures from its three directories.
func (x *dir) buildProcedure(why []Evidence) *Model {
	b := x.recipe(TwoPhase, HBase, 0.9, why)
	x.parts = all
	root := parentPath(parentPath(x.path))
	reached, aborted := x.dependOn(Join(root, "reached/"+x.node.Name)), x.dependOn(Join(root, "abort/"+x.node.Name))
	members := slices.Clone(x.node.Children)
	byArrival(members)
	done := 0
	for _, n := range members {
		text := isPrepared
		if reached != nil && reached.Child(n.Name) != nil {
			text = isFinished
			done++
		}
		c := b.item(n, Join(x.path, n.Name), Vote, text)
		c.called(n.Name, FromNode)
	}
	b.payload = true
	b.number("commit", len(members))
	b.missing()
	switch {
	case aborted != nil:
		return b.finish(Aborted)
	case reached != nil:
		return b.finish(Committed)
	case len(members) == 0:
		return b.finish(Empty)
	}
	return b.finish(Undecided)
}

// VoteWord returns what a site of the transaction writes to vote: commit, else abort, as its clients spell it.
func (m *Model) VoteWord(commit bool) string {
	word := voteAbort
	if commit {
		word = voteCommit
	}
	if m.Dialect == CJS {
		return strings.ToUpper(word)
	}
	return word
}
