package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// ReadFile reads a snapshot or a recording as WriteSnapshot and a Recorder write it, whole and into memory, and looks
// at every line; name is the file's, for messages. An error names the file and the line. A last line that was cut off
// is left out with a warning. For what may be large there is OpenFile.
func ReadFile(r io.Reader, name string) (*Recording, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", say.Printable(name), err)
	}
	rec, err := OpenFile(bytes.NewReader(text), name)
	if err != nil {
		return nil, err
	}
	t := rec.reel.Tape().(*fileTape)
	for {
		if _, err = t.read(); errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	rec.Len()
	return rec, rec.err
}

// OpenFile reads the first state of a snapshot or a recording; what comes after it is read, from the same place, when
// it is asked for. The name is the file's, for messages; an error names it and the line.
func OpenFile(src io.ReaderAt, name string) (*Recording, error) {
	reel := &fileReel{parser: parser{name: name}, src: src}
	f := &fileReader{fileReel: reel, in: lines{src: src}}
	for {
		reel.begin = f.in.place()
		more, err := f.next()
		if err != nil {
			return nil, err
		}
		if !more {
			if err := f.finish(); err != nil {
				return nil, err
			}
			return NewRecording(reel), nil
		}
	}
}

// fileReader reads the first state of a file.
type fileReader struct {
	*fileReel
	in   lines
	head *header
	tree *znode.TreeBuilder
}

// next reads one line; false when the first state is read.
func (f *fileReader) next() (bool, error) {
	raw, cut, err := f.in.next()
	f.line = f.in.no
	switch {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", say.Printable(f.name), err)
	case len(bytes.TrimSpace(raw)) == 0:
		return true, nil
	case f.head == nil:
		return true, f.takeHeader(raw)
	}
	l, err := f.split(raw)
	switch {
	case err != nil && f.cutOff(raw, cut, f.line):
		f.begin = f.in.place()
		return false, nil
	case err != nil:
		return false, err
	case l.At == nil:
		return true, f.takeZnode(&l.Znode)
	case f.kind == "snapshot":
		return false, f.fail("a change stands in a snapshot: in the first line, write \"kind\":\"recording\"")
	}
	return false, nil
}

func (f *fileReader) takeHeader(raw []byte) (err error) {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil {
		return f.fail("damaged header: %v", err)
	}
	switch {
	case h.Zkscope != 1:
		return f.fail("this is not a snapshot or recording that this version reads: the first line has no \"zkscope\":1")
	case h.Kind != "" && h.Kind != "snapshot" && h.Kind != "recording":
		return f.fail("a file of kind %q is none that this version reads: it reads snapshots and recordings", h.Kind)
	}
	f.root, f.kind = h.base(), h.Kind
	s := &znode.Snapshot{Base: f.root, TakenAt: h.TakenAt, Complete: h.Complete, Partial: h.Partial}
	if f.root != "/" && !addressablePath(f.root) {
		return f.fail("root %q is not an absolute path", s.Base)
	}
	if h.TakenAt.IsZero() {
		return f.fail("the first line says no time: \"takenAt\" is missing")
	}
	if h.LostSince != nil {
		s.LostSince = *h.LostSince
	}
	if h.AskedAt != nil {
		s.AskedAt = *h.AskedAt
	}
	s.SessionsPartial, s.WatchesPartial = h.SessionsPartial, h.WatchesPartial
	if h.Servers != nil {
		s.Servers = make([]znode.Server, len(*h.Servers))
		for i, sv := range *h.Servers {
			s.Servers[i] = znode.Server(sv)
		}
	}
	if h.Sessions != nil {
		s.Sessions, err = f.sessions(*h.Sessions)
	}
	if h.Watches != nil && err == nil {
		s.Watches, err = f.watches(*h.Watches)
	}
	f.head, f.fileReel.base, f.tree = &h, s, znode.NewTreeBuilder(s.Base)
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

func (f *fileReader) takeZnode(z *znode.Znode) error {
	n, err := f.node(z)
	if err != nil {
		return err
	}
	if !f.tree.Add(z.Full(), n, z.NumChildren) {
		return f.fail("%q is given twice", z.Full())
	}
	return nil
}

// finish ends the first state.
func (f *fileReader) finish() error {
	if f.head == nil {
		f.line = max(f.line, 1)
		return f.fail("the file is empty: a snapshot begins with a header line")
	}
	f.fileReel.base.Root = f.tree.Build()
	return nil
}

// parser makes znodes and steps of lines.
type parser struct {
	name string
	line int    // the number of the line that is read
	root string // the path of the tree's root
	kind string
	Quick
}

func (f *parser) fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", say.Printable(f.name), f.line, say.Printable(fmt.Sprintf(format, args...)))
}

// FileLine is any line but the first: a znode, or a time with one change.
type FileLine struct {
	znode.Znode
	At       *time.Time           `json:"at"`
	Put      *znode.Znode         `json:"put"`      // what is at a path now
	Del      *string              `json:"del"`      // the path of what is gone
	DelBytes []byte               `json:"delBytes"` // the same, raw, where it is not valid UTF-8
	Sessions *[]sessionJSON       `json:"sessions"` // all of them, anew
	Watches  *map[string][]string `json:"watches"`  // all of them, anew
	Gap      *string              `json:"gap"`      // since when changes up to this one were not seen
}

// split takes a line apart; the result is good until the next one is.
func (f *parser) split(raw []byte) (*FileLine, error) {
	if l := f.Quick.Read(raw); l != nil {
		return l, nil
	}
	l := new(FileLine)
	err := json.Unmarshal(raw, l)
	if err == nil {
		return l, nil
	}
	if clean := escapeControls(raw); len(clean) != len(raw) {
		l = new(FileLine)
		if json.Unmarshal(clean, l) == nil {
			return l, nil
		}
	}
	return nil, f.fail("damaged line: %v", err)
}

// escapeControls writes control characters as JSON wants them in strings; raw itself where there are none. Between
// strings they stay an error.
func escapeControls(raw []byte) []byte {
	if bytes.IndexFunc(raw, func(r rune) bool { return r < ' ' }) < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw)+64)
	for _, c := range raw {
		if c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// step makes a change of a line with a time. One that this version does not know changes nothing.
func (f *parser) step(l *FileLine) (st step, err error) {
	st.at = *l.At
	switch {
	case l.Put != nil:
		st.path = l.Put.Full()
		st.put, err = f.node(l.Put)
		if err == nil && l.Put.NumChildren == nil {
			st.put.NumChildren = znode.Uncounted
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
	}
	return st, err
}

// node makes the node of a line after a look at its path.
func (f *parser) node(z *znode.Znode) (*znode.Node, error) {
	if err := f.checkPath(z.Full()); err != nil {
		return nil, err
	}
	n, err := z.Node(f.line)
	if err != nil {
		return nil, f.fail("%v", err)
	}
	if z.NumChildren != nil {
		n.NumChildren = *z.NumChildren
	}
	return n, nil
}

func (f *parser) checkPath(path string) error {
	switch {
	case path == "" || path[0] != '/':
		return f.fail("%q is not an absolute path", path)
	case path != "/" && !addressablePath(path):
		return f.fail("%q is not a path of a znode: a name in it is empty, . or ..", path)
	}
	if _, ok := znode.Relative(f.root, path); !ok {
		return f.fail("%q does not lie below the root %q", path, f.root)
	}
	return nil
}

// addressablePath reports whether every name in an absolute path is one that servers accept.
func addressablePath(path string) bool {
	rest, ok := strings.CutPrefix(path, "/")
	for more := true; more && ok; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		ok = Nameable(name)
	}
	return ok
}

// Nameable reports whether servers accept a znode of that name.
func Nameable(name string) bool { return znode.Addressable(name) && name != "." && name != ".." }

func (f *parser) sessions(list []sessionJSON) (map[znode.SessionID]znode.Session, error) {
	out := make(map[znode.SessionID]znode.Session, len(list))
	for _, j := range list {
		id, ok := znode.ParseSessionID(j.ID)
		if !ok {
			return nil, f.fail("%q is not a session id", j.ID)
		}
		s := znode.Session{ID: id, Addr: j.Addr, Timeout: time.Duration(j.TimeoutMs) * time.Millisecond,
			Server: j.Server, Connected: j.Connected}
		if j.ExpiresAt != nil {
			s.ExpiresAt = *j.ExpiresAt
		}
		out[id] = s
	}
	return out, nil
}

func (f *parser) watches(m map[string][]string) (map[string][]znode.SessionID, error) {
	out := make(map[string][]znode.SessionID, len(m))
	for path, ids := range m {
		out[path] = make([]znode.SessionID, len(ids))
		for i, text := range ids {
			id, ok := znode.ParseSessionID(text)
			if !ok {
				return nil, f.fail("%q is not a session id", text)
			}
			out[path][i] = id
		}
	}
	return out, nil
}
