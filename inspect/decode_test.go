package inspect_test

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Decode is total and deterministic: any tree, however hostile, has one result, whose parts agree.
func TestDecodeTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script.AnySnapshot(t)
		r := inspect.Decode(s, nil, model.Hints{})
		if again := inspect.Decode(s, nil, model.Hints{}); script.ResultText(r) != script.ResultText(again) {
			t.Fatalf("two results:\n%s\n%s", script.ResultText(r), script.ResultText(again))
		}
		checkResult(t, r)
	})
}

// fataler is a test or a run of one by rapid.
type fataler interface{ Fatalf(string, ...any) }

// checkResult checks what holds of every result.
func checkResult(t fataler, r *model.Result) {
	var last *model.Model
	for m := range r.Models.All() {
		if last != nil && znode.ComparePaths(last.Path, m.Path) >= 0 {
			t.Fatalf("out of order: %q, %q", last.Path, m.Path)
		}
		last = m
		if r.ByPath(m.Path) != m {
			t.Fatalf("%q is not found by its path", m.Path)
		}
		if m.Confidence < 0 || m.Confidence > 1 || len(m.Why) == 0 || m.State == "" || m.Kind == "" || m.Dialect == "" {
			t.Fatalf("incomplete: %+v", m)
		}
		for j := range m.Claims {
			checkClaim(t, m, j)
		}
		for _, f := range m.Findings {
			if f.Code == "" || f.Text == "" || f.Severity < model.Low || f.Severity > model.High ||
				say.Printable(f.Text) != f.Text {
				t.Fatalf("finding: %+v", f)
			}
		}
		if s := m.Summary(r.Snapshot.TakenAt); s == "" || say.Printable(s) != s {
			t.Fatalf("summary %q", s)
		}
	}
	if r.ByPath("/no/such/path") != nil {
		t.Fatalf("found what is not there")
	}
}

func checkClaim(t fataler, m *model.Model, j int) {
	c := &m.Claims[j]
	if c.Owner() == "" || c.OwnerSource() == "" || c.Why() == "" ||
		say.Printable(c.Why()) != c.Why() || c.Position() != j {
		t.Fatalf("claim %d of %q: %+v", j, m.Path, c)
	}
	waits := c.Role() == model.Waiter || c.Role() == model.Candidate
	if waits != (c.Proof() != model.Unproven) || !waits && len(c.BlockedBy()) > 0 ||
		waits && len(c.BlockedBy()) == 0 && j > 0 {
		t.Fatalf("claim %d of %q: %+v", j, m.Path, c)
	}
	for _, p := range c.BlockedBy() {
		ahead := slices.IndexFunc(m.Claims, func(o model.Claim) bool { return o.Path() == p })
		if ahead < 0 || ahead >= j {
			t.Fatalf("claim %d of %q waits for %q at %d", j, m.Path, p, ahead)
		}
	}
}

// Decoding step by step gives what decoding at once gives, but for the memory of the run; and what did
// not change keeps its model.
func TestIncrementalEqualsFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script.StartOfRun(t)
		hints := model.Hints{}
		prev := inspect.Decode(s, nil, hints)
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			next := script.Mutate(t, s)
			if rapid.IntRange(0, 5).Draw(t, "news") == 0 {
				yes, no := true, false
				next.Servers = []znode.Server{{Answered: true}}
				next.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Addr: "10.0.0.1:1", Connected: &yes},
					2: {ID: 2, Connected: &no}}
				next.Watches = map[string][]znode.SessionID{rapid.SampledFrom(script.AllPaths(next)).Draw(t,
					"watched"): {1, 2}}
			}
			if rapid.IntRange(0, 9).Draw(t, "new hint") == 0 {
				hints = model.Hints{Rules: []model.Hint{{Path: rapid.SampledFrom(script.AllPaths(next)).Draw(t,
					"hinted"), Kind: rapid.SampledFrom([]layout.Kind{layout.Lock, layout.Election, layout.SharedLock,
					layout.Semaphore, layout.Barrier, layout.Queue, layout.Membership, layout.Config, layout.TwoPhase,
					layout.Lease, layout.DoubleBarrier}).Draw(t, "kind")}}}
			}
			inc := inspect.Decode(next, prev, hints)
			checkResult(t, inc)
			sameDecisions(t, next, inc, hints)
			keepsPointers(t, s, next, prev, inc)
			for _, e := range story.Diff(prev, inc) {
				if e.Text == "" || say.Printable(e.Text) != e.Text || e.Path == "" || e.What == "" {
					t.Fatalf("event: %+v", e)
				}
			}
			s, prev = next, inc
		}
	})
}

// sameDecisions compares with a result without memory, after the news are settled in both.
func sameDecisions(t *rapid.T, s *znode.Snapshot, inc *model.Result, hints model.Hints) {
	settled := *s
	settled.TakenAt, settled.Sessions, settled.Watches = s.TakenAt.Add(2*model.RewatchWithin),
		maps.Clone(s.Sessions), maps.Clone(s.Watches)
	full := inspect.Decode(&settled, nil, hints)
	inc = inspect.Decode(&settled, inc, hints)
	remembered := 0
	for m := range inc.Models.All() {
		f := full.ByPath(m.Path)
		if f == nil || len(m.Claims) == 0 || slices.Contains(m.Why, survey.SeenBefore) || len(m.Detail().Lost) > 0 ||
			f.Detail().Watched != m.Detail().Watched {
			// a recipe, or of a dialect, because claims were seen here before; or its clients were seen to watch
			remembered++
			continue
		}
		if a, b := decisions(f), decisions(m); a != b {
			t.Fatalf("%s\nat once: %s\nstep by step: %s", m.Path, a, b)
		}
	}
	for f := range full.Models.All() {
		if inc.ByPath(f.Path) == nil && !anyAbove(f.Path, func(dir string) bool { return inc.ByPath(dir) != nil }) {
			t.Fatalf("%s is missing step by step: %s", f.Path, script.ResultText(full))
		}
	}
	if remembered == 0 && !reflect.DeepEqual(full.Findings, inc.Findings) {
		t.Fatalf("at once: %v\nstep by step: %v", full.Findings, inc.Findings)
	}
}

// remembering lists the findings that follow from more than one picture.
var remembering = []string{model.CodeDowngraded, model.CodeLeaderUnannounced, model.CodeStaleReady,
	model.CodeVoteChanged, model.CodeParticipantLost,
	model.CodeRedelivered, model.CodePoisonHead, model.CodeFlapping, model.CodeLeakedClaim, model.CodeHerd}

// anyAbove reports whether something holds of a directory above a path.
func anyAbove(path string, is func(string) bool) bool {
	for path != "/" {
		if path = znode.ParentPath(path); is(path) {
			return true
		}
	}
	return false
}

// keepsPointers checks that a recipe whose znode is the same, with the same news, is the same model.
func keepsPointers(t *rapid.T, old, new *znode.Snapshot, prev, next *model.Result) {
	if !prev.Hints.Equal(next.Hints) || !model.SameMap(old.Sessions, new.Sessions) {
		return
	}
	if due := prev.Due(); !due.IsZero() && !new.TakenAt.Before(due) {
		return // something changes with the clock
	}
	for m := range prev.Models.All() {
		dir := znode.ParentPath(m.Path)
		if anyAbove(m.Path, func(dir string) bool { return prev.ByPath(dir) != next.ByPath(dir) }) {
			continue // it may have become a part of another recipe
		}
		if m.Kind == layout.Lease || m.Kind == layout.DelayQueue {
			continue // they change with the clock
		}
		if m.Finding(model.CodePhantomClaim) != nil || m.Finding(model.CodeSelfWait) != nil {
			continue // they change with what sessions do elsewhere
		}
		if old.At(m.Path) == new.At(m.Path) && old.At(dir) == new.At(dir) && prev.ByPath(dir) == next.ByPath(dir) &&
			next.ByPath(m.Path) != m {
			t.Fatalf("%s was decoded again", m.Path)
		}
	}
}

func TestUnchangedKeepsEverything(t *testing.T) {
	s := script.BigTree(20, 10)
	first := inspect.Decode(s, nil, model.Hints{})
	again := *s
	again.TakenAt = again.TakenAt.Add(time.Hour)
	second := inspect.Decode(&again, first, model.Hints{})
	if !slices.Equal(slices.Collect(first.Models.All()), slices.Collect(second.Models.All())) {
		t.Error("models changed without a change")
	}
	if events := story.Diff(first, second); events != nil {
		t.Errorf("events without a change: %v", events)
	}
}

// News about one session concern its recipes only.
func TestNewsKeepOthers(t *testing.T) {
	s := script.New(t)
	s.Apply(`@server s1:2181 yes
@session A addr=10.0.0.1:1 connected=yes
@session B addr=10.0.0.2:1 connected=yes
/a/` + script.Hex + `__lock__0000000001 owner=A
/b/` + script.Hex + `__lock__0000000001 owner=B
/c/` + script.Hex + `__lock__0000000001 owner=B`)
	first := inspect.Decode(s.Snapshot(), nil, s.Hints)
	s.Apply("@session A addr=10.0.0.1:1 connected=no\n@watch /c/" + script.Hex + "__lock__0000000001 A")
	// Watches become known: that may concern every recipe.
	second := inspect.Decode(s.Snapshot(), first, s.Hints)
	s.Apply("@session A addr=10.0.0.1:1 connected=yes\n@watch /c/" + script.Hex + "__lock__0000000001 A B")
	third := inspect.Decode(s.Snapshot(), second, s.Hints)
	for path, kept := range map[string]bool{"/a": false, "/b": true, "/c": false} {
		if got := second.ByPath(path) == third.ByPath(path); got != kept {
			t.Errorf("%s: kept %v, want %v", path, got, kept)
		}
	}
	if f := second.ByPath("/a").Finding(model.CodeOwnerDisconnected); f == nil {
		t.Error("a session without a connection was not noticed")
	}
	if f := third.ByPath("/a").Finding(model.CodeOwnerDisconnected); f != nil {
		t.Error("a session that came back was not noticed")
	}
}

// A change costs its own directory and its ancestors, however many other recipes there are: counted in
// allocations, which do not depend on the machine.
func TestOneChangeCost(t *testing.T) {
	cost := func(dirs int) float64 {
		s := script.BigTree(dirs, 5)
		prev := inspect.Decode(s, nil, model.Hints{})
		next := s.WithDeleted(prev.Models.At(dirs / 2).Claims[1].Path())
		return testing.AllocsPerRun(5, func() { inspect.Decode(next, prev, model.Hints{}) })
	}
	if few, many := cost(20), cost(2000); many > few+10 {
		t.Errorf("%v allocations among 20 recipes, %v among 2000", few, many)
	}
}

// Nor do the bytes: nothing as long as the list of all recipes is copied.
func TestOneChangeBytes(t *testing.T) {
	cost := func(dirs int) uint64 {
		s := script.BigTree(dirs, 3)
		prev := inspect.Decode(s, nil, model.Hints{})
		next := s.WithDeleted(prev.Models.At(dirs / 2).Claims[1].Path())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 5 {
			inspect.Decode(next, prev, model.Hints{})
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 5
	}
	if few, many := cost(1000), cost(6000); many > few+few/2 {
		t.Errorf("%d bytes among 1,000 recipes, %d among 6,000", few, many)
	}
}

func TestFindingsAreLimited(t *testing.T) {
	s := script.New(t)
	for i := range 15 {
		s.Apply(fmt.Sprintf("/l/x-%d-%010d owner=A", 1000+i, i))
	}
	m := inspect.Decode(s.Snapshot(), nil, model.Hints{}).ByPath("/l")
	count := map[string]int{}
	last := map[string]string{}
	for _, f := range m.Findings {
		count[f.Code]++
		last[f.Code] = f.Text
	}
	if count[model.CodePhantomClaim] != 1 || count[model.CodeNameSessionMismatch] != 10 ||
		!strings.Contains(last[model.CodePhantomClaim], "2nd and 13 more places in line") ||
		!strings.HasSuffix(last[model.CodeNameSessionMismatch], "; and 5 more like this") {
		t.Error(count, last)
	}
}

func TestOrdinaryTreesClaimNothing(t *testing.T) {
	s := script.New(t)
	root := znode.NewTreeBuilder("/")
	for i := range 10000 {
		path := fmt.Sprintf("/%s/%s%d/%s", []string{"app", "data", "users", "jobs", "2026-11-27"}[i%5],
			[]string{"item", "host-", "r", "_", ""}[i%7%5], i,
			[]string{"value", "state", "00000000001", "a-1234567890", "v2"}[i%3])
		root.Add(path, &znode.Node{Data: []byte("some data"), HasCversion: true, Czxid: znode.Zxid(i + 1)}, nil)
	}
	snap := s.Snapshot()
	snap.Root = root.Build()
	if r := inspect.Decode(snap, nil, model.Hints{}); r.Models.Len() != 0 || len(r.Findings) != 0 {
		t.Errorf("%d recipes: %s", r.Models.Len(), script.ResultText(r))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("/l/lock-0000000001", "/l/lock--2147483648", "/leaders/x/leader", "web", int64(1))
	f.Add("/a/locks/_c_"+script.UUID+"-lock-0000000001", "/a/leases/x", "/oe/election/n_0000000001",
		"{\"id\":1}", int64(0))
	f.Add("/s/leases/_c_"+script.UUID+"-lease-0000000001", "/s/locks/_c_"+script.UUID+"-lock-0000000001",
		"/q/queue-|1A21F05BB18|0000000001", "commit", int64(1))
	f.Add("/q/entries/entry-100-0000000001", "/q/taken/entry-100-0000000001", "/x/0/lease_holder",
		"{\"holder\":\"h\",\"end\":\"2026-11-27T22:00:00\"}", int64(1))
	f.Add("/hbase/rs/a,1,2", "/hadoop-ha/n/ActiveStandbyElectorLock", "/kafka/brokers/ids/1",
		"\n\x03ns1\x12\x03nn1\x1a\x02h1 \xd4>", int64(1))
	f.Add("/config/x", "/barrier/ready", "/services/a/b", "{\"serviceType\":1,\"endpoints\":[\"x://y\"]}", int64(0))
	f.Fuzz(func(t *testing.T, a, b, c, data string, owner int64) {
		tree := znode.NewTreeBuilder("/")
		for i, p := range []string{a, b, c} {
			if _, ok := znode.Relative("/", p); ok {
				tree.Add(p, &znode.Node{Data: []byte(data), Owner: znode.SessionID(owner), Czxid: znode.Zxid(i)}, nil)
			}
		}
		s := &znode.Snapshot{Root: tree.Build(), Base: "/", Complete: true}
		r := inspect.Decode(s, nil, model.Hints{})
		if script.ResultText(inspect.Decode(s, nil, model.Hints{})) != script.ResultText(r) {
			t.Error("two results")
		}
		next := inspect.Decode(s.WithDeleted(a), r, model.Hints{})
		story.Diff(r, next)
		if _, err := story.NewReport(next).MarshalJSON(); err != nil {
			t.Error(err)
		}
	})
}
