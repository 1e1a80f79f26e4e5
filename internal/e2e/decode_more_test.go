package e2e

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/peers"
)

//go:embed testdata/kazoo_more.py
var kazooMore string

//go:embed testdata/MoreKinds.java
var javaMore string

// wantMore is what the clients hold in the recipes that are made of several parts, or that one library spells like
// another: holders, order, owners.
var wantMore = []want{
	{"/kz/part", layout.Membership, layout.Kazoo, "member part-A, member part-B"},
	{"/kz/leases", layout.Lease, layout.Kazoo, "holder lease-A, holder lease-B"},
	{"/kz/counters/four", layout.Counter, layout.Curator, "value four"},
	{"/kz/counters/real", layout.Counter, layout.ZooKeeper, "value real"},
	{"/kz/over", layout.Semaphore, layout.Kazoo, "holder over-A"},
	{"/more/ids", layout.Queue, layout.Curator, "item queue-|id-1|0000000000, item queue-|id-2|0000000001"},
	{"/more/simple", layout.Queue, layout.ZooKeeper, "item qn-0000000000, item qn-0000000001"},
	{"/more/kept", layout.Membership, layout.Curator, "member ttl-A"},
	{"/more/present", layout.Membership, layout.Curator, "member web-A, member web-B"},
	{"/more/discovery/shop", layout.Service, layout.Curator, "member shop-A, member shop-B"},
	{"/more/multi/one", layout.Lock, layout.Curator, "holder *, waiter *"},
	{"/more/multi/two", layout.Lock, layout.Curator, "holder *"},
	{"/more/semmutex", layout.Semaphore, layout.Curator, "holder *, waiter *"},
	{"/more/old", layout.Lock, layout.Curator, "holder *, waiter *, waiter *"}, // only a hint tells that two hold
	{"/more/latch", layout.Election, layout.Curator, "leader l-A, candidate l-B, candidate l-C"},
	{"/more/sharedvalue", layout.Config, layout.Curator, "value sharedvalue"},
	{"/more/counters/int", layout.Counter, layout.Curator, "value int"},
}

// partsOfOthers must be no recipes of their own.
var partsOfOthers = []string{"/kz/part/party", "/kz/part/locks/0", "/kz/leases/0", "/kz/leases/1", "/more/semmutex/locks", "/more/semmutex/leases"}

func TestRecipesOfManyPartsDecodeRightOnARealServer(t *testing.T) {
	t.Parallel()
	manyParts(t, peers.ZooKeeper(t, peers.Options{}).Addr)
}

func TestRecipesOfManyPartsDecodeRightOnTheEmbeddedServer(t *testing.T) {
	t.Parallel()
	manyParts(t, embedded(t))
}

func manyParts(t *testing.T, addr string) {
	peers.Require(t, peers.NeedDiscovery)
	kz := peers.Kazoo(t, kazooMore, addr)
	cur := peers.Java(t, "MoreKinds", javaMore, addr)
	kz.Expect("READY", 90*time.Second)
	cur.Expect("READY", 120*time.Second)
	check(t, addr, wantMore)
	res := decode(t, addr)
	for _, path := range partsOfOthers {
		if m := res.ByPath(path); m != nil {
			t.Errorf("the part at %s is a recipe of its own: %s", path, describe(m))
		}
	}
	partitioned(t, res, kz)
	hinted := inspect.Decode(res.Snapshot, nil, model.Hints{Rules: []model.Hint{{Path: "/more/old", Kind: layout.Semaphore, Limit: 2}}})
	if got := describe(hinted.ByPath("/more/old")); !fits(got, want{"", layout.Semaphore, layout.Curator, "holder *, holder *, waiter *"}) {
		t.Errorf("the old semaphore, by a hint: %s", got)
	}
	numbers(t, res, map[string]map[string]string{
		"/more/shards":       {"depth": cur.Expect("SHARDED", time.Second)},
		"/more/counters/int": {"value": cur.Expect("INT", time.Second)},
		"/kz/counters/four":  {"value": kz.Expect("FOUR", time.Second)},
		"/kz/over":           {"limit": "2"},
		"/more/semmutex":     {"limit": "1"},
	})
	if got, want := "leader l-A candidate l-B candidate l-C", cur.Expect("LATCH", time.Second); got != want {
		t.Errorf("the latch reports %q", want)
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

// partitioned checks who has which items against what the partitioners report.
func partitioned(t *testing.T, res *model.Result, kz *peers.Proc) {
	t.Helper()
	m := res.ByPath("/kz/part")
	for i := range m.Claims {
		c := &m.Claims[i]
		items := kz.Expect("HAS "+c.Owner(), time.Second)
		if want := "has " + strings.ReplaceAll(items, ",", ", "); c.Why() != want {
			t.Errorf("%s: %q, its client says %q", c.Owner(), c.Why(), want)
		}
	}
}

func numbers(t *testing.T, res *model.Result, want map[string]map[string]string) {
	t.Helper()
	for path, ns := range want {
		for name, v := range ns {
			m := res.ByPath(path)
			if m == nil || strconv.FormatInt(m.Numbers.Of(name), 10) != v {
				t.Errorf("%s: %s is not %s: %v", path, name, v, m)
			}
		}
	}
}
