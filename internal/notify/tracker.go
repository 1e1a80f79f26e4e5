package notify

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// Alert is a finding that is told of.
type Alert struct {
	Ensemble, Code, Severity string
	Path                     string // the recipe, or the first of them; empty: the ensemble itself
	Text                     string
	Begin                    time.Time // when it was first seen
	End                      time.Time // when it was seen no more; zero: it stands
}

// key tells alerts apart: a finding keeps its own while its text and its grade change.
func (a *Alert) key() string { return a.Code + "\x00" + a.Path }

// Tracker finds out which findings have begun and ended. What comes and goes within For is not told of.
type Tracker struct {
	For   time.Duration // how long a finding must stand, and must be gone, before it is told of
	known map[string]*state
}

type state struct {
	alert Alert
	told  bool
	gone  time.Time // since when it is not seen; zero: it is
}

// Look takes what is wrong now and returns what is to be told: alerts without an End have begun, the others have ended. Where
// the picture is not whole or stands still nothing ends: what is not seen then may be there.
func (t *Tracker) Look(now time.Time, all []Alert, whole bool) (tell []Alert) {
	if t.known == nil {
		t.known = map[string]*state{}
	}
	seen := map[string]bool{}
	for _, a := range all {
		k := a.key()
		seen[k] = true
		s := t.known[k]
		if s == nil {
			a.Begin = now
			s = &state{alert: a}
			t.known[k] = s
		}
		begin := s.alert.Begin
		s.alert, s.gone = a, time.Time{}
		s.alert.Begin = begin
	}
	for k, s := range t.known {
		if !seen[k] && whole && s.gone.IsZero() {
			s.gone = now
		}
	}
	return t.Tick(now)
}

// Tick returns what is to be told because time has passed.
func (t *Tracker) Tick(now time.Time) (tell []Alert) {
	for k, s := range t.known {
		switch {
		case !s.gone.IsZero() && !s.told:
			delete(t.known, k)
		case !s.gone.IsZero() && now.Sub(s.gone) >= t.For:
			s.alert.End = s.gone
			tell = append(tell, s.alert)
			delete(t.known, k)
		case s.gone.IsZero() && !s.told && now.Sub(s.alert.Begin) >= t.For:
			s.told = true
			tell = append(tell, s.alert)
		}
	}
	sorted.By(tell, func(a, b Alert) int { return strings.Compare(a.key(), b.key()) })
	return tell
}

// Standing are the alerts that were told of and have not ended.
func (t *Tracker) Standing() (out []Alert) {
	for _, s := range t.known {
		if s.told {
			out = append(out, s.alert)
		}
	}
	sorted.By(out, func(a, b Alert) int { return strings.Compare(a.key(), b.key()) })
	return out
}
