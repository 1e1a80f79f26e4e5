package act

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// What a site can vote.
const (
	voteCommit = "commit"
	voteAbort  = "abort"
)

// VoteHere votes for what is selected.
func (h *Hand) VoteHere() tea.Cmd { return h.VoteKey(h.screen.Picked()) }

// VoteKey votes for the site that is named; for one of ours where only the transaction is; else it asks for which.
func (h *Hand) VoteKey(all []Stake) tea.Cmd {
	if len(all) == 0 || !all[0].Model.Kind.Votes() {
		h.host.Say("select a transaction to vote in", paint.Warn)
		return nil
	}
	if all[0].Claim == nil {
		return h.voteIn(all[0].Model, nil)
	}
	return h.Which("vote", all, h.voteIn)
}

// voteIn asks how a site of a transaction votes, and goes on with the plan. Where no site is named it is one of ours that
// has not voted; else the only one that has not, or it asks for which.
func (h *Hand) voteIn(m *model.Model, c *model.Claim) tea.Cmd {
	var open []Stake
	for i := range m.Claims {
		if x := &m.Claims[i]; !voted(x) {
			open = append(open, Stake{Model: m, Claim: x})
		}
	}
	if c == nil {
		if i := slices.IndexFunc(open, func(s Stake) bool { return h.isOurs(m, s.Claim) }); i >= 0 {
			c = open[i].Claim
		} else if len(open) == 1 {
			c = open[0].Claim
		}
	}
	switch {
	case len(open) == 0:
		h.host.Say("every site has voted", paint.Warn)
	case c != nil && voted(c):
		h.host.Say(hasVoted(c), paint.Warn)
	case c != nil:
		h.voteForm(m, c)
	default:
		h.stack.Open(h.host, h.whichMenu("vote: for which site?", open, h.voteIn))
	}
	return nil
}

// voteForm asks how a site votes.
func (h *Hand) voteForm(m *model.Model, c *model.Claim) {
	tx, site, czxid := m.Path, c.Node(), c.Czxid()
	h.stack.Open(h.host, &layer.Form{Title: "vote for " + term.Safe(site) + " in " + term.Safe(tx), Do: "go on", Ready: true,
		Fields: []layer.Field{{Label: "vote", Value: voteCommit, Options: []string{voteCommit, voteAbort}}},
		Check:  func(_ []string) string { return h.votedMeanwhile(tx, site, czxid) },
		Then:   func(v []string) tea.Cmd { return h.vote(tx, site, czxid, v[0] == voteCommit) }})
}

func hasVoted(c *model.Claim) string {
	return term.Safe(c.Node()) + " has voted " + term.Safe(*c.Vote()) + " already: select a site that has not"
}

// isOurs reports whether a site is of a session of ours, or of a place that we took.
func (h *Hand) isOurs(m *model.Model, c *model.Claim) bool {
	return c.Mine || slices.ContainsFunc(h.shown.Places, func(p backend.Place) bool {
		st := p.State()
		return p.Want().Path == m.Path && !st.Phase.Over() && st.Node == c.Path()
	})
}

func voted(c *model.Claim) bool { return c.Vote() != nil && *c.Vote() != "" }

// siteOf finds the znode of a site of a transaction by its czxid; nil when it is not there or was made anew.
func (h *Hand) siteOf(tx, site string, czxid znode.Zxid) (*model.Model, *model.Claim) {
	if m, c, _ := h.shown.Result.RecipeAt(znode.Join(tx, site)); c != nil && m.Kind.Votes() && c.Czxid() == czxid {
		return m, c
	}
	return nil, nil
}

// votedMeanwhile says why a site cannot be voted for any more; empty when it can.
func (h *Hand) votedMeanwhile(tx, site string, czxid znode.Zxid) string {
	m := h.shown.Result.ByPath(tx)
	if m == nil || !m.Kind.Votes() {
		return "the transaction is gone: esc closes this"
	}
	switch _, c := h.siteOf(tx, site, czxid); {
	case c != nil && voted(c):
		return term.Safe(site) + " has voted " + term.Safe(*c.Vote()) + " meanwhile: esc closes this"
	case c != nil:
		return ""
	case slices.ContainsFunc(m.Claims, func(c model.Claim) bool { return c.Node() == site }):
		return "this is another transaction now, created since: esc closes this"
	}
	return term.Safe(site) + " is gone: esc closes this"
}

// vote opens the plan of a vote: what it decides, for whom, and that it cannot be taken back.
func (h *Hand) vote(tx, site string, czxid znode.Zxid, commit bool) tea.Cmd {
	m, c := h.siteOf(tx, site, czxid)
	if c == nil {
		h.host.Say(term.Safe(site)+" is gone: nothing was done", paint.Warn)
		return nil
	}
	return h.askPlan(actions.VoteFor(h.Means.Operator.Scene(h.shown.Result, m, c, h.shown.Now), commit))
}
