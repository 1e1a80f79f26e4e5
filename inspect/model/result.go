package model

import (
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Memory is what a decoder remembers of a tree for the next picture, as far as a result tells of it.
type Memory interface {
	Changes() time.Time // when a recipe changes by itself; zero: never
	Emptied() int       // how many directories recipes left behind
}

// Result is what Decode makes of a snapshot. It is immutable and may be read from any goroutine.
type Result struct {
	Snapshot *znode.Snapshot
	Models   Models    // in tree order
	Findings []Finding // those that span recipes or belong to none

	Hints  Hints                        // those it was decoded under
	Memory Memory                       // what the next picture is decoded from; nil: nothing
	Pulse  *Pulse                       // what is remembered of the sessions' work; nil: nothing
	Listed map[string][]znode.SessionID // the watches of the list before that of the snapshot; nil: there was none
}

// ByPath returns the recipe at a path, or nil. It takes O(log n).
func (r *Result) ByPath(path string) *Model {
	if r == nil {
		return nil
	}
	return r.Models.byPath(path)
}

// Due returns when the result changes although nothing else does: a lease ends, an item falls due, nobody has led for
// longer than an election takes. Zero: never.
func (r *Result) Due() time.Time {
	if r == nil || r.Memory == nil {
		return time.Time{}
	}
	return r.Memory.Changes()
}

// EmptyParents counts the directories that locks and elections left behind without anything in them.
func (r *Result) EmptyParents() int {
	if r.Memory == nil {
		return 0
	}
	return r.Memory.Emptied()
}

// LeftBehind returns the directories that locks and elections left behind, in the order of the tree, with their kinds.
func (r *Result) LeftBehind() iter.Seq2[string, layout.Kind] {
	return func(yield func(string, layout.Kind) bool) {
		var walk func(path string, n *znode.Node) bool
		walk = func(path string, n *znode.Node) bool {
			if len(n.Children) > 0 {
				for _, c := range n.Children {
					if !walk(znode.Join(path, c.Name), c) {
						return false
					}
				}
				return true
			}
			k := r.EmptyParent(path)
			return k == "" || yield(path, k)
		}
		walk(r.Snapshot.Base, r.Snapshot.Root)
	}
}

// EmptyParent tells of which kind of recipe the znode at a path is the directory that was left behind: a lock or an
// election; empty for any other znode.
func (r *Result) EmptyParent(path string) layout.Kind {
	n := r.Snapshot.At(path)
	dir, _ := znode.Split(path)
	if n == nil || path == "/" || r.ByPath(path) != nil || r.ByPath(dir) != nil {
		return ""
	}
	return layout.LeftBehind(n, func() *layout.PathWords { return layout.WordsOf(dir) })
}

// HasSession reports whether anything tells of a session: a server, a claim, or an ephemeral znode.
func (r *Result) HasSession(id znode.SessionID) bool {
	if _, ok := r.Snapshot.Sessions[id]; ok {
		return true
	}
	for m := range r.Models.All() {
		for i := range m.Claims {
			if m.Claims[i].Session == id {
				return true
			}
		}
	}
	return len(znode.EphemeralsOf(r.Snapshot, map[znode.SessionID]bool{id: true})) > 0
}

// With returns the result with more findings that span recipes. Everything else is shared.
func (r *Result) With(more ...Finding) *Result {
	if len(more) == 0 {
		return r
	}
	out := *r
	out.Findings = slices.Concat(r.Findings, more)
	SortFindings(out.Findings)
	return &out
}

// Touching returns the findings that span recipes and concern this one.
func (r *Result) Touching(m *Model) (out []Finding) {
	for _, f := range r.Findings {
		for _, path := range f.Paths {
			if path == m.Path || znode.Below(m.Path, path) && f.Code != CodeEmptyParents {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// SameMap reports whether two maps are one and the same, not whether they hold the same.
func SameMap[M ~map[K]V, K comparable, V any](a, b M) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}
