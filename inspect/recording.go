package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Recording is what a file holds: a snapshot, and what changed after it. A file of kind snapshot is a
// recording of one state.
//
// Unlike snapshots, a Recording is not safe for concurrent use: it remembers where it was last read.
type Recording struct {
	Warnings []string // what was wrong with the file without making it useless

	base  *Snapshot
	steps []step

	at    int // cached: the state at this index
	state *Snapshot
	marks map[int]*Snapshot // cached: every few hundredth state passed
}

// step is one line of a recording after its first snapshot. Exactly one of its parts is used.
type step struct {
	at       time.Time
	put      *Node
	path     string // of put, or of the znode that was deleted
	sessions map[SessionID]Session
	watches  map[string][]SessionID
	gap      string
}

// Len returns the number of states, at least one.
func (r *Recording) Len() int { return len(r.steps) + 1 }

// First returns the first state.
func (r *Recording) First() *Snapshot { return r.base }

// Last returns the last state.
func (r *Recording) Last() *Snapshot { return r.At(r.Len() - 1) }

// TimeOf returns when the state at an index was taken.
func (r *Recording) TimeOf(i int) time.Time {
	if i <= 0 {
		return r.base.TakenAt
	}
	return r.steps[min(i, len(r.steps))-1].at
}

const markEvery = 512

// At returns the state at an index from 0 to Len-1; an index outside is moved to the nearer end. States
// share what they have in common. Going forward one by one is cheap; so is going back.
func (r *Recording) At(i int) *Snapshot {
	i = max(0, min(i, len(r.steps)))
	if r.state == nil || i < r.at {
		r.at, r.state = 0, r.base
		for j := i - i%markEvery; j > 0; j -= markEvery {
			if s := r.marks[j]; s != nil {
				r.at, r.state = j, s
				break
			}
		}
	}
	for r.at < i {
		r.state = r.state.after(&r.steps[r.at])
		r.at++
		if r.at%markEvery == 0 {
			if r.marks == nil {
				r.marks = make(map[int]*Snapshot)
			}
			r.marks[r.at] = r.state
		}
	}
	return r.state
}

// after returns the state that follows from a step.
func (s *Snapshot) after(st *step) *Snapshot {
	out := *s
	switch {
	case st.put != nil:
		out = *s.put(st.path, st.put)
	case st.path != "":
		out = *s.without(st.path, countChildren)
	case st.sessions != nil:
		out.Sessions = st.sessions
	case st.watches != nil:
		out.Watches = st.watches
	}
	out.TakenAt, out.LostSince = st.at, time.Time{}
	if st.gap != "" {
		out.LostSince = st.at
	}
	return &out
}

// put returns the snapshot with a znode set, its children kept, missing ancestors implied.
func (s *Snapshot) put(path string, n *Node) *Snapshot {
	if path == s.Base {
		return s.edited(path, func(old *Node) { replaceNode(old, n) })
	}
	if s.At(path) != nil {
		return s.edited(path, func(old *Node) { replaceNode(old, n) })
	}
	dir, _ := Split(path)
	if s.At(dir) == nil {
		_, name := Split(dir)
		s = s.put(dir, &Node{Name: name})
	}
	return s.edited(dir, func(parent *Node) {
		c := *n
		c.NumChildren = max(c.NumChildren, 0)
		parent.insert(&c)
		countChildren(parent)
	})
}

// countChildren sets the number of children to what is listed: a recording says of a parent's own stat
// only what its next line says.
func countChildren(parent *Node) { parent.NumChildren = int32(len(parent.Children)) }

// replaceNode overwrites all of a node but its name and children.
func replaceNode(old, n *Node) {
	name, kids := old.Name, old.Children
	*old = *n
	old.Name, old.Children = name, kids
	if n.NumChildren == uncounted {
		countChildren(old)
	}
}

// uncounted stands for a number of children that a put does not say.
const uncounted = -1

// ReadFile reads a snapshot or a recording as WriteSnapshot writes it; name is the file's, for messages.
// An error names the file and the line. A last line that was cut off is left out with a warning.
func ReadFile(r io.Reader, name string) (*Recording, error) {
	f := &fileReader{name: name, in: bufio.NewReaderSize(r, 1<<16), rec: &Recording{}}
	for {
		err := f.next()
		switch {
		case errors.Is(err, io.EOF):
			return f.finish()
		case err != nil:
			return nil, err
		}
	}
}

// fileReader reads a file line by line.
type fileReader struct {
	name string
	in   *bufio.Reader
	line int
	rec  *Recording
	head *header
	tree *treeBuilder
}

func (f *fileReader) fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", Printable(f.name), f.line, Printable(fmt.Sprintf(format, args...)))
}

// next reads one line; io.EOF after the last.
func (f *fileReader) next() error {
	raw, err := f.in.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", Printable(f.name), err)
	}
	cut := err == io.EOF // no newline at its end
	if cut && len(bytes.TrimSpace(raw)) == 0 {
		return io.EOF
	}
	f.line++
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	err = f.take(raw)
	if err != nil && cut && f.head != nil && !json.Valid(raw) {
		f.rec.Warnings = append(f.rec.Warnings, fmt.Sprintf("%s:%d: the last line is cut off and was left out", f.name, f.line))
		return io.EOF
	}
	return err
}

func (f *fileReader) take(raw []byte) error {
	if f.head == nil {
		return f.takeHeader(raw)
	}
	var l struct {
		Znode
		At       *time.Time           `json:"at"`
		Put      *Znode               `json:"put"`
		Del      *string              `json:"del"`
		DelBytes []byte               `json:"delBytes"`
		Sessions *[]sessionJSON       `json:"sessions"`
		Watches  *map[string][]string `json:"watches"`
		Gap      *string              `json:"gap"`
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return f.fail("damaged line: %v", err)
	}
	if l.At == nil {
		return f.takeZnode(&l.Znode)
	}
	st := step{at: *l.At}
	var err error
	switch {
	case l.Put != nil:
		st.path = l.Put.path()
		st.put, err = f.node(l.Put)
		if err == nil && l.Put.NumChildren == nil {
			st.put.NumChildren = uncounted
		}
	case l.DelBytes != nil:
		st.path = string(l.DelBytes)
	case l.Del != nil:
		st.path = *l.Del
	case l.Sessions != nil:
		st.sessions, err = f.sessions(*l.Sessions)
	case l.Watches != nil:
		st.watches, err = f.watches(*l.Watches)
	case l.Gap != nil:
		st.gap = *l.Gap
	default:
		return nil // something newer than this program
	}
	if err == nil && (l.Del != nil || l.DelBytes != nil) {
		err = f.checkPath(st.path)
	}
	f.rec.steps = append(f.rec.steps, st)
	return err
}

func (f *fileReader) takeHeader(raw []byte) error {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil {
		return f.fail("damaged header: %v", err)
	}
	if h.Zkscope != 1 {
		return f.fail("this is no snapshot or recording that this version reads: the first line has no \"zkscope\":1")
	}
	s := &Snapshot{Base: h.Root, TakenAt: h.TakenAt, Complete: h.Complete, Partial: h.Partial}
	if h.RootBytes != nil {
		s.Base = string(h.RootBytes)
	}
	if s.Base == "" {
		s.Base = "/"
	}
	if s.Base[0] != '/' || len(s.Base) > 1 && strings.HasSuffix(s.Base, "/") {
		return f.fail("root %q is no absolute path", s.Base)
	}
	if h.LostSince != nil {
		s.LostSince = *h.LostSince
	}
	if h.Servers != nil {
		s.Servers = make([]Server, len(*h.Servers))
		for i, sv := range *h.Servers {
			s.Servers[i] = Server(sv)
		}
	}
	var err error
	if h.Sessions != nil {
		if s.Sessions, err = f.sessions(*h.Sessions); err != nil {
			return err
		}
	}
	if h.Watches != nil {
		if s.Watches, err = f.watches(*h.Watches); err != nil {
			return err
		}
	}
	f.head, f.rec.base, f.tree = &h, s, newTreeBuilder(s.Base)
	return nil
}

func (f *fileReader) takeZnode(z *Znode) error {
	if len(f.rec.steps) > 0 {
		return f.fail("a znode without a time follows a change")
	}
	n, err := f.node(z)
	if err != nil {
		return err
	}
	if !f.tree.add(z.path(), n, z.NumChildren) {
		return f.fail("%q is given twice", z.path())
	}
	return nil
}

// node makes the node of a line after a look at its path.
func (f *fileReader) node(z *Znode) (*Node, error) {
	if err := f.checkPath(z.path()); err != nil {
		return nil, err
	}
	n, err := z.node(f.line)
	if err != nil {
		return nil, f.fail("%v", err)
	}
	if z.NumChildren != nil {
		n.NumChildren = *z.NumChildren
	}
	return n, nil
}

func (f *fileReader) checkPath(path string) error {
	if path == "" || path[0] != '/' {
		return f.fail("%q is no absolute path", path)
	}
	if _, ok := Relative(f.rec.base.Base, path); !ok {
		return f.fail("%q does not lie below the root %q", path, f.rec.base.Base)
	}
	return nil
}

func (f *fileReader) sessions(list []sessionJSON) (map[SessionID]Session, error) {
	out := make(map[SessionID]Session, len(list))
	for _, j := range list {
		id, ok := ParseSessionID(j.ID)
		if !ok {
			return nil, f.fail("%q is no session id", j.ID)
		}
		s := Session{ID: id, Addr: j.Addr, Timeout: time.Duration(j.TimeoutMs) * time.Millisecond, Server: j.Server, Connected: j.Connected}
		if j.ExpiresAt != nil {
			s.ExpiresAt = *j.ExpiresAt
		}
		out[id] = s
	}
	return out, nil
}

func (f *fileReader) watches(m map[string][]string) (map[string][]SessionID, error) {
	out := make(map[string][]SessionID, len(m))
	for path, ids := range m {
		out[path] = make([]SessionID, len(ids))
		for i, text := range ids {
			id, ok := ParseSessionID(text)
			if !ok {
				return nil, f.fail("%q is no session id", text)
			}
			out[path][i] = id
		}
	}
	return out, nil
}

func (f *fileReader) finish() (*Recording, error) {
	if f.head == nil {
		f.line = max(f.line, 1)
		return nil, f.fail("the file is empty: a snapshot begins with a header line")
	}
	f.rec.base.Root = f.tree.build()
	return f.rec, nil
}
