package layout

import (
	"github.com/zkscope/zkscope/inspect/znode"
)

// LeftBehind tells what the directory of a recipe that is over was for, by what is left of it: a lock or an election;
// empty for any other znode. words are those of the path that it lies in.
func LeftBehind(c *znode.Node, words func() *PathWords) Kind {
	switch {
	case c.Ephemeral() || c.NumChildren != 0 || c.Flags != 0 || IsFurniture(c.Name):
		return ""
	case c.HasCversion && c.Cversion == 0:
		return ""
	case len(c.Data) > 0 && !IsAddress(string(c.Data)):
		return ""
	}
	if name := ParseName(c.Name); name.HasSeq {
		return ""
	}
	k := WholeWord(c.Name)
	if k == "" {
		k = words().Whole
	}
	if k.Alone() {
		return k
	}
	return ""
}
