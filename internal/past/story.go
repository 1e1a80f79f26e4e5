package past

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Story is what the files of an ensemble's members tell, from one moment on. It keeps the tree of one moment at a time.
type Story struct {
	members []*txnlog.Member
	base    *picture
	guessed bool // nothing tells what there was before the first record

	tree  *Tree
	in    *txnlog.Merged
	cover txnlog.Coverage
	zxid  int64
	at    int64 // milliseconds
}

// Open begins a story at the earliest moment from which the members' files tell all, as far as there is one.
func Open(members []*txnlog.Member) (*Story, error) {
	s := &Story{members: members}
	if err := s.findBase(); err != nil {
		return nil, err
	}
	s.rewind()
	return s, nil
}

// findBase chooses the snapshot that the story begins with: the earliest from which on there are logs.
func (s *Story) findBase() error {
	first, ok, err := s.firstRecord()
	if err != nil {
		return err
	}
	var all []txnlog.File
	for _, m := range s.members {
		all = append(all, m.Snapshots...)
	}
	slices.SortStableFunc(all, func(a, b txnlog.File) int { return cmp.Compare(a.Zxid, b.Zxid) })
	if ok && len(all) > 0 && all[0].Zxid+1 < first { // what lies before the logs tells less
		for len(all) > 1 && all[1].Zxid+1 <= first {
			all = all[1:]
		}
	}
	if !ok && len(all) > 0 {
		all = all[len(all)-1:]
	}
	var damage error
	for _, f := range all {
		p, err := load(f)
		if err == nil {
			s.base = p
			return nil
		}
		damage = errors.Join(damage, err)
	}
	if damage != nil && !ok {
		return damage
	}
	s.base, s.guessed = empty(), !ok || first&0xffffffff != 1 || first>>32 > 1
	if s.guessed {
		s.base.zxid = first - 1
	}
	return nil
}

// firstRecord is the zxid of the earliest record there is.
func (s *Story) firstRecord() (int64, bool, error) {
	m := txnlog.Merge(s.members, 0)
	defer m.Close()
	r, err := m.Next()
	if errors.Is(err, io.EOF) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return r.Zxid, true, nil
}

// rewind goes to the first moment.
func (s *Story) rewind() {
	s.Close()
	sessions := make(map[inspect.SessionID]int32, len(s.base.sessions))
	for id, timeout := range s.base.sessions {
		sessions[id] = timeout
	}
	s.tree = newTree(s.base.root, sessions)
	s.in, s.cover, s.zxid = txnlog.Merge(s.members, s.base.zxid), txnlog.Coverage{}, s.base.zxid
}

// Close closes the files that are open.
func (s *Story) Close() {
	if s.in != nil {
		s.in.Close()
	}
}

// Next goes on by one transaction, which it returns, good until the next call; io.EOF after the last.
func (s *Story) Next() (*txnlog.Record, error) {
	r, err := s.in.Next()
	if err != nil {
		return nil, err
	}
	s.cover.Add(r)
	s.tree.Apply(r)
	s.zxid, s.at = r.Zxid, max(s.at, r.Millis)
	return r, nil
}

// Coverage returns what was read so far.
func (s *Story) Coverage() *txnlog.Coverage { return &s.cover }

// Snapshot returns the picture of the moment: which sessions there were is known, who was connected is not.
func (s *Story) Snapshot() *inspect.Snapshot {
	out := &inspect.Snapshot{Root: s.tree.edit.Tree(), Base: "/", TakenAt: time.UnixMilli(s.at).UTC(), Complete: true,
		Sessions: make(map[inspect.SessionID]inspect.Session, len(s.tree.sessions))}
	for id, timeout := range s.tree.sessions {
		out.Sessions[id] = inspect.Session{ID: id, Timeout: time.Duration(timeout) * time.Millisecond}
	}
	return out
}
