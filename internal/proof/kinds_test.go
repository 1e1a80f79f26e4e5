package proof

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/peers"
)

//go:embed testdata/kazoo_kinds.py
var kazooKinds string

//go:embed testdata/Kinds.java
var javaKinds string

// wantKinds is what the clients themselves report: lease holders, members, the order of items, counts.
var wantKinds = []want{
	{"/kz/sem", inspect.Semaphore, inspect.Kazoo, "holder sem-A, holder sem-B, waiter sem-C"},
	{"/kz/queue", inspect.PriorityQueue, inspect.Kazoo, "item entry-020-0000000001, item entry-500-0000000000"},
	{"/kz/lqueue", inspect.PriorityQueue, inspect.Kazoo, "taken *, item entry-100-0000000000"},
	{"/kz/dbarrier", inspect.DoubleBarrier, inspect.Kazoo, "member bar-A, member bar-B"},
	{"/kz/waiting-barrier", inspect.DoubleBarrier, inspect.Kazoo, "member bar-C"},
	{"/kz/party", inspect.Membership, inspect.Kazoo, "member party-A, member party-B"},
	{"/kz/shallow", inspect.Membership, inspect.Kazoo, "member shallow-C"},
	{"/kz/barrier", inspect.Barrier, inspect.ZooKeeper, "value barrier"},
	{"/kz/counter", inspect.Counter, inspect.ZooKeeper, "value counter"},
	{"/kz/lease", inspect.Lease, inspect.Kazoo, "holder lease-A"},
	{"/cur/sem", inspect.Semaphore, inspect.Curator, "holder sem-A, holder sem-B, waiter sem-C"},
	{"/cur/dbarrier", inspect.DoubleBarrier, inspect.Curator, "member *, member *"},
	{"/cur/barrier", inspect.Barrier, inspect.Curator, "value *"},
	{"/cur/queue", inspect.Queue, inspect.Curator, "item queue-0000000000, item queue-0000000001"},
	{"/cur/pqueue", inspect.PriorityQueue, inspect.Curator, "item queue-0FFFFFFFB0000000001, item queue-1000000050000000000"},
	{"/cur/dqueue", inspect.DelayQueue, inspect.Curator, "item *"},
	{"/cur/work", inspect.Queue, inspect.Curator, "taken *"},
	{"/cur/crew", inspect.Membership, inspect.Generic, "member pay-A, member pay-B"},
	{"/cur/count", inspect.Counter, inspect.Curator, "value count"},
	{"/cur/counters/long", inspect.Counter, inspect.Curator, "value long"},
	{"/zkr/queue", inspect.Queue, inspect.ZooKeeper, "item qn-0000000000, item qn-0000000001"},
}

// wantStates are the states of those recipes.
var wantStates = map[string]inspect.State{
	"/kz/sem": inspect.Full, "/kz/queue": inspect.Waiting, "/kz/lqueue": inspect.Waiting, "/kz/dbarrier": inspect.Inside,
	"/kz/waiting-barrier": inspect.Gathering, "/kz/party": inspect.Present, "/kz/barrier": inspect.Closed,
	"/kz/counter": inspect.HasValue, "/kz/lease": inspect.Held, "/cur/sem": inspect.Full, "/cur/dbarrier": inspect.Inside,
	"/cur/barrier": inspect.Closed, "/cur/queue": inspect.Waiting, "/cur/dqueue": inspect.Waiting, "/cur/work": inspect.Working,
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
	everyKind(t, peers.ZooKeeper(t, peers.Options{}).Addr)
}

func TestEveryKindOfClientsDecodesRightOnTheEmbeddedServer(t *testing.T) {
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
		if f := worstOf(m); f.Severity >= inspect.Medium {
			t.Errorf("%s: a finding on a healthy recipe: %s: %s", m.Path, f.Code, f.Text)
		}
	}
	if out := kz.Output() + cur.Output(); strings.Contains(out, "FAILED") {
		t.Fatal(out)
	}
}

func worstOf(m *inspect.Model) (worst inspect.Finding) {
	for _, f := range m.Findings {
		if f.Severity > worst.Severity {
			worst = f
		}
	}
	return worst
}
