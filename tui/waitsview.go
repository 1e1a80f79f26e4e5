package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// waitsView shows who blocks whom: deadlocks, then trees with the blockers first, then what else is wrong.
func waitsView() *view {
	return &view{name: "waits", key: "3", fades: true, what: "who blocks whom: deadlocks, blocking trees, lost waiters, herds",
		title: func(a *App, _ *page) string {
			return fmt.Sprintf("waits: %s, %s", counted(len(a.waits.Edges), "wait", "waits"), counted(likelyDeadlocks(a.waits), "deadlock", "deadlocks"))
		},
		fill: fillWaits,
		empty: func(*App, *page) string {
			return "nobody waits for anybody in the locks, semaphores and elections that are read here"
		}}
}

// likelyDeadlocks counts the cycles that do not undo themselves.
func likelyDeadlocks(w *inspect.Waits) (n int) {
	for i := range w.Cycles {
		if w.Cycles[i].Severity > inspect.Low {
			n++
		}
	}
	return n
}

func fillWaits(a *App, p *page) []item {
	names := inspect.Labels(a.res)
	var out []item
	for i := range a.waits.Cycles {
		out = append(out, a.cycleItems(&a.waits.Cycles[i], names)...)
	}
	if p.known == nil && p.sel == "" { // the line to act on is the first thing to be selected
		p.sel = suggestion(a.waits)
	}
	out = append(out, a.lostItems(names)...)
	out = append(out, a.overtakeItems()...)
	out = append(out, a.treeItems(names)...)
	return append(out, a.herdItems()...)
}

// label is what a session is called.
func label(names map[inspect.SessionID]string, id inspect.SessionID) string {
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
func called(names map[inspect.SessionID]string, c *inspect.Claim, id inspect.SessionID) string {
	if c.OwnerSource() == inspect.FromData && id != 0 {
		return term.Safe(c.Owner())
	}
	return label(names, id)
}

// cycleItems draw a deadlock: the ring, then what breaking each of its claims would do.
func (a *App) cycleItems(c *inspect.Cycle, names map[inspect.SessionID]string) []item {
	ring := ""
	for i := range c.Waits {
		ring += label(names, c.Waits[i].From) + " " + a.theme.Arrow + " "
	}
	ring += label(names, c.Waits[0].From)
	text := fmt.Sprintf("LOOKS LIKE A DEADLOCK (%s)", c.Severity)
	if !c.Since.IsZero() {
		text += ", for " + inspect.Age(a.asOf().Sub(c.Since))
	}
	if c.Behind > 0 {
		text += ", " + counted(c.Behind, "more waits", "more wait") + " behind it"
	}
	head := say(Alert, a.theme.Alert+" "+text)
	if c.Severity == inspect.Low {
		head = say(Dim, "  "+text)
	}
	out := []item{head, say(Bold, "  "+ring), say(Dim, "  "+term.Safe(c.Because)+"; threads of one process may differ")}
	for i := range c.Waits {
		out = append(out, waitItem(&c.Waits[i], names, 1))
	}
	for i := range c.Breaks {
		out = append(out, breakItem(c, i, names))
		if i == c.Victim && c.Severity > inspect.Low {
			out = append(out, say(Dim, "    suggested: "+term.Safe(c.Reason)))
		}
	}
	return append(out, say(Plain, ""))
}

// suggestion is the line that says which claim of a deadlock to break, or nothing.
func suggestion(w *inspect.Waits) string {
	for i := range w.Cycles {
		if c := &w.Cycles[i]; c.Severity > inspect.Low && c.Victim >= 0 && c.Victim < len(c.Breaks) {
			return breakID(&c.Breaks[c.Victim])
		}
	}
	return ""
}

func breakItem(c *inspect.Cycle, i int, names map[inspect.SessionID]string) item {
	b := &c.Breaks[i]
	then := "that lets nobody in"
	switch {
	case b.Sure:
		then = term.Safe(b.Next) + " will hold it"
	case b.Next != "":
		then = "next is " + term.Safe(b.Next) + ", if it wakes"
	}
	text, style := "break "+called(names, b.Claim, b.Session)+" on "+term.Safe(b.Path)+": "+then, Plain
	if i == c.Victim && c.Severity > inspect.Low {
		style = Accent
	}
	return item{id: breakID(b), text: text, to: target{recipe: b.Path, claim: b.Claim.ID(), session: b.Session},
		draw: func(*Theme, time.Time, int) line { return line{{"   " + text, style}} }}
}

// waitItem draws one wait, indented by its depth.
func waitItem(e *inspect.Wait, names map[inspect.SessionID]string, depth int) item {
	return item{id: fmt.Sprintf("wait %d %s %s", depth, e.Waiter.Path(), e.Blocker.Path()), text: e.Model.Path + " " + called(names, e.Waiter, e.From),
		to: target{recipe: e.Model.Path, claim: e.Waiter.ID(), session: e.From},
		draw: func(t *Theme, now time.Time, w int) line {
			mark, style := t.Likely, Plain
			switch e.Proof {
			case inspect.Proven:
				mark = t.Seen
			case inspect.Refuted:
				mark, style = t.Refuted, Warn
			}
			age := "?"
			if l := e.Waiter.Lasts(now); l != "" {
				age = t.spelled(l)
			}
			who := strings.Repeat("  ", depth) + t.Corner + " " + called(names, e.Waiter, e.From)
			return t.cells(w, cell{text: who, w: max(20, w/3), style: style}, cell{text: "waits " + age, w: 13}, cell{text: mark, w: 1, style: style},
				cell{text: "for " + called(names, e.Blocker, e.To), w: max(14, w/5)}, cell{text: term.Safe(e.Model.Path), style: Dim, path: true})
		}}
}

func (a *App) lostItems(names map[inspect.SessionID]string) []item {
	if len(a.waits.Lost) == 0 {
		return nil
	}
	out := []item{say(Alert, a.theme.Alert+" lost waiters: no server has their watch, so they do not wake by themselves")}
	for i := range a.waits.Lost {
		it := waitItem(&a.waits.Lost[i], names, 1)
		it.id = "lost " + it.id
		out = append(out, it)
	}
	return append(out, say(Plain, ""))
}

func (a *App) overtakeItems() []item {
	if len(a.overtakes) == 0 {
		return nil
	}
	out := []item{say(Warn, a.theme.Warn+" served out of order")}
	for i := len(a.overtakes) - 1; i >= 0; i-- {
		o := a.overtakes[i]
		out = append(out, item{id: fmt.Sprint("over ", i), text: o.text, past: true, to: target{recipe: o.path},
			draw: func(t *Theme, _ time.Time, w int) line {
				return t.cells(w, cell{text: a.clock(o.at), w: 8, style: Dim}, cell{text: o.text})
			}})
	}
	return append(out, say(Plain, ""))
}

// mostRoots is how many trees are drawn, and mostBranches how far each.
const (
	mostRoots    = 100
	mostBranches = 40
)

// treeItems draw those who block others and wait for nobody, each with who waits behind.
func (a *App) treeItems(names map[inspect.SessionID]string) []item {
	var out []item
	for i := range a.waits.Roots {
		if i == mostRoots {
			return append(out, say(Dim, fmt.Sprintf("%s %s more that block somebody", a.theme.Ellipsis, number(len(a.waits.Roots)-i))))
		}
		r := a.waits.Roots[i]
		out = append(out, rootItem(&r, names))
		branches, more := a.waits.Branches(r, mostBranches)
		for j := range branches {
			out = append(out, waitItem(&branches[j].Wait, names, branches[j].Depth+1))
		}
		if more > 0 {
			out = append(out, say(Dim, fmt.Sprintf("    %s %s more behind", a.theme.Ellipsis, number(more))))
		}
	}
	return out
}

func rootItem(r *inspect.Root, names map[inspect.SessionID]string) item {
	return item{id: "root " + r.Claim.Path(), text: called(names, r.Claim, r.Session) + " " + r.Model.Path, to: target{recipe: r.Model.Path, claim: r.Claim.ID(), session: r.Session},
		draw: func(t *Theme, now time.Time, w int) line {
			age := "?"
			if l := r.Claim.Lasts(now); l != "" {
				age = t.spelled(l)
			}
			does := "holds "
			if r.Claim.Role() == inspect.Leader {
				does = "leads "
			}
			blocks := fmt.Sprintf("blocks %s", number(r.Blocks))
			if r.Stands > 0 {
				blocks += fmt.Sprintf(", %s only stand by", number(r.Stands))
			}
			return t.cells(w, cell{text: called(names, r.Claim, r.Session), w: max(20, w/3), style: Bold}, cell{text: does + age, w: 13},
				cell{text: " ", w: 1}, cell{text: blocks, w: max(14, w/5), style: Warn}, cell{text: term.Safe(r.Model.Path), style: Dim, path: true})
		}}
}

func (a *App) herdItems() []item {
	if len(a.waits.Herds) == 0 {
		return nil
	}
	out := []item{say(Plain, ""), say(Warn, a.theme.Warn+" herds: more wake than can go on")}
	for i := range a.waits.Herds {
		h := &a.waits.Herds[i]
		out = append(out, item{id: "herd " + h.Path, text: h.Path, to: target{recipe: h.Model.Path, znode: h.Path},
			draw: func(t *Theme, _ time.Time, w int) line {
				return t.cells(w, cell{text: number(len(h.Watchers)) + " wake", w: 14}, cell{text: term.Safe(h.Path), path: true})
			}})
	}
	return out
}

func breakID(b *inspect.Break) string { return "break " + b.Claim.Path() }
