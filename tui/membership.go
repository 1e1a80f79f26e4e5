package tui

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// MembershipRecipe shows groups: who is in, and since when.
func MembershipRecipe() Recipe {
	return Recipe{Kind: layout.Membership, Plural: "groups", Count: totalMembers, Panel: Panel{
		Words: map[model.Role]string{model.Member: "in"}, Queue: "in", Brief: membersBrief, Draw: drawMembers,
	}}
}

func totalMembers(models []*model.Model) string {
	n := 0
	for _, m := range models {
		n += len(m.Claims)
	}
	return "members " + number(n) + "  empty " + number(countState(models, model.Empty))
}

// membersBrief says when the last one came: that is what changed.
func membersBrief(m *model.Model) brief {
	b := brief{what: string(m.State)}
	if n := len(m.Claims); n > 0 {
		b.what, b.queue = shortOwner(&m.Claims[0]), number(n)+" in"
		for i := range m.Claims {
			if at := m.Claims[i].Created(); at.After(b.since) {
				b.since = at
			}
		}
	}
	return b
}

// drawMembers draws when the members came: a cell a slice of time, the oldest at the left.
func drawMembers(p picture) []line {
	first, last := firstCreated(p.m), time.Time{}
	for i := range p.m.Claims {
		if at := p.m.Claims[i].Created(); at.After(last) {
			last = at
		}
	}
	if len(p.m.Claims) < 2 || first.IsZero() || !p.now.After(first) {
		return nil
	}
	w := max(8, min(48, p.w-44))
	came := make([]int, w)
	for i := range p.m.Claims {
		if at := p.m.Claims[i].Created(); !at.IsZero() && !at.After(p.now) {
			came[min(w-1, int(float64(w)*float64(at.Sub(first))/float64(p.now.Sub(first)+1)))]++
		}
	}
	return []line{p.row("came", span{p.spark(came, w), Accent},
		span{fmt.Sprintf("  first %s ago, last %s ago", say.Age(p.now.Sub(first)), say.Age(p.now.Sub(last))), Dim})}
}
