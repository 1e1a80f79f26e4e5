package inspect_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// systemPaths are znodes of systems whose leader is one znode, and of some whose candidates stand in line.
var systemPaths = []string{
	"/brokers/ids/1 owner=A", "/brokers/ids/2 owner=B", "/brokers/ids", "/controller owner=A data=\"1\"",
	"/controller owner=B data=\"2\"",
	"/service/s/initialize", "/service/s/config data=\"{\\\"pause\\\":true}\"", "/service/s/members/a owner=A",
	"/service/s/members/b owner=B",
	"/service/s/leader owner=A data=\"a\"", "/hbase/master owner=A", "/hbase/backup-masters/b,1,2 owner=B",
	"/hbase/rs/r,1,2 owner=C",
	"/pinot/CONTROLLER", "/pinot/CONTROLLER/LEADER owner=A", "/pinot/LIVEINSTANCES/i owner=B",
	"/loadbalance/brokers/b:1 owner=A",
	"/loadbalance/leader owner=A", "/c/destinations/d/cluster/h:1 owner=A", "/c/destinations/d/running owner=A",
	"/storm/leader-lock", "/storm/nimbuses/n:1 owner=B",
	"/storm/leader-lock/_c_00000001-1111-4222-8333-000000000001-latch-0000000000 owner=A data=\"n:1\"",
	"/brokers/topics/t/partitions/0/state data=\"{\\\"leader\\\":-1,\\\"isr\\\":[1]}\"",
	"/brokers/topics/t/partitions/0/state data=\"{\\\"leader\\\":1,\\\"isr\\\":[1]}\"",
	"/hadoop-ha/n", "/hadoop-ha/n/ActiveStandbyElectorLock owner=A",
}

// Whatever comes and goes, what a run of pictures says of who leads is what the last one says by itself, but for places
// where a leader was seen before.
func TestVacancyIncrementalEqualsFull(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := script.New(t)
		var r *model.Result
		for range rapid.IntRange(1, 12).Draw(rt, "pictures") {
			for range rapid.IntRange(1, 4).Draw(rt, "changes") {
				line := rapid.SampledFrom(systemPaths).Draw(rt, "znode")
				path := script.Fields(t, line)[0]
				if n := s.Snap.At(path); n != nil && rapid.Bool().Draw(rt, "delete") {
					s.Apply("- " + path)
				} else if n == nil || len(n.Children) == 0 {
					s.Apply(line)
				}
			}
			switch rapid.IntRange(0, 3).Draw(rt, "aside") {
			case 0:
				s.Apply("@now +3s")
			case 1:
				s.Apply("@watch /controller B C")
			case 2:
				s.Apply("@watch /hadoop-ha/n/ActiveStandbyElectorLock C")
			}
			snap := *s.Snap
			r = inspect.Decode(&snap, r, model.Hints{})
		}
		late := *s.Snap
		late.TakenAt = late.TakenAt.Add(time.Minute)
		r, alone := inspect.Decode(&late, r, model.Hints{}), inspect.Decode(&late, nil, model.Hints{})
		want := make(map[string]string)
		for m := range alone.Models.All() {
			want[m.Path] = vacancyText(m)
		}
		for m := range r.Models.All() {
			if w, found := want[m.Path]; found && m.Kind == layout.Election && w != vacancyText(m) {
				rt.Errorf("%s:\n%s\nalone:\n%s", m.Path, vacancyText(m), w)
			} else if !found && m.State != model.Vacant && m.State != model.Empty {
				rt.Errorf("%s is not found alone: %s", m.Path, vacancyText(m))
			}
			delete(want, m.Path)
		}
		for path, w := range want {
			rt.Errorf("%s is only found alone: %s", path, w)
		}
	})
}

func vacancyText(m *model.Model) string {
	n, known := m.Standbys()
	out := fmt.Sprintln(m.Kind, m.Dialect, m.State, len(m.Claims), n, known)
	for _, f := range m.Findings {
		// they follow from more than one picture
		if f.Code == model.CodeFlapping || f.Code == model.CodeDowngraded || f.Code == model.CodeHerd {
			continue // told from what was seen before
		}
		out += fmt.Sprintln(f.Code, f.Severity, f.Text)
	}
	return out
}

// What becomes of a leader that is one znode when sessions go: who stands by takes its place, unless it goes too; where
// that is not known, nothing is safe.
func TestImpactOnLeadersOfOneZnode(t *testing.T) {
	s := script.New(t)
	s.Apply(`@server s1:2181 yes
@session A addr=10.0.0.1:1
@session B addr=10.0.0.2:2
/brokers/ids/1 owner=A
/brokers/ids/2 owner=B
/controller owner=A data="1"
/brokers/topics/t/partitions/0/state data="{\"leader\":1,\"isr\":[1,2]}"
/hadoop-ha/n/ActiveStandbyElectorLock owner=A`)
	a, b := script.SessionIDs["A"], script.SessionIDs["B"]
	orphaned := func(path string, ids ...znode.SessionID) bool {
		t.Helper()
		for _, rel := range waits.ImpactOf(inspect.Decode(s.Snapshot(), nil, model.Hints{}), ids...).Releases {
			if rel.Model.Path == path {
				return rel.Safe != model.Yes
			}
		}
		t.Fatalf("%s is not released", path)
		return false
	}
	if orphaned("/controller", a) || !orphaned("/controller", a, b) {
		t.Error("the other broker could lead, unless it goes too")
	}
	if !orphaned("/hadoop-ha/n", a) {
		t.Error("nobody is known to stand by")
	}
	s.Apply("@watch /hadoop-ha/n/ActiveStandbyElectorLock B")
	if orphaned("/hadoop-ha/n", a) || !orphaned("/hadoop-ha/n", a, b) {
		t.Error("whoever watches the lock stands by, unless it goes too")
	}
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	if n, known := r.ByPath("/brokers/topics/t/partitions/0/state").Standbys(); n != 1 || !known {
		t.Errorf("%d replicas could lead, %v", n, known)
	}
}

// A leader without a connection weighs more where somebody waits to be led.
func TestDeadLeaderWithStandbys(t *testing.T) {
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=no\n@session B addr=10.0.0.2:2 connected=yes\n/brokers/ids/1 owner=A\n/brokers/ids/2 owner=B\n/controller owner=A data=\"1\"")
	m := inspect.Decode(s.Snapshot(), nil, model.Hints{}).ByPath("/controller")
	if f := m.Finding(model.CodeOwnerDisconnected); f == nil || f.Severity != model.High {
		t.Errorf("%+v", m.Findings)
	}
}

// An empty directory is an election where a hint says so, or one was seen there in this run; else nothing tells.
func TestAnEmptyDirectoryIsAnElectionByHintOrByHistory(t *testing.T) {
	s := script.New(t)
	s.Apply("@hint /srv/pick kind=election\n/srv/pick\n/srv/other")
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	if m := res.ByPath("/srv/pick"); m == nil || m.State != model.Vacant || m.Finding(model.CodeVacant) == nil ||
		res.ByPath("/srv/other") != nil {
		t.Errorf("%+v", m)
	}
	const first = "/master/" + script.Hex + "__lock__0000000001"
	w := script.Run(t, first+" owner=A").Then("@now +1s\n- " + first).Then("@now +10s")
	if m := w.Waits.Result.ByPath("/master"); m == nil || m.State != model.Vacant ||
		m.Finding(model.CodeVacant) == nil {
		t.Errorf("%+v", m)
	}
}

// A line that nobody stands in is vacant where it was seen led, with and without a hint; one look that has not seen it led
// does not even know that it is an election.
func TestAnEmptyLineThatWasSeenLedIsVacant(t *testing.T) {
	const claim = "/election/e/00000000000000000000000000000001__lock__0000000001"
	const want = model.Medium
	for _, hint := range []string{"", "@hint /election/e kind=election\n"} {
		s := script.New(t)
		s.Apply(hint + "/election/e data=\"\" cv=2\n" + claim + " owner=A data=\"a\"")
		r := inspect.Decode(s.Snapshot(), nil, s.Hints)
		s.Apply("@now +1s\n- " + claim)
		r = inspect.Decode(s.Snapshot(), r, s.Hints)
		s.Apply("@now +1h")
		r = inspect.Decode(s.Snapshot(), r, s.Hints)
		if f := r.ByPath("/election/e").Finding(model.CodeVacant); f == nil || f.Severity != want {
			t.Errorf("with hint %q: %+v, want severity %s", hint, f, want)
		}
	}
}
