package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// What a site can vote.
const (
	voteCommit = "commit"
	voteAbort  = "abort"
)

// voteForm asks how a site of the selected transaction votes, and goes on with the plan.
func (a *App) voteForm() {
	m, c := a.subject()
	if m == nil || m.Kind != inspect.TwoPhase {
		a.say("select a transaction to vote in", Warn)
		return
	}
	var sites []string
	czxids := map[string]inspect.Zxid{}
	for i := range m.Claims {
		if c := &m.Claims[i]; !voted(c) {
			sites = append(sites, c.Node())
			czxids[c.Node()] = c.Czxid()
		}
	}
	if len(sites) == 0 {
		a.say("every site has voted", Warn)
		return
	}
	first := sites[0]
	if c != nil && slices.Contains(sites, c.Node()) {
		first = c.Node()
	}
	a.fill(&form{title: "vote in " + term.Safe(m.Path), do: "go on", ready: true,
		fields: []field{{label: "site", value: first, options: sites}, {label: "vote", value: voteCommit, options: []string{voteCommit, voteAbort}}},
		check:  func(a *App, v []string) string { return a.votedMeanwhile(m.Path, v[0], czxids[v[0]]) },
		then:   func(a *App, v []string) tea.Cmd { return a.vote(m.Path, v[0], czxids[v[0]], v[1] == voteCommit) }})
}

func voted(c *inspect.Claim) bool { return c.Vote() != nil && *c.Vote() != "" }

// siteOf finds the znode of a site of a transaction by its czxid; nil when it is not there or was made anew.
func (a *App) siteOf(tx, site string, czxid inspect.Zxid) (*inspect.Model, *inspect.Claim) {
	if m, c, _ := a.res.RecipeAt(inspect.Join(tx, site)); c != nil && m.Kind == inspect.TwoPhase && c.Czxid() == czxid {
		return m, c
	}
	return nil, nil
}

// votedMeanwhile says why a site cannot be voted for any more; empty when it can.
func (a *App) votedMeanwhile(tx, site string, czxid inspect.Zxid) string {
	m := a.res.ByPath(tx)
	if m == nil || m.Kind != inspect.TwoPhase {
		return "the transaction is gone: esc closes this"
	}
	switch _, c := a.siteOf(tx, site, czxid); {
	case c != nil && voted(c):
		return term.Safe(site) + " has voted " + term.Safe(*c.Vote()) + " meanwhile: esc closes this"
	case c != nil:
		return ""
	case slices.ContainsFunc(m.Claims, func(c inspect.Claim) bool { return c.Node() == site }):
		return "this is another transaction now, made anew since: esc closes this"
	}
	return term.Safe(site) + " is gone: esc closes this"
}

// vote opens the plan of a vote: what it decides, for whom, and that it cannot be taken back.
func (a *App) vote(tx, site string, czxid inspect.Zxid, commit bool) tea.Cmd {
	m, c := a.siteOf(tx, site, czxid)
	if c == nil {
		a.say(term.Safe(site)+" is gone: nothing was done", Warn)
		return nil
	}
	return a.askPlan(actions.VoteFor(a.opts.Operator.Scene(a.res, m, c, a.now), commit))
}
