package txnlog

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// File is one file of a member's directory.
type File struct {
	Path string
	Zxid int64 // in its name: a log's first, or the last one before a snapshot was begun

	Shown string // what it is called where it came from, for one that was unpacked from elsewhere; empty: as its path
}

// Called returns what a file is called in messages.
func (f File) Called() string { return cmp.Or(f.Shown, f.Path) }

// From notes where the files of a member were unpacked from, and what they are called there.
func (m *Member) From(name string, called func(path string) string) {
	m.Name = name
	for _, list := range [][]File{m.Logs, m.Snapshots} {
		for i := range list {
			list[i].Shown = called(list[i].Path)
		}
	}
}

// Member is what one server keeps on its disk.
type Member struct {
	Name      string // its directory, as it was given
	Logs      []File // by zxid
	Snapshots []File // by zxid
}

// FindMember looks for the files of a server: in dir, or in its version-2; and for its logs in logDir, in the same way,
// unless that is empty. Files that ZooKeeper's own tools left behind are passed over. It is an error when there are none.
func FindMember(dir, logDir string) (*Member, error) {
	m := &Member{Name: dir}
	dirs := []string{dir}
	if logDir != "" {
		dirs = append(dirs, logDir)
	}
	for _, d := range dirs {
		if err := m.look(d); err != nil {
			return nil, err
		}
	}
	if len(m.Logs)+len(m.Snapshots) == 0 {
		return nil, fmt.Errorf("%s: no log.* or snapshot.* of a ZooKeeper server is in it, nor in its version-2", dir)
	}
	byZxid := func(a, b File) int {
		switch {
		case a.Zxid < b.Zxid:
			return -1
		case a.Zxid > b.Zxid:
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	}
	sorted.By(m.Logs, byZxid)
	sorted.By(m.Snapshots, byZxid)
	return m, nil
}

// look adds what a directory holds.
func (m *Member) look(dir string) error {
	if sub := filepath.Join(dir, "version-2"); isDir(sub) {
		dir = sub
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		f := File{Path: filepath.Join(dir, e.Name())}
		if st, err := os.Stat(f.Path); err != nil || !st.Mode().IsRegular() {
			continue // a pipe would keep us waiting
		}
		kind, rest, _ := strings.Cut(e.Name(), ".")
		var ok bool
		switch kind {
		case "log":
			if f.Zxid, ok = nameZxid(rest); ok {
				m.Logs = append(m.Logs, f)
			}
		case "snapshot":
			rest = strings.TrimSuffix(strings.TrimSuffix(rest, ".gz"), ".snappy")
			if f.Zxid, ok = nameZxid(rest); ok {
				m.Snapshots = append(m.Snapshots, f)
			}
		}
	}
	return nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// nameZxid reads the zxid in a file's name.
func nameZxid(text string) (int64, bool) {
	u, err := strconv.ParseUint(text, 16, 64)
	return int64(u), err == nil && !strings.HasPrefix(text, "+")
}

// LogEnd is how one file of a member ended.
type LogEnd struct {
	File   string
	Offset int64
	End    End
	Size   int64 // of the file in bytes, where it is Blank; -1: not known
	Blank  bool  // not one record is in it
	Err    error // damage, or why it could not be read; nil: it ended
}

// Stream reads the logs of a member one after another.
type Stream struct {
	m    *Member
	next int // of m.Logs
	f    *os.File
	log  *Log
	Ends []LogEnd // of the files that were read to their end, or to what is damaged
}

// Stream begins with the first record of the log in which the transaction after a zxid stands, or of the first log.
func (m *Member) Stream(after int64) *Stream {
	s := &Stream{m: m}
	for s.next+1 < len(m.Logs) && m.Logs[s.next+1].Zxid <= after+1 {
		s.next++
	}
	return s
}

// Place is where a record stands.
type Place struct {
	File   int // of the member's logs
	Offset int64
}

// Place returns where the next record stands, as far as it is known: it may be the end of a file.
func (s *Stream) Place() Place {
	if s.log == nil {
		return Place{s.next, headerSize}
	}
	return Place{s.next - 1, s.log.Offset()}
}

// Goto goes to a place that Place told.
func (s *Stream) Goto(p Place) error {
	s.Close()
	s.next = p.File
	if s.next >= len(s.m.Logs) {
		return nil
	}
	if err := s.open(); err != nil {
		return err
	}
	s.log.Goto(p.Offset)
	return nil
}

// File returns the path of the file in which the last record stood.
func (s *Stream) File() string {
	if s.next == 0 {
		return ""
	}
	return s.m.Logs[s.next-1].Called()
}

// Close closes the file that is open.
func (s *Stream) Close() {
	if s.f != nil {
		s.f.Close()
	}
	s.f, s.log = nil, nil
}

func (s *Stream) open() error {
	name := s.m.Logs[s.next].Called()
	s.next++
	f, err := os.Open(s.m.Logs[s.next-1].Path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: the server removed it meanwhile", name)
		}
		return err
	}
	s.f = f
	s.log, err = OpenLog(f, name)
	if err != nil {
		s.Close()
	}
	return err
}

// Next reads one record. What is damaged ends a file, as does its end, and is noted in Ends; io.EOF comes after the last
// file, where what is written later is read by calling it again.
func (s *Stream) Next(rec *Record) error {
	for {
		if s.log == nil {
			if s.next >= len(s.m.Logs) {
				return io.EOF
			}
			if err := s.open(); err != nil {
				s.Ends = append(s.Ends, LogEnd{File: s.m.Logs[s.next-1].Called(), Err: err})
				continue
			}
		}
		err := s.log.Next(rec)
		if err == nil {
			return nil
		}
		end := LogEnd{File: s.File(), Offset: s.log.Offset(), End: s.log.End()}
		if err != io.EOF {
			end.Err = err
		}
		if end.Blank = end.Offset == headerSize; end.Blank {
			end.Size = s.size()
		}
		last := s.next >= len(s.m.Logs)
		s.note(end)
		if last && end.Err == nil {
			return io.EOF
		}
		s.Close()
	}
}

// size is that of the file that is open; -1 where it cannot be told.
func (s *Stream) size() int64 {
	st, err := s.f.Stat()
	if err != nil {
		return -1
	}
	return st.Size()
}

// note keeps how a file ended: the last word on it counts.
func (s *Stream) note(end LogEnd) {
	if n := len(s.Ends); n > 0 && s.Ends[n-1].File == end.File {
		s.Ends = s.Ends[:n-1]
	}
	s.Ends = append(s.Ends, end)
}
