package actions

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// predictGone says what would follow if the scene's claim went away.
func predictGone(s Scene) []string {
	f := waits.FateOf(s.Result, s.Model, s.Claim)
	if f.Gone {
		return []string{"no claim is left: " + freeWord(s.Model.Kind)}
	}
	lines := []string{f.Then(s.Model.Kind)}
	if f.Left > 0 {
		lines = append(lines, plural(f.Left, "keeps waiting", "keep waiting"))
	}
	return append(lines, f.Woken())
}

func freeWord(k layout.Kind) string {
	if k.Leads() {
		return "there will be no leader"
	}
	return "it will be free"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func count(m *model.Model, ok func(*model.Claim) bool) (n int) {
	for i := range m.Claims {
		if ok(&m.Claims[i]) {
			n++
		}
	}
	return n
}

// predictWithout says how the recipe would stand without the scene's claim.
func (p *Plan) predictWithout(s Scene) {
	p.stands(s, s.Result.Snapshot.WithDeleted(s.Claim.Path()))
}

// predictData says how the recipe would stand if the claim's znode had other data.
func (p *Plan) predictData(s Scene, data []byte) {
	p.stands(s, s.Result.Snapshot.WithData(s.Claim.Path(), data))
}

// stands foresees the recipe's summary in a simulated snapshot.
func (p *Plan) stands(s Scene, snap *znode.Snapshot) {
	after := inspect.Decode(snap, s.Result, s.Hints).ByPath(s.Model.Path)
	if after == nil {
		p.Outcome = append(p.Outcome, "nothing is left of it")
		return
	}
	line := after.Summary(s.Now)
	p.Outcome = append(p.Outcome, line)
	p.runs(line, after.Summary(time.Time{}))
}

// wakes says which sessions hear of a change of a znode, where the servers told who watches it.
func wakes(s Scene, path string) []string {
	switch n := waits.Wakes(s.Result, path); {
	case s.Result.Snapshot.Watches == nil:
		return []string{"who is woken is not known: no server was asked about watches"}
	case n == nil:
		return []string{"who is woken is not known: not every server listed its watches"}
	case *n == 0:
		return []string{"nobody is seen watching it"}
	default:
		return []string{plural(*n, "session is woken", "sessions are woken")}
	}
}
