package truth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// published is what the console showed from a moment on.
type published struct {
	at  time.Time
	res *model.Result
}

// subjectsOf has the codes whose findings are judged, those that worlds make happen, each with how a finding's subjects are
// found in the facts; nil: its recipe is the subject, unless finding has a case for the code. Findings of other codes are
// counted and not judged.
var subjectsOf = map[string]func(model.Finding) []string{
	model.CodeLostWaiter:        paths,
	model.CodeLeakedClaim:       paths,
	model.CodePhantomClaim:      firstPath,
	model.CodeSelfWait:          firstPath,
	model.CodeHerd:              firstPath,
	model.CodeOrphanEphemeral:   nil,
	model.CodeOwnerDisconnected: sessions,
	model.CodeOwnerRestarted:    firstSession,
	model.CodeDuplicateIdentity: paths,
	model.CodePersistentClaim:   paths,
	model.CodeStaleReady:        nil,
	model.CodeFlapping:          nil,
	model.CodeOverLimit:         nil,
	model.CodeServersDisagree:   nil,
	model.CodeClockSkew:         nil,
	model.CodeServerUnreachable: nil,
	model.CodeDowngraded:        nil,
	model.CodeRedelivered:       nil,
	model.CodeOrphanTaken:       nil,
	model.CodeVacant:            nil,
	model.CodeOwnerSilent:       sessions,
}

func paths(f model.Finding) []string { return f.Paths }

func firstPath(f model.Finding) []string { return f.Paths[:min(1, len(f.Paths))] }

func sessions(f model.Finding) (out []string) {
	for _, id := range f.Sessions {
		out = append(out, sessionKey(int64(id)))
	}
	return out
}

func firstSession(f model.Finding) []string { return sessions(f)[:min(1, len(f.Sessions))] }

// saying is a finding, or one of its subjects, that stands from one picture to the next.
type saying struct {
	code, severity, key string
}

// judge holds what the console shows against the oracle's facts.
type judge struct {
	o     *oracle
	s     *score
	fails *failures
	open  map[saying]bool // said; true once it was found false
	queue []published
}

func newJudge(o *oracle, s *score, fails *failures) *judge {
	return &judge{o: o, s: s, fails: fails, open: map[saying]bool{}}
}

// take is handed every published result, in order. What was shown is judged when the next comes: all that happened at
// the same moment is known by then.
func (j *judge) take(p published) {
	for _, q := range j.queue {
		j.judge(q)
	}
	j.queue = append(j.queue[:0], p)
	j.o.mu.Lock()
	j.o.settle(p.at, j.s)
	j.o.mu.Unlock()
}

func (j *judge) judge(p published) {
	j.o.mu.Lock()
	defer j.o.mu.Unlock()
	now := map[saying]bool{}
	for _, f := range p.res.Findings {
		j.finding(p, "", f, now)
	}
	for m := range p.res.Models.All() {
		for _, f := range m.Findings {
			j.finding(p, m.Path, f, now)
		}
		if l := j.o.lines[m.Path]; l != nil && l.how != counted {
			for i := range m.Claims {
				j.role(p, m, &m.Claims[i], now)
			}
		}
	}
	for k := range j.open {
		if _, still := now[k]; !still {
			delete(j.open, k)
		}
	}
}

// role judges that a claim is shown as one that holds or leads.
func (j *judge) role(p published, m *model.Model, c *model.Claim, now map[saying]bool) {
	if r := c.Role(); r != model.Holder && r != model.Leader {
		return
	}
	key := c.Path()
	k := saying{code: "holds", key: key}
	so := j.o.facts.held("holds", key, p.at)
	if wrong, was := j.open[k]; was && !wrong && so {
		now[k] = false // as before, which is the usual
		return
	}
	f := model.Finding{Code: "holds", Text: key + " is shown as " + string(c.Role()), Paths: []string{key}}
	j.subject(p, m.Path, f, key, so, now)
}

// finding judges one finding of a picture.
func (j *judge) finding(p published, recipe string, f model.Finding, now map[saying]bool) {
	of, judged := subjectsOf[f.Code]
	switch {
	case f.Code == model.CodeDeadlock:
		j.subject(p, recipe, f, strings.Join(sessions(f), " "), j.deadlocked(f, p.at), now)
	case !judged:
		k := saying{f.Code, f.Severity.String(), recipe + strings.Join(f.Paths, " ")}
		if _, was := j.open[k]; !was {
			j.s.unjudged(f.Code)
		}
		j.open[k], now[k] = false, true
	case f.Code == model.CodeOrphanEphemeral:
		for _, id := range f.Sessions {
			j.subject(p, recipe, f, sessionKey(int64(id)), !j.o.lives(int64(id)), now)
		}
	case f.Code == model.CodeVacant:
		so := j.o.facts.held("vacant", recipe, p.at)
		so = so || f.Severity < model.High && j.o.facts.held("leaderless", recipe, p.at)
		j.subject(p, recipe, f, recipe, so, now)
	case of == nil:
		j.subject(p, recipe, f, recipe, j.o.facts.held(f.Code, recipe, p.at), now)
	default:
		for _, key := range of(f) {
			j.subject(p, recipe, f, key, j.o.facts.held(f.Code, key, p.at), now)
		}
	}
}

// subject counts a finding's subject once while it stands, and as false when it ever was.
func (j *judge) subject(p published, recipe string, f model.Finding, key string, true_ bool, now map[saying]bool) {
	k := saying{f.Code, severityOf(f), key}
	wrong, was := j.open[k]
	if !was {
		j.s.said(k)
	}
	if !true_ && !wrong {
		wrong = true
		j.s.lied(k)
		if f.Severity == model.High || j.fails.only == f.Code {
			j.fails.add(j.o, p, recipe, f, key)
		}
	}
	j.open[k], now[k] = wrong, true
}

// deadlocked reports whether the threads of a finding's sessions really wait for each other, or did lately; also for claims of
// these sessions that no thread knows of any more: what is said is as true then, that each session has what the one before
// waits for, and that nobody goes on before a claim is broken.
func (j *judge) deadlocked(f model.Finding, at time.Time) bool {
	told := j.o.knots.about(f, at)
	return told || j.o.snarls.about(f, at)
}

// about reports whether a finding is about one of the knots, and notes that it is told.
func (t *tangle) about(f model.Finding, at time.Time) (ok bool) {
	for _, k := range t.past {
		if !k.to.IsZero() && k.to.Before(at.Add(-window)) || k.from.After(at) {
			continue
		}
		all := true
		for _, id := range f.Sessions {
			all = all && slices.Contains(k.sessions, int64(id))
		}
		if !all {
			continue
		}
		ok = true
		if k.to.IsZero() || k.to.After(at) {
			if k.told.IsZero() {
				k.told = at
			}
			k.severity = max(k.severity, rank(f.Severity))
		}
	}
	return ok
}

func severityOf(f model.Finding) string {
	if f.Severity == 0 {
		return ""
	}
	return f.Severity.String()
}

func rank(s model.Severity) string { return fmt.Sprintf("%d %s", s, s) }
