package recipes

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// join is znode.Join for paths that callers give: what is joined to the empty path is no valid one, rather than a child of the
// root.
func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return znode.Join(dir, name)
}

// split is znode.Split for such paths: one that does not begin with a slash has an empty parent, and stays what it is when the
// two are joined again.
func split(path string) (dir, name string) {
	if !strings.HasPrefix(path, "/") {
		return "", path
	}
	return znode.Split(path)
}
