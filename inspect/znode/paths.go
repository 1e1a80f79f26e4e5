package znode

import (
	"strings"
)

// Relative returns path without base and its slash: "" when they are the same. ok is false when path
// does not lie at or below base.
func Relative(base, path string) (rest string, ok bool) {
	if path == base {
		return "", true
	}
	if base == "/" {
		base = ""
	}
	rest, ok = strings.CutPrefix(path, base)
	if !ok || !strings.HasPrefix(rest, "/") {
		return "", false
	}
	return rest[1:], true
}

// Join appends a child's name to an absolute path.
func Join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// Split cuts an absolute path into its parent and its last component. Split("/") is "/", "".
func Split(path string) (dir, name string) {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "/", path[i+1:]
	}
	return path[:i], path[i+1:]
}

// ComparePaths orders absolute paths component by component, so that a subtree stands together: /a,
// /a/b, /a-b.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}

// Below reports whether path lies strictly below dir.
func Below(dir, path string) bool {
	rest, ok := Relative(dir, path)
	return ok && rest != ""
}

// ParentPath returns the path of the znode above.
func ParentPath(path string) string {
	dir, _ := Split(path)
	return dir
}

// Addressable reports whether a child of that name has a path of its own. No honest server lists others.
func Addressable(name string) bool { return name != "" && !strings.Contains(name, "/") }

// ChildAt returns a child by its place among its siblings; nil: there are fewer.
func ChildAt(n *Node, i int) *Node {
	if i < len(n.Children) {
		return n.Children[i]
	}
	return nil
}
