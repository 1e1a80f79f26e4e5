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

// fileLine is any line but the first: a znode, or a time with one change.
type fileLine struct {
	Znode
	At       *time.Time           `json:"at"`
	Put      *Znode               `json:"put"`
	Del      *string              `json:"del"`
	DelBytes []byte               `json:"delBytes"`
	Sessions *[]sessionJSON       `json:"sessions"`
	Watches  *map[string][]string `json:"watches"`
	Gap      *string              `json:"gap"`
}

func (f *fileReader) take(raw []byte) error {
	if f.head == nil {
		return f.takeHeader(raw)
	}
	var l fileLine
	if err := json.Unmarshal(raw, &l); err != nil {
		return f.fail("damaged line: %v", err)
	}
	if l.At == nil {
		return f.takeZnode(&l.Znode)
	}
	return f.takeStep(&l)
}

// takeStep reads a change. One that this version does not know is left out.
func (f *fileReader) takeStep(l *fileLine) (err error) {
	st := step{at: *l.At}
	switch {
	case l.Put != nil:
		st.path = l.Put.path()
		st.put, err = f.node(l.Put)
		if err == nil && l.Put.NumChildren == nil {
			st.put.NumChildren = uncounted
		}
	case l.DelBytes != nil:
		st.path = string(l.DelBytes)
		err = f.checkPath(st.path)
	case l.Del != nil:
		st.path = *l.Del
		err = f.checkPath(st.path)
	case l.Sessions != nil:
		st.sessions, err = f.sessions(*l.Sessions)
	case l.Watches != nil:
		st.watches, err = f.watches(*l.Watches)
	case l.Gap != nil:
		st.gap = *l.Gap
	default:
		return nil
	}
	if err == nil && len(st.path) > 1 && strings.Contains(st.path+"/", "//") {
		f.rec.Warnings = append(f.rec.Warnings, fmt.Sprintf("%s:%d: %q is no path that a client can have made and was left out", f.name, f.line, st.path))
		return nil
	}
	f.rec.steps = append(f.rec.steps, st)
	return err
}

func (f *fileReader) takeHeader(raw []byte) (err error) {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil {
		return f.fail("damaged header: %v", err)
	}
	if h.Zkscope != 1 {
		return f.fail("this is no snapshot or recording that this version reads: the first line has no \"zkscope\":1")
	}
	s := &Snapshot{Base: h.base(), TakenAt: h.TakenAt, Complete: h.Complete, Partial: h.Partial}
	if s.Base[0] != '/' || len(s.Base) > 1 && strings.HasSuffix(s.Base, "/") {
		return f.fail("root %q is no absolute path", s.Base)
	}
	if h.LostSince != nil {
		s.LostSince = *h.LostSince
	}
	if h.AskedAt != nil {
		s.AskedAt = *h.AskedAt
	}
	s.SessionsPartial, s.WatchesPartial = h.SessionsPartial, h.WatchesPartial
	if h.Servers != nil {
		s.Servers = make([]Server, len(*h.Servers))
		for i, sv := range *h.Servers {
			s.Servers[i] = Server(sv)
		}
	}
	if h.Sessions != nil {
		s.Sessions, err = f.sessions(*h.Sessions)
	}
	if h.Watches != nil && err == nil {
		s.Watches, err = f.watches(*h.Watches)
	}
	f.head, f.rec.base, f.tree = &h, s, newTreeBuilder(s.Base)
	return err
}

// base is the path of the tree's root.
func (h *header) base() string {
	switch {
	case h.RootBytes != nil:
		return string(h.RootBytes)
	case h.Root == "":
		return "/"
	}
	return h.Root
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
