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
			"low /locks/a: job-1 holds for ≤3h (since when exactly was not seen): it may be longer than 2h, the limit of x:1\n" +
				"low /locks/b: job-4 holds for ≤3h (since when exactly was not seen): it may be longer than 2h, the limit of x:1"},
		"held for as long as it may be": {[]limits.Rule{with(limits.Held, hours(3))}, ""},
		"waited, the longest is named":  {[]limits.Rule{with(limits.Waited, int64(time.Minute))}, "medium /locks/a: job-3 has waited for 30m: longer than 1m, the limit of x:1; and 1 more in this recipe"},
		"waiting":                       {[]limits.Rule{with(limits.Waiting, 1)}, "medium /locks/a: 2 claims wait: more than 1, the limit of x:1"},
		"as many wait as may":           {[]limits.Rule{with(limits.Waiting, 2)}, ""},
		"depth":                         {[]limits.Rule{with(limits.Depth, 2)}, "medium /doc: 3 items are in the queue: more than 2, the limit of x:1"},
		"age": {[]limits.Rule{of(with(limits.Age, int64(90*time.Minute)), "", layout.Queue, model.Low)},
			"low /doc: queue-0000000001 is 2h old: longer than 1h30m, the limit of x:1"},
		"by path":               {[]limits.Rule{of(with(limits.Held, 1), "/*/b", "", model.High)}, "low /locks/b: job-4 holds for ≤3h (since when exactly was not seen): it may be longer than 0s, the limit of x:1"},
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

// Of a claim that held before anybody looked only what it has held surely is held against a limit: since the last change of
// its directory's children, where that was somebody who came, and since it came, where nobody ever went. The rest is said to be
// possible, and weighs little.
func TestOnlyWhatIsHeldSurelyIsOverALimit(t *testing.T) {
	const first, second = "/locks/c/00000000000000000000000000000001__lock__0000000001", "/locks/c/00000000000000000000000000000002__lock__0000000002"
	claims := first + " owner=A data=\"job-1\" age=3h z=10\n" + second + " owner=B data=\"job-2\" age=1h z=12\n"
	for _, x := range []struct{ dir, min, want string }{
		{"/locks/c p=12 cv=5 kids=2", "59m", "high /locks/c: job-1 holds for ≤3h (since when exactly was not seen), at least 1h: longer than 59m, the limit of x:1"},
		{"/locks/c p=12 cv=5 kids=2", "61m", "low /locks/c: job-1 holds for ≤3h (since when exactly was not seen): it may be longer than 1h1m, the limit of x:1"},
		{"/locks/c p=12 cv=5 kids=2", "3h", ""},
		{"/locks/c p=13 cv=5 kids=2", "59m", "low /locks/c: job-1 holds for ≤3h (since when exactly was not seen): it may be longer than 59m, the limit of x:1"},
		{"/locks/c p=12 cv=5 kids=3", "59m", "low /locks/c: job-1 holds for ≤3h (since when exactly was not seen): it may be longer than 59m, the limit of x:1"},
		{"/locks/c p=12 cv=2 kids=2", "2h", "high /locks/c: job-1 holds for ≤3h (since when exactly was not seen), at least 3h: longer than 2h, the limit of x:1"},
	} {
		most, err := time.ParseDuration(x.min)
		if err != nil {
			t.Fatal(err)
		}
		r := script.Run(t, claims+x.dir+"\n").Waits.Result
		rule := limits.Rule{Severity: model.High, From: "x:1", Most: map[limits.Measure]int64{limits.Held: int64(most)}}
		if got := strings.Join(found(limits.Apply(r, []limits.Rule{rule}), model.CodeOverThreshold), "\n"); got != x.want {
			t.Errorf("%s, %s: %s\nwant %s", x.dir, x.min, got, x.want)
		}
	}
}

// A lighter limit that is surely exceeded is told rather than a graver one that may be.
func TestWhatIsSureIsToldBeforeWhatMayBe(t *testing.T) {
	r := script.Run(t, "/locks/c p=12 cv=5 kids=2\n/locks/c/00000000000000000000000000000001__lock__0000000001 owner=A data=\"job-1\" age=3h z=10\n"+
		"/locks/c/00000000000000000000000000000002__lock__0000000002 owner=B data=\"job-2\" age=1h z=12\n").Waits.Result
	rule := func(s model.Severity, n time.Duration) limits.Rule {
		return limits.Rule{Severity: s, From: "x:1", Most: map[limits.Measure]int64{limits.Held: int64(n)}}
	}
	got := found(limits.Apply(r, []limits.Rule{rule(model.High, 2*time.Hour), rule(model.Medium, time.Minute)}), model.CodeOverThreshold)
	if len(got) != 1 || !strings.HasPrefix(got[0], "medium ") || !strings.HasSuffix(got[0], ": longer than 1m, the limit of x:1") {
		t.Errorf("%q", got)
	}
}
