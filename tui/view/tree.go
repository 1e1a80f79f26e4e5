package view

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// treeView shows one znode as it is, and its children to go into.
func treeView() *View {
	return &View{Name: "tree", Key: "7", What: "znodes as they are: stat, data as text or hexadecimal, children",
		Title: func(sh *Shown, p *Page) string { return "znode " + term.Safe(sh.TreePath(p)) }, Fill: fillTree}
}

// TreePath is the znode that a page of the tree is about.
func (sh *Shown) TreePath(p *Page) string {
	if p.Arg == "" {
		return sh.Result.Snapshot.Base
	}
	return p.Arg
}

func fillTree(sh *Shown, p *Page) []Item {
	path := sh.TreePath(p)
	n, why := sh.Result.Snapshot.Known(path)
	switch {
	case n == nil && why != "":
		return paragraphs(paint.Warn, NotRead(path, why)+"; esc leads back", sh.Size.W-4)
	case n == nil:
		return paragraphs(paint.Warn, "this znode is not there any more; esc leads back", sh.Size.W-4)
	}
	out := sh.statItems(path, n)
	if n.Has(znode.NameOnly) {
		if sh.Fetch != nil {
			sh.Fetch(path)
		}
		return out
	}
	out = append(out, dataItems(n, p.Hex, sh.Size.W-4)...)
	return append(out, sh.childItems(path, n)...)
}

// statItems is a znode's stat in words.
func (sh *Shown) statItems(path string, n *znode.Node) []Item {
	var out []Item
	add := func(name, text string) { out = append(out, tell(paint.Plain, fmt.Sprintf("%-9s %s", name, text))) }
	if n.Has(znode.NoStat) {
		return []Item{tell(paint.Warn, "nothing but its name was read: "+sh.Result.Snapshot.Unclear(path)), tell(paint.Plain, "")}
	}
	owner := "persistent: no session owns it, it stays until somebody deletes it"
	if n.Ephemeral() {
		owner = "ephemeral, of session " + n.Owner.String() + ": it goes with that session"
	}
	add("owner", owner)
	add("created", sh.moment(n.Ctime)+fmt.Sprintf("   czxid %d", int64(n.Czxid)))
	add("changed", sh.moment(n.Mtime)+fmt.Sprintf("   mzxid %d, version %d", int64(n.Mzxid), n.Version))
	add("children", fmt.Sprintf("%s   pzxid %d, cversion %d", paint.Number(int(n.NumChildren)), int64(n.Pzxid), n.Cversion))
	add("acl", "changed "+paint.Counted(int(n.Aversion), "time", "times"))
	if m, _, _ := sh.Result.RecipeAt(path); m != nil {
		out = append(out, Item{ID: "recipe", text: m.Path, To: target{Recipe: m.Path}, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return paint.Line{paint.Plain.Text(" part of   "), paint.Accent.Text(fmt.Sprintf("%s %s", m.Kind, term.Safe(m.Path)))}
		}})
	}
	return append(out, tell(paint.Plain, ""))
}

// moment prints when something happened, and how long ago.
func (sh *Shown) moment(at znode.Millis) string {
	if at == 0 {
		return "not known"
	}
	t := time.UnixMilli(int64(at))
	return fmt.Sprintf("%s, %s ago", t.In(sh.Location).Format("2006-01-02 15:04:05"), say.Age(sh.AsOf().Sub(t)))
}

// dataItems shows a znode's data, in hexadecimal where that is asked for.
func dataItems(n *znode.Node, inHex bool, w int) []Item {
	head := fmt.Sprintf("data      %s bytes", paint.Number(int(n.DataLength)))
	switch {
	case n.Has(znode.Unreadable):
		return []Item{tell(paint.Warn, "data      could not be read: no READ permission"), tell(paint.Plain, "")}
	case n.Has(znode.DataOmitted):
		return []Item{tell(paint.Plain, head+": more than is kept"), tell(paint.Plain, "")}
	case len(n.Data) == 0:
		return []Item{tell(paint.Plain, "data      none"), tell(paint.Plain, "")}
	}
	out := []Item{tell(paint.Plain, head+"   x shows it in "+say.Either(inHex, "text", "hexadecimal"))}
	lines := paint.Readable(n.Data)
	if inHex {
		lines = strings.Split(strings.TrimRight(hex.Dump(n.Data[:min(len(n.Data), 4096)]), "\n"), "\n")
	}
	const most = 200
	for i, l := range lines {
		if i == most {
			out = append(out, tell(paint.Dim, paint.Counted(len(lines)-i, "more line", "more lines")))
			break
		}
		out = append(out, tell(paint.Accent, "  "+term.Safe(l)))
	}
	return append(out, tell(paint.Plain, ""))
}

// mostChildren is how many children the tree view has a line for.
const mostChildren = 10_000

// childItems are the children to go into, and what of them was not read.
func (sh *Shown) childItems(path string, n *znode.Node) []Item {
	var out []Item
	if why := sh.Result.Snapshot.Unclear(path); n.Flags&(znode.NotListed|znode.NamesRead) != 0 && n.NumChildren > 0 && why != "" {
		out = append(out, tell(paint.Warn, why))
	}
	if len(n.Children) > 0 {
		out = append(out, Item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return childCells(t, w, paint.Dim, "CHILD", "CHILDREN", "OWNER", "AGE")
		}})
	}
	for i, c := range n.Children {
		if i == mostChildren {
			return append(out, tell(paint.Dim, paint.Number(len(n.Children)-i)+" more"))
		}
		to := znode.Join(path, c.Name)
		out = append(out, Item{ID: to, text: c.Name, To: target{View: "tree", Arg: to, Znode: to}, draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			kind := "persistent"
			switch {
			case c.Has(znode.NoStat):
				kind = "not read"
			case c.Ephemeral():
				kind = c.Owner.String()
			}
			age := "?"
			if c.Ctime != 0 {
				age = say.Age(now.Sub(time.UnixMilli(int64(c.Ctime))))
			}
			below := paint.Number(int(c.NumChildren))
			if c.Has(znode.NoStat) {
				below = "?"
			}
			return childCells(t, w, paint.Plain, term.Safe(c.Name), below, kind, age)
		}})
	}
	return out
}

// childCells are the columns of a child: its name, how many children it has itself, whose it is and how old; not so far apart
// that the eye loses the line.
func childCells(t *paint.Theme, w int, style paint.Style, name, below, owner, age string) paint.Line {
	return t.Cells(min(w, 110), style.Cell(name, 0), paint.Dim.Cell(below, 9).ToRight(), paint.Dim.Cell(owner, 19), paint.Dim.Cell(age, 7).ToRight())
}

// NotRead says of a path that it was not read, why, and what reads it.
func NotRead(path, why string) string {
	return term.Safe(path) + " was not read: " + why + "; zkscope show " + term.Safe(path) + " reads it by itself"
}
