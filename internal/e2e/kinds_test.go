package e2e

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/peers"
)

//go:embed testdata/kazoo_kinds.py
var kazooKinds string

//go:embed testdata/Kinds.java
var javaKinds string

// wantKinds is what the clients themselves report: lease holders, members, the order of items, counts.
var wantKinds = []want{
	{"/kz/sem", layout.Semaphore, layout.Kazoo, "holder sem-A, holder sem-B, waiter sem-C"},
	{"/kz/queue", layout.PriorityQueue, layout.Kazoo, "item entry-020-0000000001, item entry-500-0000000000"},
	{"/kz/lqueue", layout.PriorityQueue, layout.Kazoo, "taken *, item entry-100-0000000000"},
	{"/kz/dbarrier", layout.DoubleBarrier, layout.Kazoo, "member bar-A, member bar-B"},
	{"/kz/waiting-barrier", layout.DoubleBarrier, layout.Kazoo, "member bar-C"},
	{"/kz/party", layout.Membership, layout.Kazoo, "member party-A, member party-B"},
	{"/kz/shallow", layout.Membership, layout.Kazoo, "member shallow-C"},
	{"/kz/barrier", layout.Barrier, layout.ZooKeeper, "value barrier"},
	{"/kz/counter", layout.Counter, layout.ZooKeeper, "value counter"},
	{"/kz/lease", layout.Lease, layout.Kazoo, "holder lease-A"},
	{"/cur/sem", layout.Semaphore, layout.Curator, "holder sem-A, holder sem-B, waiter sem-C"},
	{"/cur/dbarrier", layout.DoubleBarrier, layout.Curator, "member *, member *"},
	{"/cur/barrier", layout.Barrier, layout.Curator, "value *"},
	{"/cur/queue", layout.Queue, layout.Curator, "item queue-0000000000, item queue-0000000001"},
	{"/cur/pqueue", layout.PriorityQueue, layout.Curator, "item queue-0FFFFFFFB0000000001, item queue-1000000050000000000"},
	{"/cur/dqueue", layout.DelayQueue, layout.Curator, "item *"},
	{"/cur/work", layout.Queue, layout.Curator, "taken *"},
	{"/cur/crew", layout.Membership, layout.Generic, "member pay-A, member pay-B"},
	{"/cur/count", layout.Counter, layout.Curator, "value count"},
	{"/cur/counters/long", layout.Counter, layout.Curator, "value long"},
	{"/zkr/queue", layout.Queue, layout.ZooKeeper, "item qn-0000000000, item qn-0000000001"},
}

// wantStates are the states of those recipes.
var wantStates = map[string]model.State{
	"/kz/sem": model.Full, "/kz/queue": model.Waiting, "/kz/lqueue": model.Waiting, "/kz/dbarrier": model.Inside,
	"/kz/waiting-barrier": model.Gathering, "/kz/party": model.Present, "/kz/barrier": model.Closed,
	"/kz/counter": model.HasValue, "/kz/lease": model.Held, "/cur/sem": model.Full, "/cur/dbarrier": model.Inside,
	"/cur/barrier": model.Closed, "/cur/queue": model.Waiting, "/cur/dqueue": model.Waiting, "/cur/work": model.Working,
}

// wantNumbers are numbers that the clients report.
var wantNumbers = []struct {
	path, name string
	value      int64
}{
	{"/kz/sem", "limit", 2}, {"/cur/sem", "limit", 2}, {"/kz/counter", "value", -2}, {"/cur/count", "value", 42},
	{"/cur/counters/long", "value", -3}, {"/kz/dbarrier", "needed", 2}, {"/cur/dbarrier", "needed", 2},
	{"/kz/lqueue", "taken", 1}, {"/cur/work", "taken", 1}, {"/zkr/queue", "depth", 2},
}

func TestEveryKindOfClientsDecodesRightOnARealServer(t *testing.T) {
	t.Parallel()
	everyKind(t, peers.ZooKeeper(t, peers.Options{}).Addr)
}

func TestEveryKindOfClientsDecodesRightOnTheEmbeddedServer(t *testing.T) {
	t.Parallel()
	everyKind(t, embedded(t))
}

func everyKind(t *testing.T, addr string) {
	kz := peers.Kazoo(t, kazooKinds, addr)
	cur := peers.Java(t, "Kinds", javaKinds, addr)
	kz.Expect("READY", 60*time.Second)
	cur.Expect("READY", 90*time.Second)
	check(t, addr, wantKinds)
	res := decode(t, addr)
	for path, want := range wantStates {
		if m := res.ByPath(path); m == nil || m.State != want {
			t.Errorf("%s: %v, want %s", path, describe(m), want)
		}
	}
	for _, w := range wantNumbers {
		if m := res.ByPath(w.path); m == nil || m.Numbers.Of(w.name) != w.value {
			t.Errorf("%s: %s is not %d: %v", w.path, w.name, w.value, m)
		}
	}
	for m := range res.Models.All() {
		if f := worstOf(m); f.Severity >= model.Medium {
			t.Errorf("%s: a finding on a healthy recipe: %s: %s", m.Path, f.Code, f.Text)
		}
	}
	if out := kz.Output() + cur.Output(); strings.Contains(out, "FAILED") {
		t.Fatal(out)
	}
}

func worstOf(m *model.Model) (worst model.Finding) {
	for _, f := range m.Findings {
		if f.Severity > worst.Severity {
			worst = f
		}
	}
	return worst
}
