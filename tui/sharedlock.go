package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// SharedLockRecipe shows read/write locks: readers together, writers alone.
func SharedLockRecipe() Recipe {
	return Recipe{Kind: layout.SharedLock, Plural: "shared locks", Count: readWriteFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Queue: "wait", Mode: true, Draw: drawWaves,
	}}
}

func readWriteFree(models []*model.Model) string {
	return fmt.Sprintf("read %s  write %s  free %s", number(countState(models, model.Reading)),
		number(countState(models, model.Writing)), number(countState(models, model.Free)))
}

// drawWaves draws readers and writers in the order in which they get in: readers that follow each other go
// together, a writer goes alone.
func drawWaves(p picture) []line {
	claims := p.m.Claims
	if len(claims) < 2 {
		return nil
	}
	var out []line
	for from := 0; from < len(claims); {
		to := from + 1
		for to < len(claims) && together(&claims[from], &claims[to]) {
			to++
		}
		label, style := "then", Plain
		if holdsRole(claims[from].Role()) {
			label, style = "inside", Good
		}
		if len(out) == 3 && to < len(claims) {
			return append(out, p.row("", span{fmt.Sprintf("%s %s more behind", p.Ellipsis, number(len(claims)-from)), Dim}))
		}
		mode := claims[from].Mode()
		out = append(out, p.row(label, span{fmt.Sprintf("%-6s", mode), Dim}, span{p.names(claims[from:to], " "+p.Dot+" ", p.w-18), style}))
		from = to
	}
	return out
}

// together reports whether two neighbours in line share the lock.
func together(a, b *model.Claim) bool {
	return a.Mode() == layout.Read && b.Mode() == layout.Read && holdsRole(a.Role()) == holdsRole(b.Role())
}
