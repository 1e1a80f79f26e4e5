package panel

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Membership shows groups: who is in, and since when.
func Membership() Recipe {
	return Recipe{Kind: layout.Membership, Plural: "groups", Short: "group", Count: totalMembers, Panel: Panel{
		Words: map[model.Role]string{model.Member: "in"}, Titles: Titles{"", "MEMBER", "SINCE"}, Brief: membersBrief, Draw: drawMembers,
	}}
}

func totalMembers(models []*model.Model) string {
	n := 0
	for _, m := range models {
		n += len(m.Claims)
	}
	return "members " + paint.Number(n) + "  empty " + paint.Number(countState(models, model.Empty))
}

func membersBrief(m *model.Model) Brief { return groupBrief(m, "member", "members") }

// groupBrief says when the last one came: that is what changed.
func groupBrief(m *model.Model, one, many string) Brief {
	b := Brief{What: paint.Counted(len(m.Claims), one, many), Waiting: NoLine}
	for i := range m.Claims {
		if at := m.Claims[i].Created(); at.After(b.Since) {
			b.Since = at
		}
	}
	return b
}

// drawMembers draws when the members came: a cell a slice of time, the oldest at the left.
func drawMembers(p chart.Pen) [][]paint.Line {
	first, last := firstCreated(p.Model), time.Time{}
	for i := range p.Model.Claims {
		if at := p.Model.Claims[i].Created(); at.After(last) {
			last = at
		}
	}
	if len(p.Model.Claims) < 2 || first.IsZero() || !p.Now.After(first) {
		return [][]paint.Line{p.Series("members", time.Second)}
	}
	w := max(8, min(48, p.W-42))
	came := make([]int, w)
	for i := range p.Model.Claims {
		if at := p.Model.Claims[i].Created(); !at.IsZero() && !at.After(p.Now) {
			came[min(w-1, int(float64(w)*float64(at.Sub(first))/float64(p.Now.Sub(first)+1)))]++
		}
	}
	return [][]paint.Line{p.Series("members", time.Second), {p.Row("came", paint.Accent.Text(p.Spark(came, w)),
		paint.Dim.Text(fmt.Sprintf("  first %s ago, last %s ago", say.Age(p.Now.Sub(first)), say.Age(p.Now.Sub(last)))))}}
}
