package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// waitsView shows who blocks whom: deadlocks, then trees with the blockers first, then what else is wrong.
func waitsView() *view {
	return &view{name: "waits", key: "3", fades: true, what: "who blocks whom: deadlocks, blocking trees, lost waiters, herds",
		title: func(a *App, _ *page) string {
			return fmt.Sprintf("waits: %s, %s", paint.Counted(len(a.waits.Edges), "wait", "waits"), paint.Counted(likelyDeadlocks(a.waits), "deadlock", "deadlocks"))
		},
		fill: fillWaits,
		empty: func(*App, *page) string {
			return "nobody waits for anybody in the locks, semaphores and elections that are read here"
		}}
}

// likelyDeadlocks counts the cycles that do not undo themselves.
func likelyDeadlocks(w *waits.Waits) (n int) {
	for i := range w.Cycles {
		if w.Cycles[i].Severity > model.Low {
			n++
		}
	}
	return n
}

func fillWaits(a *App, p *page) []item {
	names := waits.Labels(a.res)
	var out []item
	for i := range a.waits.Cycles {
		out = append(out, a.cycleItems(&a.waits.Cycles[i], names)...)
	}
	if !p.filled && p.list.Selected() == "" { // the line to act on is the first thing to be selected
		p.list.Select(suggestion(a.waits))
	}
	out = append(out, a.lostItems(names)...)
	out = append(out, a.overtakeItems()...)
	out = append(out, a.treeItems(names)...)
	return append(out, a.herdItems()...)
}

// label is what a session is called.
func label(names map[znode.SessionID]string, id znode.SessionID) string {
	switch n := names[id]; {
	case id == 0:
		return "nobody's znode"
	case n != "":
		return term.Safe(n)
	}
	return id.String()
}

// called is what a claim is called: by its own name, for the claims of one session may be of several threads; else as its
// session is.
func called(names map[znode.SessionID]string, c *model.Claim, id znode.SessionID) string {
	if c.OwnerSource() == model.FromData && id != 0 {
		return term.Safe(c.Owner())
	}
	return label(names, id)
}

// cycleItems draw a deadlock: the ring, then what breaking each of its claims would do.
func (a *App) cycleItems(c *waits.Cycle, names map[znode.SessionID]string) []item {
	ring := ""
	for i := range c.Waits {
		ring += label(names, c.Waits[i].From) + " " + a.theme.Arrow + " "
	}
	ring += label(names, c.Waits[0].From)
	text := fmt.Sprintf("LOOKS LIKE A DEADLOCK (%s)", c.Severity)
	if !c.Since.IsZero() {
		text += ", for " + say.Age(a.asOf().Sub(c.Since))
	}
	if c.Behind > 0 {
		text += ", " + paint.Counted(c.Behind, "more waits", "more wait") + " behind it"
	}
	head := tell(paint.Alert, a.theme.Alert+" "+text)
	if c.Severity == model.Low {
		head = tell(paint.Dim, "  "+text)
	}
	out := []item{head, tell(paint.Bold, "  "+ring), tell(paint.Dim, "  "+term.Safe(c.Because)+c.Doubt())}
	for i := range c.Waits {
		out = append(out, waitItem(&c.Waits[i], names, 1))
	}
	for i := range c.Breaks {
		out = append(out, breakItem(c, i, names))
		if i == c.Victim && c.Severity > model.Low {
			out = append(out, tell(paint.Dim, "    suggested: "+term.Safe(c.Reason)))
		}
	}
	return append(out, tell(paint.Plain, ""))
}

// suggestion is the line that says which claim of a deadlock to break, or nothing.
func suggestion(w *waits.Waits) string {
	for i := range w.Cycles {
		if c := &w.Cycles[i]; c.Severity > model.Low && c.Victim >= 0 && c.Victim < len(c.Breaks) {
			return breakID(&c.Breaks[c.Victim])
		}
	}
	return ""
}

func breakItem(c *waits.Cycle, i int, names map[znode.SessionID]string) item {
	b := &c.Breaks[i]
	then := "that lets nobody in"
	switch {
	case b.Sure:
		then = term.Safe(b.Next) + " will hold it"
	case b.Next != "":
		then = "next is " + term.Safe(b.Next) + ", if it wakes"
	}
	text, style := "break "+called(names, b.Claim, b.Session)+" on "+term.Safe(b.Path)+": "+then, paint.Plain
	if i == c.Victim && c.Severity > model.Low {
		style = paint.Accent
	}
	return item{id: breakID(b), text: text, to: target{recipe: b.Path, claim: b.Claim.ID(), session: b.Session},
		draw: func(*paint.Theme, time.Time, int) paint.Line { return paint.Line{style.Text("   " + text)} }}
}

// waitItem draws one wait, indented by its depth.
func waitItem(e *waits.Wait, names map[znode.SessionID]string, depth int) item {
	return item{id: fmt.Sprintf("wait %d %s %s", depth, e.Waiter.Path(), e.Blocker.Path()), text: e.Model.Path + " " + called(names, e.Waiter, e.From),
		to: target{recipe: e.Model.Path, claim: e.Waiter.ID(), session: e.From},
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			mark, style := t.Likely, paint.Plain
			switch e.Proof {
			case model.Proven:
				mark = t.Seen
			case model.Refuted:
				mark, style = t.Refuted, paint.Warn
			}
			age := "?"
			if l := e.Waiter.Lasts(now); l != "" {
				age = t.Spelled(l)
			}
			who := strings.Repeat("  ", depth) + t.Corner + " " + called(names, e.Waiter, e.From)
			return t.Cells(w, paint.Cell{Text: who, W: max(20, w/3), Style: style}, paint.Cell{Text: "waits " + age, W: 13}, paint.Cell{Text: mark, W: 1, Style: style},
				paint.Cell{Text: "for " + called(names, e.Blocker, e.To), W: max(14, w/5)}, paint.Cell{Text: term.Safe(e.Model.Path), Style: paint.Dim, Path: true})
		}}
}

func (a *App) lostItems(names map[znode.SessionID]string) []item {
	if len(a.waits.Lost) == 0 {
		return nil
	}
	out := []item{tell(paint.Alert, a.theme.Alert+" lost waiters: no server has their watch, so they do not wake by themselves")}
	for i := range a.waits.Lost {
		it := waitItem(&a.waits.Lost[i], names, 1)
		it.id = "lost " + it.id
		out = append(out, it)
	}
	return append(out, tell(paint.Plain, ""))
}

func (a *App) overtakeItems() []item {
	if len(a.overtakes) == 0 {
		return nil
	}
	out := []item{tell(paint.Warn, a.theme.Warn+" served out of order")}
	for i := len(a.overtakes) - 1; i >= 0; i-- {
		o := a.overtakes[i]
		out = append(out, item{id: fmt.Sprint("over ", i), text: o.text, past: true, to: target{recipe: o.path},
			draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
				return t.Cells(w, paint.Cell{Text: a.clock(o.at), W: 8, Style: paint.Dim}, paint.Cell{Text: o.text})
			}})
	}
	return append(out, tell(paint.Plain, ""))
}

// mostRoots is how many trees are drawn, and mostBranches how far each.
const (
	mostRoots    = 100
	mostBranches = 40
)

// treeItems draw those who block others and wait for nobody, each with who waits behind.
func (a *App) treeItems(names map[znode.SessionID]string) []item {
	var out []item
	for i := range a.waits.Roots {
		if i == mostRoots {
			return append(out, tell(paint.Dim, fmt.Sprintf("%s %s more that block somebody", a.theme.Ellipsis, paint.Number(len(a.waits.Roots)-i))))
		}
		r := a.waits.Roots[i]
		out = append(out, rootItem(&r, names))
		branches, more := a.waits.Branches(r, mostBranches)
		for j := range branches {
			out = append(out, waitItem(&branches[j].Wait, names, branches[j].Depth+1))
		}
		if more > 0 {
			out = append(out, tell(paint.Dim, fmt.Sprintf("    %s %s more behind", a.theme.Ellipsis, paint.Number(more))))
		}
	}
	return out
}

func rootItem(r *waits.Root, names map[znode.SessionID]string) item {
	return item{id: "root " + r.Claim.Path(), text: called(names, r.Claim, r.Session) + " " + r.Model.Path, to: target{recipe: r.Model.Path, claim: r.Claim.ID(), session: r.Session},
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			age := "?"
			if l := r.Claim.Lasts(now); l != "" {
				age = t.Spelled(l)
			}
			does := "holds "
			if r.Claim.Role() == model.Leader {
				does = "leads "
			}
			blocks := fmt.Sprintf("blocks %s", paint.Number(r.Blocks))
			if r.Stands > 0 {
				blocks += fmt.Sprintf(", %s only stand by", paint.Number(r.Stands))
			}
			return t.Cells(w, paint.Cell{Text: called(names, r.Claim, r.Session), W: max(20, w/3), Style: paint.Bold}, paint.Cell{Text: does + age, W: 13},
				paint.Cell{Text: " ", W: 1}, paint.Cell{Text: blocks, W: max(14, w/5), Style: paint.Warn}, paint.Cell{Text: term.Safe(r.Model.Path), Style: paint.Dim, Path: true})
		}}
}

func (a *App) herdItems() []item {
	if len(a.waits.Herds) == 0 {
		return nil
	}
	out := []item{tell(paint.Plain, ""), tell(paint.Warn, a.theme.Warn+" herds: more wake than can go on")}
	for i := range a.waits.Herds {
		h := &a.waits.Herds[i]
		out = append(out, item{id: "herd " + h.Path, text: h.Path, to: target{recipe: h.Model.Path, znode: h.Path},
			draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
				return t.Cells(w, paint.Cell{Text: paint.Number(len(h.Watchers)) + " wake", W: 14}, paint.Cell{Text: term.Safe(h.Path), Path: true})
			}})
	}
	return out
}

func breakID(b *waits.Break) string { return "break " + b.Claim.Path() }
