package story

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// What happened to findings, in Event.What. The words are stable.
const (
	EventAlarm     = "alarm"      // a finding that somebody has to look at has come
	EventAlarmOver = "alarm-over" // it is no more, or weighs less
)

// alarm is a finding of severity high, or what is left of it.
type alarm struct {
	kind layout.Kind
	path string
	f    *model.Finding
}

// alarms are findings by what they are about: the claims of it may come and go meanwhile.
type alarms map[string]alarm

func (a alarms) add(m *model.Model, list []model.Finding) {
	for i := range list {
		f := &list[i]
		switch {
		case m != nil:
			a.put(f.Code+" "+m.Path, alarm{m.Kind, m.Path, f})
		case len(f.Paths) > 0 && strings.HasPrefix(f.Paths[0], "/"):
			paths := slices.Sorted(slices.Values(f.Paths))
			a.put(f.Code+" "+strings.Join(paths, " "), alarm{"", f.Paths[0], f})
		default:
			a.put(f.Code, alarm{"", "/", f})
		}
	}
}

// put keeps the gravest of one key.
func (a alarms) put(key string, x alarm) {
	if was, there := a[key]; !there || x.f.Severity > was.f.Severity {
		a[key] = x
	}
}

// Alarms tells which findings of severity high came between two results of one run, and which went or weigh less now. It
// tells nothing where either is not whole yet. What both share costs nothing.
func Alarms(prev, next *model.Result) (out []Event) {
	if prev == nil || next == nil || prev == next || prev.Snapshot.Loading() || next.Snapshot.Loading() {
		return nil
	}
	was, is := alarms{}, alarms{}
	old, now := &model.Cursor{List: prev.Models}, &model.Cursor{List: next.Models}
	for model.SkipShared(old, now); old.Model() != nil || now.Model() != nil; model.SkipShared(old, now) {
		a, b := model.StepBoth(old, now)
		if a != nil {
			was.add(a, a.Findings)
		}
		if b != nil {
			is.add(b, b.Findings)
		}
	}
	was.add(nil, prev.Findings)
	is.add(nil, next.Findings)
	at := next.Snapshot.TakenAt
	for key, x := range is {
		if before := was[key].f; x.f.Severity == model.High && (before == nil || before.Severity < model.High) {
			out = append(out, Event{At: at, Path: x.path, Kind: x.kind, What: EventAlarm, Text: "high: " + said(x.f)})
		}
	}
	for key, x := range was {
		if x.f.Severity != model.High {
			continue
		}
		switch after := is[key].f; {
		case after == nil:
			text := x.f.Code + " cleared"
			if Unknown(next, x.f) {
				text = x.f.Code + " cannot be seen any more: not every server answers"
			}
			out = append(out, Event{At: at, Path: x.path, Kind: x.kind, What: EventAlarmOver, Text: text})
		case after.Severity < model.High:
			out = append(out, Event{At: at, Path: x.path, Kind: x.kind, What: EventAlarmOver, Text: "only " + after.Severity.String() + " now: " + said(after)})
		}
	}
	sorted.By(out, func(a, b Event) int { return strings.Compare(a.Path+" "+a.Text, b.Path+" "+b.Text) })
	return out
}

// toldByServers are the codes of what only servers tell, beside the znodes.
var toldByServers = map[string]bool{model.CodeOwnerDisconnected: true, model.CodeOwnerSilent: true, model.CodeOwnerRestarted: true, model.CodeLostWaiter: true,
	model.CodeLeakedClaim: true, model.CodeOrphanEphemeral: true, model.CodeHerd: true}

// Unknown reports whether a finding that is not among a result's may stand all the same: servers that would tell of it do not
// answer, and what it is about is there.
func Unknown(r *model.Result, f *model.Finding) bool {
	if !toldByServers[f.Code] || !slices.ContainsFunc(r.Snapshot.Servers, func(s znode.Server) bool { return !s.Answered }) {
		return false
	}
	return slices.ContainsFunc(f.Paths, func(p string) bool { return r.Snapshot.At(p) != nil })
}

// said is a finding with its code, which many texts have in their first clause already.
func said(f *model.Finding) string {
	if head, _, more := strings.Cut(f.Text, ":"); more && strings.Contains(head, f.Code) {
		return f.Text
	}
	return f.Code + ": " + f.Text
}
