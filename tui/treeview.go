package tui

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// treeView shows one znode as it is, and its children to go into.
func treeView() *view {
	return &view{name: "tree", key: "7", what: "znodes as they are: stat, data as text or hexadecimal, children",
		title: func(a *App, p *page) string { return "znode " + term.Safe(a.treePath(p)) }, fill: fillTree}
}

func (a *App) treePath(p *page) string {
	if p.arg == "" {
		return a.res.Snapshot.Base
	}
	return p.arg
}

func fillTree(a *App, p *page) []item {
	path := a.treePath(p)
	n := a.res.Snapshot.At(path)
	if n == nil {
		return paragraphs(Warn, "this znode is not there any more, or lies outside of what is read; esc leads back", a.size.W-4)
	}
	out := a.statItems(path, n)
	out = append(out, dataItems(n, p.hex, a.size.W-4)...)
	return append(out, childItems(path, n)...)
}

// statItems is a znode's stat in words.
func (a *App) statItems(path string, n *inspect.Node) []item {
	var out []item
	add := func(name, text string) { out = append(out, say(Plain, fmt.Sprintf("%-9s %s", name, text))) }
	owner := "persistent: no session owns it, it stays until somebody deletes it"
	if n.Ephemeral() {
		owner = "ephemeral, of session " + n.Owner.String() + ": it goes with that session"
	}
	add("owner", owner)
	if n.Has(inspect.NoStat) {
		return append(out, say(Warn, "its stat could not be read"))
	}
	add("created", a.moment(n.Ctime)+fmt.Sprintf("   czxid %d", int64(n.Czxid)))
	add("changed", a.moment(n.Mtime)+fmt.Sprintf("   mzxid %d, version %d", int64(n.Mzxid), n.Version))
	add("children", fmt.Sprintf("%s   pzxid %d, cversion %d", number(int(n.NumChildren)), int64(n.Pzxid), n.Cversion))
	add("acl", fmt.Sprintf("changed %d times", n.Aversion))
	if m, _, _ := a.res.RecipeAt(path); m != nil {
		out = append(out, item{id: "recipe", text: m.Path, to: target{recipe: m.Path}, draw: func(t *Theme, _ time.Time, w int) line {
			return line{{" part of   ", Plain}, {fmt.Sprintf("%s %s", m.Kind, term.Safe(m.Path)), Accent}}
		}})
	}
	return append(out, say(Plain, ""))
}

// moment prints when something happened, and how long ago.
func (a *App) moment(at inspect.Millis) string {
	if at == 0 {
		return "not known"
	}
	t := time.UnixMilli(int64(at))
	return fmt.Sprintf("%s, %s ago", t.In(a.opts.Location).Format("2006-01-02 15:04:05"), inspect.Age(a.asOf().Sub(t)))
}

// dataItems shows a znode's data, in hexadecimal where that is asked for.
func dataItems(n *inspect.Node, inHex bool, w int) []item {
	head := fmt.Sprintf("data      %s bytes", number(int(n.DataLength)))
	switch {
	case n.Has(inspect.Unreadable):
		return []item{say(Warn, "data      could not be read: no READ permission"), say(Plain, "")}
	case n.Has(inspect.DataOmitted):
		return []item{say(Plain, head+": more than is kept"), say(Plain, "")}
	case len(n.Data) == 0:
		return []item{say(Plain, "data      none"), say(Plain, "")}
	}
	out := []item{say(Plain, head+"   x shows it in "+map[bool]string{true: "text", false: "hexadecimal"}[inHex])}
	lines := readable(n.Data)
	if inHex {
		lines = strings.Split(strings.TrimRight(hex.Dump(n.Data[:min(len(n.Data), 4096)]), "\n"), "\n")
	}
	const most = 200
	for i, l := range lines {
		if i == most {
			out = append(out, say(Dim, fmt.Sprintf("%d more lines", len(lines)-i)))
			break
		}
		out = append(out, say(Accent, "  "+term.Safe(l)))
	}
	return append(out, say(Plain, ""))
}

func childItems(path string, n *inspect.Node) []item {
	if n.Has(inspect.NotListed) {
		return []item{say(Warn, fmt.Sprintf("its %s children were counted, not listed: too many", number(int(n.NumChildren))))}
	}
	var out []item
	for _, c := range n.Children {
		to := inspect.Join(path, c.Name)
		out = append(out, item{id: to, text: c.Name, to: target{view: "tree", arg: to, znode: to}, draw: func(t *Theme, now time.Time, w int) line {
			kind := "persistent"
			if c.Ephemeral() {
				kind = c.Owner.String()
			}
			age := "?"
			if c.Ctime != 0 {
				age = inspect.Age(now.Sub(time.UnixMilli(int64(c.Ctime))))
			}
			below := ""
			if c.NumChildren > 0 {
				below = number(int(c.NumChildren)) + " below"
			}
			return t.cells(w, cell{text: term.Safe(c.Name)}, cell{text: below, w: 14, style: Dim, right: true}, cell{text: kind, w: 19, style: Dim},
				cell{text: age, w: 7, style: Dim, right: true})
		}})
	}
	return out
}
