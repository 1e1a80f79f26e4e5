package files

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Recorder writes a recording: a first snapshot, then what changed from one snapshot to the next. What it
// writes is complete after every call, so a recording that is cut off loses one line at most. It is for one
// goroutine.
type Recorder struct {
	w     *bufio.Writer
	last  *znode.Snapshot
	lines int       // of changes
	at    time.Time // of the last line
}

// NewRecorder writes the first snapshot of a recording. Errors are the writer's.
func NewRecorder(w io.Writer, first *znode.Snapshot) (*Recorder, error) {
	r := &Recorder{w: bufio.NewWriter(w), last: first, at: first.TakenAt.UTC()}
	if err := writeLine(r.w, headerOf(first, "recording")); err != nil {
		return nil, err
	}
	if err := writeTree(r.w, first.Base, first.Root); err != nil {
		return nil, err
	}
	return r, r.w.Flush()
}

// Add writes what changed since the snapshot before: nothing when nothing did. Unchanged subtrees that are
// shared by pointer cost nothing. Both snapshots have the same base. A gap is written from where it began to where it
// was over: that is the next line, the root's znode where nothing changed in it.
func (r *Recorder) Add(next *znode.Snapshot) error {
	over := !next.Gap.To.IsZero() && !next.Gap.To.Equal(r.last.Gap.To)
	if over && r.last.LostSince.IsZero() { // it came and went between the two pictures
		r.gap(next.Gap.From)
	}
	lines, at := r.lines, next.TakenAt.UTC()
	r.tree(at, next.Base, r.last.Root, next.Root)
	if next.Sessions != nil && (r.last.Sessions == nil ||
		!maps.EqualFunc(r.last.Sessions, next.Sessions, sameSession)) {
		list := sessionsJSON(next.Sessions)
		r.line(stepLine{At: at, Sessions: &list})
	}
	if next.Watches != nil && (r.last.Watches == nil ||
		!maps.EqualFunc(r.last.Watches, next.Watches, slices.Equal[[]znode.SessionID])) {
		m := watchesJSON(next.Watches)
		r.line(stepLine{At: at, Watches: &m})
	}
	if over && r.lines == lines {
		r.line(stepLine{At: at, Put: znode.ZnodeOf(next.Base, next.Root)})
	}
	if !next.LostSince.IsZero() && (over || r.last.LostSince.IsZero()) {
		r.gap(next.LostSince)
	}
	r.last = next
	return r.w.Flush() // a bufio.Writer keeps its first error
}

func (r *Recorder) gap(since time.Time) { r.line(stepLine{At: since.UTC(), Gap: "disconnected"}) }

// stepLine is a line of a recording as it is written.
type stepLine struct {
	At       time.Time            `json:"at"`
	Put      *znode.Znode         `json:"put,omitempty"`
	Del      string               `json:"del,omitempty"`
	DelBytes []byte               `json:"delBytes,omitempty"`
	Sessions *[]sessionJSON       `json:"sessions,omitempty"`
	Watches  *map[string][]string `json:"watches,omitempty"`
	Gap      string               `json:"gap,omitempty"`
}

// line writes a change. A recording's time is not set back, as the reader's clock may be.
func (r *Recorder) line(l stepLine) {
	if l.At.Before(r.at) {
		l.At = r.at
	}
	r.at = l.At
	_ = writeLine(r.w, l) // the writer's error is Flush's
	r.lines++
}

// States returns how many states were written: what Recording.Len says when they are read.
func (r *Recorder) States() int { return r.lines + 1 }

// tree writes the changes of a subtree: children first, because they change what is known of a parent.
func (r *Recorder) tree(at time.Time, path string, old, new *znode.Node) {
	if old == new {
		return
	}
	moved := r.children(at, path, old, new)
	if moved || !sameZnode(old, new) {
		r.line(stepLine{At: at, Put: znode.ZnodeOf(path, new)})
	}
}

// children merges the children of both sides and reports whether any came or went.
func (r *Recorder) children(at time.Time, path string, old, new *znode.Node) (moved bool) {
	i, j := 0, 0
	for i < len(old.Children) || j < len(new.Children) {
		a, b := znode.ChildAt(old, i), znode.ChildAt(new, j)
		switch {
		case a != nil && !Nameable(a.Name):
			i++
		case b != nil && !Nameable(b.Name):
			j++
		case b == nil || a != nil && a.Name < b.Name:
			gone := znode.Join(path, a.Name)
			r.line(stepLine{At: at, Del: say.Valid(gone), DelBytes: say.InvalidBytes(gone)})
			moved, i = true, i+1
		case a == nil || b.Name < a.Name:
			r.put(at, znode.Join(path, b.Name), b)
			moved, j = true, j+1
		default:
			r.tree(at, znode.Join(path, b.Name), a, b)
			i, j = i+1, j+1
		}
	}
	return moved
}

// put writes a new subtree, its root again at the end when it has children.
func (r *Recorder) put(at time.Time, path string, n *znode.Node) {
	r.line(stepLine{At: at, Put: znode.ZnodeOf(path, n)})
	for _, c := range n.Children {
		if Nameable(c.Name) {
			r.put(at, znode.Join(path, c.Name), c)
		}
	}
	if len(n.Children) > 0 {
		r.line(stepLine{At: at, Put: znode.ZnodeOf(path, n)})
	}
}

// sameZnode compares two nodes without their children.
func sameZnode(a, b *znode.Node) bool {
	return bytes.Equal(a.Data, b.Data) && (a.Data == nil) == (b.Data == nil) &&
		a.Owner == b.Owner && a.Czxid == b.Czxid && a.Mzxid == b.Mzxid && a.Pzxid == b.Pzxid &&
		a.Ctime == b.Ctime && a.Mtime == b.Mtime && a.Version == b.Version && a.Cversion == b.Cversion &&
		a.Aversion == b.Aversion && a.NumChildren == b.NumChildren && a.DataLength == b.DataLength &&
		a.Flags == b.Flags && a.HasCversion == b.HasCversion
}

func sameSession(a, b znode.Session) bool {
	connected := a.Connected == b.Connected || a.Connected != nil && b.Connected != nil && *a.Connected == *b.Connected
	a.Connected, b.Connected = nil, nil
	expires := a.ExpiresAt.Equal(b.ExpiresAt)
	a.ExpiresAt, b.ExpiresAt = time.Time{}, time.Time{}
	return connected && expires && a == b
}
