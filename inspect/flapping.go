package inspect

import (
	"strconv"
	"time"
)

// Leadership that changes often is a symptom: of sessions that expire, of a host that is too slow, of a
// leader that fails as soon as it leads. More than flapMost changes within flapWindow are told.
const (
	flapWindow = 10 * time.Minute
	flapMost   = 3
)

// handover is one change of leader that was seen.
type handover struct {
	at   time.Time
	lost bool   // the former leader's session was gone
	host string // where the former leader ran; empty: unknown
}

// flapping remembers changes of leader and tells when there are many. Locks change hands by their nature.
func (v *lineView) flapping() {
	m, old := v.model, v.memo.old
	if m.Kind != Election || old == nil || old.Kind != Election {
		return
	}
	now := v.snap.TakenAt
	for _, h := range old.handovers {
		if now.Sub(h.at) < flapWindow {
			m.handovers = append(m.handovers, h)
		}
	}
	was, is := leaderOf(old), leaderOf(m)
	if v.streaming && was != nil && (is == nil || was.ID() != is.ID()) {
		_, alive := v.snap.Sessions[was.Session]
		m.handovers = append(m.handovers, handover{now, v.snap.Sessions != nil && v.answered && !alive, host(was.Addr)})
	}
	if len(m.handovers) <= flapMost {
		return
	}
	v.dir.due = sooner(v.dir.due, m.handovers[0].at.Add(flapWindow))
	v.add(CodeFlapping, Medium, "leadership changed "+strconv.Itoa(len(m.handovers))+" times within "+
		Age(now.Sub(m.handovers[0].at))+commonCause(m.handovers))
}

// commonCause says what all changes have in common.
func commonCause(hs []handover) string {
	lost, oneHost := 0, true
	for _, h := range hs {
		if h.lost {
			lost++
		}
		oneHost = oneHost && h.host == hs[0].host && h.host != ""
	}
	text := ""
	switch {
	case lost == len(hs):
		text = ", every time because the leader's session was lost"
	case lost > 0:
		text = ", " + strconv.Itoa(lost) + " times because the leader's session was lost"
	}
	if oneHost {
		text += ", every time on " + Printable(hs[0].host)
	}
	return text
}
