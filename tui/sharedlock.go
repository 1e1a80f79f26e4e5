package tui

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect"
)

// SharedLockRecipe shows read/write locks: readers together, writers alone.
func SharedLockRecipe() Recipe {
	return Recipe{Kind: inspect.SharedLock, Plural: "shared locks", Count: readWriteFree, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Holder: "HOLD", inspect.Waiter: "wait"}, Queue: "wait", Mode: true, Draw: drawWaves,
	}}
}

func readWriteFree(models []*inspect.Model) string {
	return fmt.Sprintf("read %s  write %s  free %s", number(countState(models, inspect.Reading)),
		number(countState(models, inspect.Writing)), number(countState(models, inspect.Free)))
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
func together(a, b *inspect.Claim) bool {
	return a.Mode() == inspect.Read && b.Mode() == inspect.Read && holdsRole(a.Role()) == holdsRole(b.Role())
}
