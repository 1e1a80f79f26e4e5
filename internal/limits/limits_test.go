package limits_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/script"
)

const tree = `/locks/a/00000000000000000000000000000001__lock__0000000001 owner=A data="job-1" age=3h
/locks/a/00000000000000000000000000000001__lock__0000000002 owner=B data="job-2" age=20m
/locks/a/00000000000000000000000000000001__lock__0000000003 owner=C data="job-3" age=30m
/locks/b/00000000000000000000000000000001__lock__0000000001 owner=D data="job-4" age=3h
/doc/queue-0000000001 data="a" age=2h
/doc/queue-0000000002 data="b" age=1h
/doc/queue-0000000003 data="b" age=1m
/q/queue-0000000001 data="\x00\x01\x00\x01\x01x\x02"
/q/config data="x"
`

func hours(n int) int64 { return int64(time.Duration(n) * time.Hour) }

// found are the findings of one code, as SEVERITY PATH: TEXT.
func found(r *model.Result, code string) (out []string) {
	for m := range r.Models.All() {
		for _, f := range m.Findings {
			if f.Code == code {
				out = append(out, f.Severity.String()+" "+m.Path+": "+f.Text)
			}
		}
	}
	return out
}

func TestWhatIsOverALimitIsFound(t *testing.T) {
	r := script.Run(t, tree).Waits.Result
	with := func(what limits.Measure, most int64) limits.Rule {
		return limits.Rule{Severity: model.Medium, From: "x:1", Most: map[limits.Measure]int64{what: most}}
	}
	of := func(r limits.Rule, path string, kind layout.Kind, s model.Severity) limits.Rule {
		r.Path, r.Kind, r.Severity = path, kind, s
		return r
	}
	for name, c := range map[string]struct {
		rules []limits.Rule
		want  string
	}{
		"held": {[]limits.Rule{with(limits.Held, hours(2))},
			"medium /locks/a: job-1 holds for ≤3h (since when exactly was not seen): longer than 2h, the limit of x:1\n" +
				"medium /locks/b: job-4 holds for ≤3h (since when exactly was not seen): longer than 2h, the limit of x:1"},
		"held for as long as it may be": {[]limits.Rule{with(limits.Held, hours(3))}, ""},
		"waited, the longest is named":  {[]limits.Rule{with(limits.Waited, int64(time.Minute))}, "medium /locks/a: job-3 has waited for 30m: longer than 1m, the limit of x:1; and 1 more in this recipe"},
		"waiting":                       {[]limits.Rule{with(limits.Waiting, 1)}, "medium /locks/a: 2 claims wait: more than 1, the limit of x:1"},
		"as many wait as may":           {[]limits.Rule{with(limits.Waiting, 2)}, ""},
		"depth":                         {[]limits.Rule{with(limits.Depth, 2)}, "medium /doc: 3 items are in the queue: more than 2, the limit of x:1"},
		"age": {[]limits.Rule{of(with(limits.Age, int64(90*time.Minute)), "", layout.Queue, model.Low)},
			"low /doc: queue-0000000001 is 2h old: longer than 1h30m, the limit of x:1"},
		"by path":               {[]limits.Rule{of(with(limits.Held, 1), "/*/b", "", model.High)}, "high /locks/b: job-4 holds for ≤3h (since when exactly was not seen): longer than 0s, the limit of x:1"},
		"by kind":               {[]limits.Rule{of(with(limits.Held, 1), "", layout.Election, model.High)}, ""},
		"the first decides":     {[]limits.Rule{with(limits.Waiting, 5), with(limits.Waiting, 1)}, ""},
		"off is a limit":        {[]limits.Rule{of(with(limits.Held, limits.Off), "/locks/a", "", model.Medium), of(with(limits.Held, limits.Off), "**", "", model.Medium), with(limits.Held, 1)}, ""},
		"the graver is told":    {[]limits.Rule{of(with(limits.Waiting, 0), "", "", model.Low), of(with(limits.Waiting, 1), "", "", model.High)}, "high /locks/a: 2 claims wait: more than 1, the limit of x:1"},
		"the other where it is": {[]limits.Rule{of(with(limits.Waiting, 0), "", "", model.Low), of(with(limits.Waiting, 2), "", "", model.High)}, "low /locks/a: 2 claims wait: more than 0, the limit of x:1"},
	} {
		if got := strings.Join(found(limits.Apply(r, c.rules), model.CodeOverThreshold), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	if len(found(r, model.CodeOverThreshold)) > 0 {
		t.Error("the result that was given is changed")
	}
}

// A rule for a code says what its findings weigh where it matches.
func TestCodesWeighWhatARuleSays(t *testing.T) {
	r := script.Run(t, tree).Waits.Result
	const code = model.CodeForeignChildren
	was := found(r, code)
	if len(was) != 1 || !strings.HasPrefix(was[0], "low /q") && !strings.HasPrefix(was[0], "medium /q") {
		t.Fatal(was)
	}
	weigh := func(path string, s model.Severity) []string {
		return found(limits.Apply(r, []limits.Rule{{Code: model.CodeHerd, Severity: model.High}, {Code: code, Path: path, Severity: s}}), code)
	}
	if got := weigh("/q", model.High); len(got) != 1 || !strings.HasPrefix(got[0], "high /q") {
		t.Error(got)
	}
	if got := weigh("/locks/**", model.High); len(got) != 1 || got[0] != was[0] {
		t.Error(got)
	}
	if got := weigh("", 0); len(got) != 0 {
		t.Error(got)
	}
}

// A finding that spans recipes is left alone by a rule that speaks of some of them only.
func TestARuleForOneRecipeDoesNotHideWhatSpansTwo(t *testing.T) {
	r := script.Run(t, tree).Waits.Result.With(model.Finding{Code: model.CodeDeadlock, Severity: model.High, Paths: []string{
		"/locks/a/00000000000000000000000000000001__lock__0000000001", "/locks/b/00000000000000000000000000000001__lock__0000000001"}})
	for path, left := range map[string]int{"/locks/a": 1, "/locks/*": 0, "": 0, "/q": 1} {
		got := limits.Apply(r, []limits.Rule{{Code: model.CodeDeadlock, Path: path}})
		if len(got.Findings) != len(r.Findings)-1+left {
			t.Errorf("%q: %v", path, got.Findings)
		}
	}
}
