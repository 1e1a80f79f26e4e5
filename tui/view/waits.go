package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// waitsView shows who blocks whom: deadlocks, then trees with the blockers first, then what else is wrong.
func waitsView() *View {
	return &View{Name: "waits", Key: "3", fades: true, What: "who blocks whom: deadlocks, blocking trees, lost waiters, herds",
		Title: func(sh *Shown, _ *Page) string {
			return fmt.Sprintf("waits: %s, %s", paint.Number(len(sh.Waits.Edges)), paint.Counted(Deadlocks(sh.Waits), "deadlock", "deadlocks"))
		},
		Fill:   fillWaits,
		orders: []string{"behind", "who", "for", "path"},
		cols:   func(_ *Page, w int) []paint.Column { return waitColumns(w) },
		empty: func(*Shown, *Page) string {
			return "nobody waits for anybody in the locks, semaphores and elections that are read here"
		}}
}

// Deadlocks counts the cycles that do not undo themselves.
func Deadlocks(w *waits.Waits) (n int) {
	for i := range w.Cycles {
		if w.Cycles[i].Severity > model.Low {
			n++
		}
	}
	return n
}

func fillWaits(sh *Shown, p *Page) []Item {
	names := waits.Labels(sh.Result)
	var out []Item
	for i := range sh.Waits.Cycles {
		out = append(out, sh.cycleItems(&sh.Waits.Cycles[i], names)...)
	}
	if !p.filled && p.List.Selected() == "" { // the line to act on is the first thing to be selected
		p.List.Select(suggestion(sh.Waits))
	}
	out = append(out, sh.lostItems(names)...)
	out = append(out, sh.overtakeItems()...)
	out = append(out, sh.treeItems(p, names)...)
	return append(out, sh.herdItems()...)
}

// label is what a session is called.
func label(names map[znode.SessionID]string, id znode.SessionID) string {
	switch n := names[id]; {
	case id == 0:
		return "a znode that no session owns"
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
func (sh *Shown) cycleItems(c *waits.Cycle, names map[znode.SessionID]string) []Item {
	who := func(e *waits.Wait) string {
		if c.InLine() {
			return called(names, e.Waiter, e.From)
		}
		return label(names, e.From)
	}
	ring := ""
	for i := range c.Waits {
		ring += who(&c.Waits[i]) + " " + sh.Theme.Arrow + " "
	}
	ring += who(&c.Waits[0])
	text := fmt.Sprintf("LOOKS LIKE A DEADLOCK (%s)", c.Severity)
	if span := c.Lasts(sh.AsOf()); span != "" {
		text += ", for " + sh.Theme.Spelled(span)
	}
	if crowd := c.Crowd(paint.Number); crowd != "" {
		text += ", " + crowd
	}
	head := tell(paint.Alert, sh.Theme.Alert+" "+text)
	if c.Severity == model.Low {
		head = tell(paint.Dim, "  "+text)
	}
	out := []Item{head, tell(paint.Bold, "  "+ring)}
	for _, l := range term.Wrap(term.Safe(c.Because)+c.Doubt(), sh.Size.W-4, 0, "") {
		out = append(out, tell(paint.Dim, "  "+l))
	}
	for i := range c.Waits {
		out = append(out, waitItem("ring", &waits.Branch{Wait: c.Waits[i]}, names))
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

func breakItem(c *waits.Cycle, i int, names map[znode.SessionID]string) Item {
	b := &c.Breaks[i]
	then := "nobody would hold it"
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
	return Item{ID: breakID(b), text: text, To: target{Recipe: b.Path, Claim: b.Claim.ID(), Session: b.Session},
		draw: func(*paint.Theme, time.Time, int) paint.Line { return paint.Line{style.Text("   " + text)} }}
}

// waitItem draws one wait, indented by its depth. Whether it is behind the one above it may be only likely.
// waitItem is a wait in a ring, or in the tree of a root, where each comes once. It is the same line wherever in there it moves.
func waitItem(place string, b *waits.Branch, names map[znode.SessionID]string) Item {
	e, depth := &b.Wait, b.Depth+1
	return Item{ID: place + " " + e.Waiter.Path(), text: e.Model.Path + " " + called(names, e.Waiter, e.From),
		To: target{Recipe: e.Model.Path, Claim: e.Waiter.ID(), Session: e.From},
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			style := paint.Plain
			if e.Proof == model.Refuted {
				style = paint.Warn
			}
			who := strings.Repeat("  ", depth) + t.Corner + " "
			if b.Across {
				who += t.Likely + " "
			}
			who += called(names, e.Waiter, e.From)
			g := t.Grid(w, waitColumns(w)...)
			return g.Row(style.Text(who), paint.Plain.Text("waits "+chart.Lasts(t, e.Waiter, now)), style.Text(chart.ProofSign(t, e.Proof)),
				paint.Plain.Text(called(names, e.Blocker, e.To)), paint.Dim.Text(term.Safe(e.Model.Path)))
		}}
}

func (sh *Shown) lostItems(names map[znode.SessionID]string) []Item {
	if len(sh.Waits.Lost) == 0 {
		return nil
	}
	out := []Item{tell(paint.Alert, sh.Theme.Alert+" lost waiters: no server has their watch, so they do not wake by themselves")}
	for i := range sh.Waits.Lost {
		out = append(out, waitItem("lost", &waits.Branch{Wait: sh.Waits.Lost[i]}, names))
	}
	return append(out, tell(paint.Plain, ""))
}

func (sh *Shown) overtakeItems() []Item {
	if len(sh.Overtakes) == 0 {
		return nil
	}
	out := []Item{tell(paint.Warn, sh.Theme.Warn+" served out of order")}
	for i := len(sh.Overtakes) - 1; i >= 0; i-- {
		o := sh.Overtakes[i]
		out = append(out, Item{ID: fmt.Sprint("over ", i), text: o.Text, Past: true, To: target{Recipe: o.Path},
			draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
				return t.Cells(w, paint.Dim.Cell(sh.Clock(o.At), 8), paint.Plain.Cell(o.Text, 0))
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
func (sh *Shown) treeItems(p *Page, names map[znode.SessionID]string) []Item {
	var out []Item
	roots := inOrder(p, slices.Clone(sh.Waits.Roots), rootID, func(r waits.Root, by string) rank { return rootRank(&r, by, names) })
	for i, r := range roots {
		if i == mostRoots {
			return append(out, tell(paint.Dim, fmt.Sprintf("%s %s more that block somebody", sh.Theme.Ellipsis, paint.Number(len(roots)-i))))
		}
		out = append(out, rootItem(&r, names))
		branches, more := sh.Waits.Branches(r, mostBranches)
		for j := range branches {
			out = append(out, waitItem("wait "+rootID(r), &branches[j], names))
		}
		if more > 0 {
			out = append(out, tell(paint.Dim, fmt.Sprintf("    %s %s more behind", sh.Theme.Ellipsis, paint.Number(more))))
		}
	}
	return out
}

// waitColumns are those of who blocks whom, on w cells.
func waitColumns(w int) []paint.Column {
	who := min(w/3, 48)
	if w < 72 { // for the path
		who = 16
	}
	return []paint.Column{{Title: "WHO", W: who, Name: true}, {Title: "FOR", W: 13}, {W: 1}, {Title: "BEHIND", W: max(14, w/5), Name: true}, {Title: "PATH", Min: 7, Path: true}}
}

// rootID tells a tree from others.
func rootID(r waits.Root) string { return "root " + r.Claim.Path() }

// rootRank is what a tree is sorted by.
func rootRank(r *waits.Root, by string, names map[znode.SessionID]string) rank {
	switch since := r.Claim.Since(); {
	case by == "who":
		return rank{text: called(names, r.Claim, r.Session)}
	case by == "path":
		return rank{text: r.Model.Path}
	case since.IsZero():
		return rank{by: 1 << 62}
	default:
		return rank{by: since.UnixMilli()} // for longest first
	}
}

func rootItem(r *waits.Root, names map[znode.SessionID]string) Item {
	return Item{ID: rootID(*r), text: called(names, r.Claim, r.Session) + " " + r.Model.Path, To: target{Recipe: r.Model.Path, Claim: r.Claim.ID(), Session: r.Session},
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			does := say.Either(r.Claim.Role() == model.Leader, "leads ", "holds ")
			blocks := fmt.Sprintf("blocks %s", paint.Number(r.Blocks))
			if r.Across > 0 {
				blocks += fmt.Sprintf(", %s likely", paint.Number(r.Across))
			}
			if r.Stands > 0 {
				blocks += fmt.Sprintf(", %s on standby", paint.Number(r.Stands))
			}
			g := t.Grid(w, waitColumns(w)...)
			return g.Row(paint.Bold.Text(called(names, r.Claim, r.Session)), paint.Plain.Text(does+chart.Lasts(t, r.Claim, now)),
				paint.Plain.Text(""), paint.Warn.Text(paint.Clauses(blocks, max(14, w/5))), paint.Dim.Text(term.Safe(r.Model.Path)))
		}}
}

func (sh *Shown) herdItems() []Item {
	if len(sh.Waits.Herds) == 0 {
		return nil
	}
	out := []Item{tell(paint.Plain, ""), tell(paint.Warn, sh.Theme.Warn+" herds: many sessions wake, one can go on")}
	for i := range sh.Waits.Herds {
		h := &sh.Waits.Herds[i]
		out = append(out, Item{ID: "herd " + h.Path, text: h.Path, To: target{Recipe: h.Model.Path, Znode: h.Path},
			draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
				return t.Cells(w, paint.Plain.Cell(paint.Number(len(h.Watchers))+" wake", 14), paint.Plain.Cell(term.Safe(h.Path), 0).AsPath())
			}})
	}
	return out
}

func breakID(b *waits.Break) string { return "break " + b.Claim.Path() }
