package znode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
)

// Known answers what a snapshot knows of a path. n is the znode where it was read, be it its name alone. Without one,
// why says in one phrase, safe for a terminal, for what reason the path was not read; it is empty where the path was
// looked for, or all its siblings were listed, and no znode is there. What was not read may well exist.
func (s *Snapshot) Known(path string) (n *Node, why string) {
	if path == s.Base && s.Root.Flags == NoStat && len(s.Root.Children) == 0 { // nothing was found there
		return nil, s.unfinished()
	}
	if n = s.At(path); n != nil || slices.Contains(s.Missing, path) {
		return n, ""
	}
	rest, ok := Relative(s.Base, path)
	if !ok {
		return nil, "only " + say.Printable(s.Base) + " and what is below it was read"
	}
	at, n := s.Base, s.Root
	for {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		c := n.Child(name)
		if c == nil {
			return nil, s.lacks(at, name, n)
		}
		at, n = Join(at, c.Name), c
	}
}

// unfinished says that the first load still runs, or that there may be more than what it found; empty when that is not
// so.
func (s *Snapshot) unfinished() string {
	if s.Loading() {
		return "the tree is still being read"
	}
	return s.Lacks
}

// lacks says why a directory in the snapshot has no child of a name; empty where all its children are known.
func (s *Snapshot) lacks(at, name string, dir *Node) string {
	where := say.Printable(at)
	switch {
	case slices.Contains(s.Missing, Join(at, name)):
		return ""
	case s.Loading():
		return s.unfinished()
	case dir.Has(NameOnly):
		return "of " + where + " only the name was read"
	case dir.Has(NoStat):
		return "the server does not let " + where + " be read"
	case dir.Has(NotListed|Unreadable) && dir.NumChildren > 0:
		return "no permission to list " + where
	case dir.Has(NotListed|OverBudget) && dir.NumChildren > 0:
		return where + " was not listed: the reader had read as many znodes as it may"
	case dir.Has(NotListed) && dir.NumChildren > 0:
		return where + " has " + strconv.Itoa(int(dir.NumChildren)) + " children, which were counted and not listed"
	case at == "/" && name == "zookeeper" && int(dir.NumChildren) > len(dir.Children):
		return "ZooKeeper's own znodes are left out"
	}
	seen := len(dir.Children)
	if at == "/" && dir.Child("zookeeper") == nil {
		seen++
	}
	if int(dir.NumChildren) > seen {
		return "of the " + strconv.Itoa(int(dir.NumChildren)) + " children of " + where + " only " +
			strconv.Itoa(len(dir.Children)) + " were read"
	}
	return s.Lacks
}

// Unclear says why it is not known whether the znode at a path, which was read, is a recipe or a part of one: what is
// in it or beside it was not read. Empty where that is known.
func (s *Snapshot) Unclear(path string) string {
	n := s.At(path)
	if n == nil {
		return ""
	}
	dir, _ := Split(path)
	up := s.At(dir)
	switch {
	case n.Has(NameOnly):
		return "only its name was read"
	case n.Has(NoStat):
		return "the server does not let it be read"
	case n.Unlisted() && n.Has(Unreadable):
		return "no permission to list its " + say.Plural(int(n.NumChildren), "child", "children")
	case n.Unlisted() && n.Has(OverBudget):
		return "its " + say.Plural(int(n.NumChildren), "child was", "children were") +
			" not listed: the reader had read as many znodes as it may"
	case n.Unlisted():
		return "its " + say.Plural(int(n.NumChildren), "child was", "children were") + " counted and not listed"
	case n.Has(NamesRead):
		return "of most of its " + strconv.Itoa(int(n.NumChildren)) + " children only the names were read"
	case n.Has(Unreadable) && n.DataLength > 0:
		return "no permission to read its data, " + say.Plural(int(n.DataLength), "byte", "bytes")
	case up != nil && path != s.Base && up.Has(NotListed):
		return "what else is in " + say.Printable(dir) + " was not listed"
	case up != nil && path != s.Base && up.Has(NamesRead):
		return "of most of what is beside it in " + say.Printable(dir) + " only the names were read"
	}
	return s.unfinished()
}

// Untold returns the ephemeral znodes that servers tell of by session, and that the tree does not show: they could not
// be read, or lie outside what is read. Nil where no server told, and for sessions that have none.
func (s *Snapshot) Untold(ids []SessionID) map[SessionID][]string {
	var out map[SessionID][]string
	for _, id := range ids {
		for _, path := range s.Ephemerals[id] {
			if n := s.At(path); n != nil && !n.Has(NoStat) {
				continue
			}
			if out == nil {
				out = make(map[SessionID][]string)
			}
			out[id] = append(out[id], path)
		}
	}
	return out
}

// Passed parts paths that servers tell of into those that were not read, and those that are known not to be there: they
// came or went between the reading and the answer.
func (s *Snapshot) Passed(paths []string) (unread, passed []string) {
	for _, p := range paths {
		if n, why := s.Known(p); n == nil && why == "" {
			passed = append(passed, p)
		} else {
			unread = append(unread, p)
		}
	}
	return unread, passed
}

// Unlisted reports whether a znode's children were counted and not listed.
func (n *Node) Unlisted() bool { return n.Has(NotListed) && n.NumChildren > 0 && len(n.Children) == 0 }

// WhyUnlisted tells why the children of a znode were not listed.
func (n *Node) WhyUnlisted() int {
	switch {
	case n.Has(Unreadable):
		return ForPermission
	case n.Has(OverBudget):
		return ForBudget
	}
	return ForSize
}

// The reasons for which a directory is not listed.
const (
	ForSize = iota
	ForPermission
	ForBudget
)
