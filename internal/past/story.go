package past

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Story is what the files of an ensemble's members tell, from one moment on.
type Story struct {
	members []*txnlog.Member
	base    *origin
	first   *znode.Snapshot
	begin   int64              // when that is, in milliseconds
	guessed bool               // nothing tells what there was before the first record
	damaged map[string]error   // snapshots, by path, and what is wrong with them
	bridges map[string]*origin // snapshots that lead over holes, by path
}

// Open begins a story at the earliest moment from which the members' files tell all, as far as there is one. Where nothing of
// them can be read it is an error that names each file and what is wrong with it.
func Open(members []*txnlog.Member) (*Story, error) {
	s := &Story{members: members, damaged: map[string]error{}, bridges: map[string]*origin{}}
	first, ends, err := s.firstRecord()
	if err != nil {
		return nil, err
	}
	s.findBase(first.Zxid, ends == nil)
	s.probe()
	if ends != nil {
		if err := s.untold(ends); err != nil {
			return nil, err
		}
	}
	if s.begin = int64(latest(s.base.root)); s.begin == 0 { // a tree in which nothing was made yet
		s.begin = cmp.Or(first.Millis, s.base.written)
	}
	t := s.tape()
	defer t.in.Close()
	s.first = t.Snapshot()
	return s, nil
}

// findBase chooses the snapshot that the story begins with: the earliest from which on there are logs.
func (s *Story) findBase(first int64, ok bool) {
	for _, f := range s.snapshots(first, ok) {
		p, err := load(f)
		if err == nil {
			s.base = p
			return
		}
		s.damaged[f.Path] = err
	}
	s.base, s.guessed = empty(), !ok || first&0xffffffff != 1 || first>>32 > 1
	if s.guessed {
		s.base.zxid = first - 1
	}
}

// probe looks for damage in the snapshots that were not read.
func (s *Story) probe() {
	for _, m := range s.members {
		for _, f := range m.Snapshots {
			if s.damaged[f.Path] == nil {
				if err := txnlog.ProbeSnapshot(f); err != nil {
					s.damaged[f.Path] = err
				}
			}
		}
	}
}

// untold fails where no file tells of anything: no log holds a transaction, and no snapshot a znode that somebody made. A
// server that was started and never written to has such a snapshot, and no log: that is not told as an error.
func (s *Story) untold(ends [][]txnlog.LogEnd) error {
	if latest(s.base.root) > 0 {
		return nil
	}
	var wrong, dirs []string
	for i, m := range s.members {
		dirs = append(dirs, m.Name)
		for _, f := range m.Snapshots {
			if err := s.damaged[f.Path]; err != nil {
				wrong = append(wrong, err.Error())
			}
		}
		for _, e := range ends[i] {
			wrong = append(wrong, ending(e))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s: nothing that is there tells what happened: %s; take the directory of another member, or a copy that is whole",
		strings.Join(dirs, ", "), strings.Join(wrong, "; "))
}

// snapshots are the files that a story can begin with, the best first.
func (s *Story) snapshots(first int64, logs bool) (all []txnlog.File) {
	for _, m := range s.members {
		all = append(all, m.Snapshots...)
	}
	sorted.By(all, func(a, b txnlog.File) int { return cmp.Compare(a.Zxid, b.Zxid) })
	for logs && len(all) > 1 && all[1].Zxid+1 <= first { // what lies before the logs tells less
		all = all[1:]
	}
	if !logs {
		slices.Reverse(all)
	}
	return all
}

// firstRecord is the earliest record there is; where there is none, it tells how each member's logs end instead.
func (s *Story) firstRecord() (first txnlog.Point, ends [][]txnlog.LogEnd, err error) {
	m := txnlog.Merge(s.members, math.MinInt64)
	defer m.Close()
	r, err := m.Next()
	if errors.Is(err, io.EOF) {
		for _, in := range m.Streams() {
			ends = append(ends, in.Ends)
		}
		return first, ends, nil
	}
	if err != nil {
		return first, nil, err
	}
	return txnlog.Point{Zxid: r.Zxid, Millis: r.Millis}, nil, nil
}
