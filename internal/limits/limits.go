// Package limits holds a picture against what people allow: how long a claim may be held or wait, how many may wait in a
// recipe, how deep a queue may be. What is over a limit becomes a finding; what findings weigh can be set by their codes.
//
// Functions are pure, and safe from any goroutine: what they are given is not changed.
package limits

import (
	"cmp"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// Measure is what a limit is on.
type Measure uint8

// The measures, in the order in which their findings are told.
const (
	Held    Measure = iota // how long a claim holds or leads, in nanoseconds; where that is not known exactly, what it has surely
	Waited                 // how long a claim has waited, in nanoseconds
	Waiting                // how many claims wait in a recipe; who stands by in an election does not count
	Depth                  // how many items are in a queue, those in work too
	Age                    // how old a claim's znode is, in nanoseconds
	measures
)

// Off is the limit that allows everything.
const Off int64 = -1

// Rule is what is allowed in some recipes, or what findings of a code weigh in them.
type Rule struct {
	Path     string            // a glob as hints have it; empty: every recipe
	Kind     layout.Kind       // empty: of every kind
	Code     string            // the rule is for findings of this code, and its limits are not looked at; empty: it sets limits
	Severity model.Severity    // of what is over a limit, or of the code's findings; 0 with a code: they are left out
	Most     map[Measure]int64 // the limits that it sets: more than that is over, or Off
	From     string            // where the rule stands, for people
}

// Apply returns the result as it looks under rules. Of the rules of one severity the first that matches a recipe and sets a
// limit decides it; where limits of several severities are exceeded the graver is told. The first rule that matches a finding's
// code decides what that weighs; a finding that spans recipes is matched where each of its paths is.
// What is not known is over no limit; what may have been held for longer than a limit, and has not surely, is told as low.
func Apply(r *model.Result, rules []Rule) *model.Result { return apply(r, rules, nil) }

func apply(r *model.Result, rules []Rule, usual map[string]Usual) *model.Result {
	if len(rules)+len(usual) == 0 {
		return r
	}
	j := newJudge(r, rules)
	j.usual = usual
	out := *r
	var was, is []*model.Model
	for m := range r.Models.All() {
		own := m.Findings
		if f, is := j.heldLong(m); is {
			own = append(slices.Clone(own), f)
		}
		fs := slices.Concat(j.weighed(own, func(rule int, _ model.Finding) bool { return j.matches(rule, m) }), j.over(m))
		if same(fs, m.Findings) {
			continue
		}
		judged := *m
		judged.Findings = fs
		model.SortFindings(judged.Findings)
		was, is = append(was, m), append(is, &judged)
	}
	out.Models = r.Models.Spliced(was, is)
	out.Findings = j.weighed(r.Findings, j.spans)
	model.SortFindings(out.Findings)
	return &out
}

// same reports whether two lists weigh the same: only codes and severities can have changed.
func same(a, b []model.Finding) bool {
	return slices.EqualFunc(a, b, func(a, b model.Finding) bool { return a.Code == b.Code && a.Severity == b.Severity })
}

// judge is a result with the rules that it is held against.
type judge struct {
	result *model.Result
	rules  []Rule
	paths  []model.HintRule // the rules' globs, prepared
	usual  map[string]Usual
	now    time.Time
}

func newJudge(r *model.Result, rules []Rule) *judge {
	var h model.Hints
	for _, rule := range rules {
		h.Rules = append(h.Rules, model.Hint{Path: rule.Path})
	}
	now := r.Snapshot.AsOf()
	if lost := r.Snapshot.LostSince; !lost.IsZero() && lost.Before(now) {
		now = lost // what happened since was not seen
	}
	return &judge{result: r, rules: rules, paths: model.NewHinter(h).Rules, now: now}
}

// matches reports whether a rule speaks of a recipe.
func (j *judge) matches(rule int, m *model.Model) bool {
	r := &j.rules[rule]
	return (r.Path == "" || j.paths[rule].Matches(m.Path)) && (r.Kind == "" || r.Kind == m.Kind)
}

// spans reports whether a rule speaks of all that a finding is about.
func (j *judge) spans(rule int, f model.Finding) bool {
	r := &j.rules[rule]
	if r.Path == "" && r.Kind == "" {
		return true
	}
	for _, path := range f.Paths {
		if m, _, _ := j.result.RecipeAt(path); m != nil {
			if !j.matches(rule, m) {
				return false
			}
		} else if r.Kind != "" || !j.paths[rule].Matches(path) {
			return false
		}
	}
	return len(f.Paths) > 0
}

// weighed are findings with the severities that the rules give them, in a list of its own.
func (j *judge) weighed(list []model.Finding, matches func(rule int, f model.Finding) bool) []model.Finding {
	out := make([]model.Finding, 0, len(list))
	for _, f := range list {
		for i := range j.rules {
			if j.rules[i].Code == f.Code && matches(i, f) {
				f.Severity = j.rules[i].Severity
				break
			}
		}
		if f.Severity > 0 {
			out = append(out, f)
		}
	}
	return out
}

// over are the findings of what is over a limit in a recipe.
func (j *judge) over(m *model.Model) (out []model.Finding) {
	for what := range measures {
		var found, may *model.Finding
		for severity := model.High; severity >= model.Low && found == nil; severity-- {
			rule, most := j.limit(m, what, severity)
			if rule == nil {
				continue
			}
			if f, is := j.exceeds(m, what, most, rule); is {
				found = &f
			} else if f, is := j.mayExceed(m, what, most, rule); is && may == nil {
				may = &f
			}
		}
		if f := cmp.Or(found, may); f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// limit is the rule of a severity that decides a recipe's limit; nil where there is no limit.
func (j *judge) limit(m *model.Model, what Measure, severity model.Severity) (rule *Rule, most int64) {
	for i := range j.rules {
		r := &j.rules[i]
		most, set := r.Most[what]
		if r.Code != "" || r.Severity != severity || !set || !j.matches(i, m) {
			continue
		}
		if most == Off {
			return nil, 0
		}
		return r, most
	}
	return nil, 0
}

// exceeds holds a recipe against one limit.
func (j *judge) exceeds(m *model.Model, what Measure, most int64, rule *Rule) (model.Finding, bool) {
	f := model.Finding{Code: model.CodeOverThreshold, Severity: rule.Severity}
	limit := ", the limit of " + rule.From
	switch what {
	case Waiting, Depth:
		n := count(m, what)
		if n <= most {
			return f, false
		}
		f.Paths = []string{m.Path}
		f.Text = say.Plural(int(n), "claim waits", "claims wait")
		if what == Depth {
			f.Text = say.Plural(int(n), "item is", "items are") + " in the queue"
		}
		f.Text += ": more than " + say.Itoa(most) + limit
		return f, true
	}
	over := j.longer(m, what, time.Duration(most), j.lasts)
	if len(over) == 0 {
		return f, false
	}
	worst := j.worst(&f, over, what)
	f.Text = lasting(worst, what, j.now)
	if what == Held && !worst.Exact() {
		f.Text += ", at least " + say.Age(j.surely(worst))
	}
	f.Text += ": longer than " + say.Age(time.Duration(most)) + limit + more(over)
	return f, true
}

// mayExceed finds claims that hold, and of which it was not seen since when: longer than a limit, for all that is known.
func (j *judge) mayExceed(m *model.Model, what Measure, most int64, rule *Rule) (model.Finding, bool) {
	f := model.Finding{Code: model.CodeOverThreshold, Severity: model.Low}
	if what != Held {
		return f, false
	}
	over := j.longer(m, what, time.Duration(most), func(c *model.Claim, what Measure) time.Duration { return j.now.Sub(from(c, what)) })
	if len(over) == 0 {
		return f, false
	}
	f.Text = lasting(j.worst(&f, over, what), what, j.now) + ": it may be longer than " + say.Age(time.Duration(most)) +
		", the limit of " + rule.From + more(over)
	return f, true
}

// worst is the claim that lasts the longest; a finding is told which claims it is about.
func (j *judge) worst(f *model.Finding, over []*model.Claim, what Measure) *model.Claim {
	worst := over[0]
	for _, c := range over {
		if from(c, what).Before(from(worst, what)) {
			worst = c
		}
		if len(f.Paths) < told {
			f.Paths = append(f.Paths, c.Path())
			if c.Session != 0 && !slices.Contains(f.Sessions, c.Session) {
				f.Sessions = append(f.Sessions, c.Session)
			}
		}
	}
	return worst
}

// more says how many claims a finding is about besides the one that it tells of.
func more(over []*model.Claim) string {
	if n := len(over) - 1; n > 0 {
		return "; and " + say.Itoa(int64(n)) + " more in this recipe"
	}
	return ""
}

// told is how many claims a finding names.
const told = 10

// count is how many claims of a recipe a measure counts.
func count(m *model.Model, what Measure) (n int64) {
	if depth, known := m.Numbers.Get("depth"); known && what == Depth {
		return depth
	}
	for i := range m.Claims {
		switch role := m.Claims[i].Role(); {
		case what == Waiting && role == model.Waiter,
			what == Depth && (role == model.Item || role == model.Ready || role == model.Taken):
			n++
		}
	}
	return n
}

// longer are the claims that have lasted longer than they may, in serving order, by what measures how long.
func (j *judge) longer(m *model.Model, what Measure, most time.Duration, lasts func(*model.Claim, Measure) time.Duration) (out []*model.Claim) {
	for i := range m.Claims {
		c := &m.Claims[i]
		role := c.Role()
		counts := what == Age || what == Held && model.Holding(role) || what == Waited && role == model.Waiter
		if counts && !from(c, what).IsZero() && lasts(c, what) > most {
			out = append(out, c)
		}
	}
	return out
}

// lasts is for how long a measure has lasted, as far as that is sure.
func (j *judge) lasts(c *model.Claim, what Measure) time.Duration {
	if what == Held {
		return j.surely(c)
	}
	return j.now.Sub(from(c, what))
}

// from is when what a measure measures began; zero: not known.
func from(c *model.Claim, what Measure) time.Time {
	if what == Age {
		return c.Created()
	}
	return c.Since()
}

// lasting says what a claim does and for how long.
func lasting(c *model.Claim, what Measure, now time.Time) string {
	who := say.Printable(c.Owner())
	age := say.Age(now.Sub(from(c, what)))
	verb := "holds"
	switch {
	case what == Age && c.OwnerSource() == model.FromNode:
		return who + " is " + age + " old"
	case what == Age:
		return "the claim of " + who + " is " + age + " old"
	case what == Waited:
		return who + " has waited for " + age
	case c.Role() == model.Leader:
		verb = "leads"
	}
	if !c.Exact() {
		return who + " " + verb + " for " + model.AtMost + age + " (since when exactly was not seen)"
	}
	return who + " " + verb + " for " + age
}
