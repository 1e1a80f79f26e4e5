package e2e

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/recipes"
)

func actor(t *testing.T, addr string) *actions.Actor {
	t.Helper()
	audit, err := actions.OpenAudit(filepath.Join(t.TempDir(), "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := actions.NewActor(actions.Config{Conn: recipes.Config{Servers: []string{addr}}, Name: addr, Audit: audit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// offer finds what can be done to the i-th claim of a recipe.
func offer(t *testing.T, addr, path string, i int, v actions.Verb) actions.Offer {
	t.Helper()
	res := decode(t, addr)
	m := res.ByPath(path)
	if m == nil || len(m.Claims) <= i {
		t.Fatalf("%s: no claim %d: %s", path, i, describe(m))
	}
	o, ok := actions.Find(actions.Scene{Result: res, Model: m, Claim: &m.Claims[i], Now: time.Now()}, v)
	if !ok {
		t.Fatalf("%s: no offer to %s", path, v)
	}
	return o
}

// revokeCurator asks the revocable Curator holder to let go, sees it obey, and sees kazoo's refused.
func revokeCurator(t *testing.T, addr string, cur *peers.Proc) {
	t.Helper()
	o := offer(t, addr, "/cur/mutex", 0, actions.VerbRevoke)
	p := o.Plan()
	if o.Disabled != "" || string(p.NewData) != "__REVOKE__" {
		t.Fatalf("revoke of a revocable Curator mutex: %q, writes %q", o.Disabled, p.NewData)
	}
	r := actor(t, addr).Apply(context.Background(), p)
	if r.Outcome != actions.Done {
		t.Fatal(r.Text)
	}
	cur.Expect("REVOKED", 20*time.Second)
	peers.WaitFor(t, 10*time.Second, "the follow-up to say that the holder let go", func() bool {
		text, done := p.Progress(decode(t, addr).Snapshot, r.At, time.Now())
		return done && strings.Contains(text, "let go after")
	})
	for path, says := range map[string]string{"/kz/lock": "clients of kazoo locks cannot be asked to let go", "/cur/rw": "no sign of listening"} {
		if o := offer(t, addr, path, 0, actions.VerbRevoke); !strings.Contains(o.Disabled, says) {
			t.Errorf("revoke %s: %q does not say %q", path, o.Disabled, says)
		}
	}
}

// killed is a client that takes a place in line and is then killed.
const killed = `
import sys, time
from kazoo.client import KazooClient
from kazoo.recipe.lock import Lock
c = KazooClient(hosts=sys.argv[1], timeout=30.0); c.start()
l = Lock(c, "/kz/killed", sys.argv[2])
if len(sys.argv) > 3:
    import threading
    threading.Thread(target=l.acquire, daemon=True).start()
    while len(c.get_children("/kz/killed")) < 2: time.sleep(0.01)
    print("WAITS", flush=True)
    while not l.is_acquired: time.sleep(0.01)
    print("HOLDS", flush=True)
else:
    l.acquire()
    print("HOLDS", flush=True)
sys.stdin.readline()
`

func TestBreakOfAKilledClientsClaimPromotesTheNextAsPredicted(t *testing.T) {
	t.Parallel()
	addr := peers.ZooKeeper(t, peers.Options{}).Addr
	first := peers.Kazoo(t, killed, addr, "job-1")
	first.Expect("HOLDS", 30*time.Second)
	second := peers.Kazoo(t, killed, addr, "job-2", "wait")
	second.Expect("WAITS", 30*time.Second)
	first.Kill()
	o := offer(t, addr, "/kz/killed", 0, actions.VerbBreak)
	p := o.Plan()
	if got := strings.Join(p.Outcome, "; "); got != "next to hold is job-2; whether it wakes by itself is not known; who is woken is not known" {
		t.Fatalf("predicted %q by the tree alone", got)
	}
	code, out, errs := run("break", p.Target.Path, addr, "--dry-run")
	if code != 0 || !strings.Contains(out, "job-2 will hold") || !strings.Contains(out, "1 session is woken") {
		t.Errorf("break: exit %d\n%s%s", code, out, errs)
	}
	if r := actor(t, addr).Apply(context.Background(), p); r.Outcome != actions.Done {
		t.Fatal(r.Text)
	}
	second.Expect("HOLDS", 10*time.Second)
	check(t, addr, []want{{"/kz/killed", layout.Lock, layout.Kazoo, "holder job-2"}})
}
