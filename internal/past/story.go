package past

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Story is what the files of an ensemble's members tell, from one moment on.
type Story struct {
	members []*txnlog.Member
	base    *picture
	first   *znode.Snapshot
	begin   int64 // when that is, in milliseconds
	guessed bool  // nothing tells what there was before the first record
}

// Open begins a story at the earliest moment from which the members' files tell all, as far as there is one.
func Open(members []*txnlog.Member) (*Story, error) {
	s := &Story{members: members}
	first, ok, err := s.firstRecord()
	if err != nil {
		return nil, err
	}
	if err := s.findBase(first.Zxid, ok); err != nil {
		return nil, err
	}
	if s.begin = int64(latest(s.base.root)); s.begin == 0 { // a tree in which nothing was made yet
		s.begin = first.Millis
	}
	t := s.tape()
	defer t.in.Close()
	s.first = t.Snapshot()
	return s, nil
}

// findBase chooses the snapshot that the story begins with: the earliest from which on there are logs.
func (s *Story) findBase(first int64, ok bool) error {
	all := s.snapshots(first, ok)
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

// snapshots are the files that a story can begin with, the best first.
func (s *Story) snapshots(first int64, logs bool) (all []txnlog.File) {
	for _, m := range s.members {
		all = append(all, m.Snapshots...)
	}
	slices.SortStableFunc(all, func(a, b txnlog.File) int { return cmp.Compare(a.Zxid, b.Zxid) })
	for logs && len(all) > 1 && all[1].Zxid+1 <= first { // what lies before the logs tells less
		all = all[1:]
	}
	if !logs {
		slices.Reverse(all)
	}
	return all
}

// firstRecord is the earliest record there is.
func (s *Story) firstRecord() (txnlog.Point, bool, error) {
	m := txnlog.Merge(s.members, math.MinInt64)
	defer m.Close()
	r, err := m.Next()
	if errors.Is(err, io.EOF) {
		return txnlog.Point{}, false, nil
	}
	if err != nil {
		return txnlog.Point{}, false, err
	}
	return txnlog.Point{Zxid: r.Zxid, Millis: r.Millis}, true, nil
}
