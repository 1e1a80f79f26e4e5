package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// SharedLock shows read/write locks: readers together, writers alone.
func SharedLock() Recipe {
	return Recipe{Kind: layout.SharedLock, Plural: "shared locks", Short: "rwlock", Count: readWriteFree, Panel: Panel{
		Words: map[model.Role]string{model.Holder: "HOLD", model.Waiter: "wait"}, Mode: true, Brief: sharedBrief, Draw: drawWaves,
	}}
}

func readWriteFree(models []*model.Model) string {
	return fmt.Sprintf("read %s  write %s  free %s", paint.Number(countState(models, model.Reading)),
		paint.Number(countState(models, model.Writing)), paint.Number(countState(models, model.Free)))
}

func sharedBrief(m *model.Model) Brief {
	b := claimsBrief(m)
	switch n := Holding(m); {
	case n > 1:
		b.What = paint.Number(n) + " readers"
	case n == 1 && m.Claims[0].Mode() == layout.Write:
		b.What = "writer " + b.What
	}
	return b
}

// drawWaves draws readers and writers in the order in which they get in: readers that follow each other go
// together, a writer goes alone.
func drawWaves(p Pen) []paint.Line {
	claims := p.Model.Claims
	if len(claims) < 2 {
		return nil
	}
	var out []paint.Line
	for from := 0; from < len(claims); {
		to := from + 1
		for to < len(claims) && together(&claims[from], &claims[to]) {
			to++
		}
		label, style := "then", paint.Plain
		if HoldsRole(claims[from].Role()) {
			label, style = "inside", paint.Good
		}
		if len(out) == 3 && to < len(claims) {
			return append(out, p.row("", paint.Dim.Text(fmt.Sprintf("%s %s more behind", p.Ellipsis, paint.Number(len(claims)-from)))))
		}
		mode := claims[from].Mode()
		out = append(out, p.row(label, paint.Dim.Text(fmt.Sprintf("%-6s", mode)), style.Text(names(p.Theme, claims[from:to], " "+p.Dot+" ", p.W-18))))
		from = to
	}
	return out
}

// together reports whether two neighbours in line share the lock.
func together(a, b *model.Claim) bool {
	return a.Mode() == layout.Read && b.Mode() == layout.Read && HoldsRole(a.Role()) == HoldsRole(b.Role())
}
