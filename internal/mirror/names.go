package mirror

import (
	"slices"
	"strings"
)

// maxPath is the longest path below which children are listed. No sane tree comes near; a server that
// invents one without end must not take our memory.
const maxPath = 16 << 10

// names returns the names of a directory's children as the tree holds them: sorted, without what is left
// out, and without what no server should send. It reuses the memory of list.
func (o *Options) names(parent string, list []string) []string {
	list = slices.DeleteFunc(list, func(name string) bool {
		if o.skips(parent, name) {
			o.skipped = true
			return true
		}
		return name == "" || name == "." || name == ".." || strings.IndexByte(name, '/') >= 0
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// skips reports whether a child is left out: the server's own znodes, unless asked for. Below a chroot
// there are none.
func (o *Options) skips(parent, name string) bool {
	return parent == "/" && name == "zookeeper" && !o.system
}
