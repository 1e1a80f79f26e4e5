package recipes

import (
	"math"

	"github.com/zkscope/zkscope/inspect/layout"
)

// lastAlone is the last claim that this session gave up of those that stand in line, if nobody else was in its
// directory when it was granted. Whoever takes the same lock again at once need not look who is there. The number of
// the new claim is the next one, so nobody made anything there while the last one stood, which held the directory
// itself in place. And its zxid is the next one after that of the deletion, so nothing at all was written in between, in
// the whole ensemble: no claim, and no directory made anew, whose numbers begin again. No watch has to be left for
// that, and none can be mute.
type lastAlone struct {
	dir  string
	seq  int32
	zxid int64 // of the deletion; 0: there is no such claim
	calm bool  // the last time nothing had been written in between: it is worth to try whether it is so again
}

// follows reports whether a claim that was made just now proves that nothing has been written since the last went.
func (l *lastAlone) follows(t *ticket) (calm, alone bool) {
	if l.zxid == 0 || l.dir != t.dir {
		return l.calm, false
	}
	n := layout.ParseName(t.name)
	calm = t.stat.Czxid == l.zxid+1
	return calm, calm && n.HasSeq && l.seq < math.MaxInt32 && n.Seq == l.seq+1
}

// maybeAlone reports whether the next claim in a directory may prove that nobody else is there, so that it is not worth
// to ask in the same piece.
func (s *Session) maybeAlone(dir string) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.calm && s.last.zxid != 0 && s.last.dir == dir
}

// isAlone reports whether a ticket's znode, made just now, proves that nobody else is there.
func (s *Session) isAlone(t *ticket) (alone bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last.calm, alone = s.last.follows(t)
	s.last.zxid = 0
	return alone
}

// leftAlone notes that a ticket's znode was deleted by us.
func (s *Session) leftAlone(t *ticket, zxid int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last.zxid = 0
	if n := layout.ParseName(t.name); t.alone && t.inLine && n.HasSeq && n.Seq >= 0 {
		s.last.dir, s.last.seq, s.last.zxid = t.dir, n.Seq, zxid
	}
}
