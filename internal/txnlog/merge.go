package txnlog

import (
	"errors"
	"io"
	"math"
)

// Merged reads the logs of several members of one ensemble as one, in the order of their zxids: what several have comes
// once, and what one lacks another tells.
type Merged struct {
	streams []*Stream
	recs    []Record
	have    []bool
	last    int64 // the highest zxid so far
	alone   bool  // of one member the order of its files is trusted: its zxids may repeat or fall
	from    int   // the member whose record came last
	dropped []Dropped

	fromFile int // of that member\'s logs
}

// Merge begins after a zxid. What the first files hold from before it is read over.
func Merge(members []*Member, after int64) *Merged {
	m := &Merged{recs: make([]Record, len(members)), have: make([]bool, len(members)), last: after, alone: len(members) == 1}
	for _, x := range members {
		m.streams = append(m.streams, x.Stream(after))
	}
	return m
}

// Streams returns the members' streams, for their Ends.
func (m *Merged) Streams() []*Stream { return m.streams }

// From returns of which member, by index, and of which file the last record is.
func (m *Merged) From() (member int, file string) { return m.from, m.streams[m.from].File() }

// Close closes all files.
func (m *Merged) Close() {
	for _, s := range m.streams {
		s.Close()
	}
}

// MergedMark is a place in the logs of several members.
type MergedMark struct {
	places []Place
	last   int64
}

// Mark remembers the place for Goto.
func (m *Merged) Mark() MergedMark {
	k := MergedMark{last: m.last}
	for i, s := range m.streams {
		p := s.Place()
		if m.have[i] {
			p = Place{s.next - 1, m.recs[i].Offset} // it was read ahead
		}
		k.places = append(k.places, p)
	}
	return k
}

// MarkLast remembers the place of the record that Next returned last.
func (m *Merged) MarkLast() MergedMark {
	k := m.Mark()
	r := &m.recs[m.from]
	k.places[m.from] = Place{m.fromFile, r.Offset}
	if !m.alone {
		k.last = r.Zxid - 1
	}
	return k
}

// Goto goes to a place that Mark remembered of the same members' logs.
func (m *Merged) Goto(k MergedMark) error {
	m.last = k.last
	for i, p := range k.places {
		m.have[i] = false
		if err := m.streams[i].Goto(p); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next record, good until the next call; io.EOF after the last. It fails with a *ClashError where two
// members hold different transactions of one number. What the ensemble dropped is passed over: see Dropped.
func (m *Merged) Next() (*Record, error) {
	for {
		best, err := m.first()
		if err != nil {
			return nil, err
		}
		if !m.isDropped(best) {
			return &m.recs[best], nil
		}
		m.drop(best)
	}
}

// first takes the record with the lowest zxid, of the first member that has it.
func (m *Merged) first() (int, error) {
	best := -1
	for i, s := range m.streams {
		if err := m.ahead(i, s); err != nil {
			return 0, err
		}
		if m.have[i] && (best < 0 || m.recs[i].Zxid < m.recs[best].Zxid) {
			best = i
		}
	}
	if best < 0 {
		return 0, io.EOF
	}
	if err := m.clash(best); err != nil {
		return 0, err
	}
	m.have[best], m.from, m.fromFile = false, best, m.streams[best].next-1
	if m.alone {
		m.last = math.MinInt64
	} else {
		m.last = max(m.last, m.recs[best].Zxid)
	}
	return best, nil
}

// ahead makes sure that a member's next record is read, but for those that came already.
func (m *Merged) ahead(i int, s *Stream) error {
	for !m.have[i] || m.recs[i].Zxid <= m.last {
		err := s.Next(&m.recs[i])
		if errors.Is(err, io.EOF) {
			m.have[i] = false
			return nil
		}
		if err != nil {
			return err
		}
		m.have[i] = true
	}
	return nil
}
