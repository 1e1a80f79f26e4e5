package panel

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// TwoPhase shows two-phase commits: who voted what, what is missing, and the verdict.
func TwoPhase() Recipe {
	return Recipe{Kind: layout.TwoPhase, Plural: "transactions", Short: "2pc", Count: decidedAndNot, Panel: Panel{
		Words: map[model.Role]string{model.Vote: "site"}, Titles: Titles{"", "SITE", "FOR"}, Vote: true, Brief: votesBrief, Draw: drawVotes,
	}}
}

func decidedAndNot(models []*model.Model) string {
	return fmt.Sprintf("undecided %s  commit %s  abort %s", paint.Number(countState(models, model.Undecided)),
		paint.Number(countState(models, model.Committed)), paint.Number(countState(models, model.Aborted)))
}

func votesBrief(m *model.Model) Brief {
	b := Brief{What: string(m.State), Since: firstCreated(m), Waiting: NoLine}
	voted := 0
	for i := range m.Claims {
		if m.Claims[i].Vote() != nil {
			voted++
		}
	}
	switch m.State {
	case model.Committed, model.Aborted:
		b.Since = time.Time{} // it is over: the summary says since when
	case model.Undecided:
		b.What = fmt.Sprintf("%d of %d voted", voted, len(m.Claims))
	}
	return b
}

// manySites is from how many on the votes are drawn as a grid beside the table.
const manySites = 9

// drawVotes draws a cell a site, where there are many: what it voted, or that its vote is missing.
func drawVotes(p chart.Pen) [][]paint.Line {
	if len(p.Model.Claims) < manySites {
		return nil
	}
	return [][]paint.Line{votes(p)}
}

func votes(p chart.Pen) []paint.Line {
	cells := make([]paint.Span, len(p.Model.Claims))
	w := 0
	for i, c := range Lacking(p.Model.Claims) {
		cells[i] = voteCell(p, c)
		w = max(w, term.Width(cells[i].Text))
	}
	w = min(w+2, max(8, p.W-11))
	each := max(1, (p.W-11)/w)
	var out []paint.Line
	for i := 0; i < len(cells); i += each {
		l := p.Row(paint.OnFirst(i, "votes"))
		for _, c := range cells[i:min(len(cells), i+each)] {
			l = append(l, c.Style.Text(term.Fit(c.Text, w, p.Ellipsis)))
		}
		if len(out) == 3 && i+each < len(cells) {
			return append(out, p.Row("", paint.Dim.Text(p.Ellipsis+" "+paint.Counted(len(cells)-i, "more site", "more sites"))))
		}
		out = append(out, l)
	}
	return out
}

// Lacking are claims with those last that have not voted.
func Lacking(claims []model.Claim) []*model.Claim {
	out, lack := make([]*model.Claim, 0, len(claims)), []*model.Claim(nil)
	for i := range claims {
		if c := &claims[i]; c.Vote() == nil {
			lack = append(lack, c)
		} else {
			out = append(out, c)
		}
	}
	return append(out, lack...)
}

func voteCell(p chart.Pen, c *model.Claim) paint.Span {
	name := chart.ShortOwner(c)
	switch vote := VoteWord(c); vote {
	case "":
		return paint.Warn.Text(p.Likely + " " + name)
	case "commit":
		return paint.Good.Text(p.Seen + " " + name)
	case "abort":
		return paint.Alert.Text(p.Refuted + " " + name)
	default:
		return paint.Warn.Text(p.Warn + " " + name + " " + vote)
	}
}

// VoteWord is a vote as it is shown: exact, but made safe. Empty: there is none yet.
func VoteWord(c *model.Claim) string {
	if c.Vote() == nil {
		return ""
	}
	return strings.TrimSpace(term.Safe(*c.Vote()))
}
