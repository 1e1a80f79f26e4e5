package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// TwoPhaseRecipe shows two-phase commits: who voted what, what is missing, and the verdict.
func TwoPhaseRecipe() Recipe {
	return Recipe{Kind: layout.TwoPhase, Plural: "transactions", Count: decidedAndNot, Panel: Panel{
		Words: map[model.Role]string{model.Vote: "site"}, Queue: "sites", Vote: true, Brief: votesBrief, Draw: drawVotes,
	}}
}

func decidedAndNot(models []*model.Model) string {
	return fmt.Sprintf("undecided %s  commit %s  abort %s", number(countState(models, model.Undecided)),
		number(countState(models, model.Committed)), number(countState(models, model.Aborted)))
}

func votesBrief(m *model.Model) brief {
	b := brief{what: string(m.State), since: firstCreated(m)}
	voted := 0
	for i := range m.Claims {
		if m.Claims[i].Vote() != nil {
			voted++
		}
	}
	b.queue = fmt.Sprintf("%d/%d voted", voted, len(m.Claims))
	return b
}

// drawVotes draws a cell a site: what it voted, or that its vote is missing.
func drawVotes(p picture) []line {
	if len(p.m.Claims) == 0 {
		return nil
	}
	cells := make([]span, len(p.m.Claims))
	w := 0
	for i := range p.m.Claims {
		cells[i] = p.voteCell(&p.m.Claims[i])
		w = max(w, term.Width(cells[i].text))
	}
	w = min(w+2, max(8, p.w-11))
	each := max(1, (p.w-11)/w)
	var out []line
	for i := 0; i < len(cells); i += each {
		l := p.row(map[bool]string{true: "votes"}[i == 0])
		for _, c := range cells[i:min(len(cells), i+each)] {
			l = append(l, span{term.Fit(c.text, w, p.Ellipsis), c.style})
		}
		if len(out) == 3 && i+each < len(cells) {
			return append(out, p.row("", span{fmt.Sprintf("%s %s more sites", p.Ellipsis, number(len(cells)-i)), Dim}))
		}
		out = append(out, l)
	}
	return out
}

func (p picture) voteCell(c *model.Claim) span {
	name := shortOwner(c)
	switch vote := voteWord(c); vote {
	case "":
		return span{p.Likely + " " + name, Warn}
	case "commit":
		return span{p.Seen + " " + name, Good}
	case "abort":
		return span{p.Refuted + " " + name, Alert}
	default:
		return span{p.Warn + " " + name + " " + vote, Warn}
	}
}

// voteWord is a vote as it is shown: exact, but made safe. Empty: there is none yet.
func voteWord(c *model.Claim) string {
	if c.Vote() == nil {
		return ""
	}
	return strings.TrimSpace(term.Safe(*c.Vote()))
}

// firstCreated is when the first of the claims was made.
func firstCreated(m *model.Model) (at time.Time) {
	for i := range m.Claims {
		if c := m.Claims[i].Created(); !c.IsZero() && (at.IsZero() || c.Before(at)) {
			at = c
		}
	}
	return at
}
