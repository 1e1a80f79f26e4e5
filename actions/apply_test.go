package actions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a server with a client that sets up claims, and an Actor.
type rig struct {
	t      *testing.T
	server *zkserver.Server
	client *zkc.Conn
	actor  *Actor
	audit  string
}

func newRig(t *testing.T, edit func(*Config)) *rig {
	t.Helper()
	r := &rig{t: t, server: zkserver.New(zkserver.Options{Record: true, MinTimeout: time.Second}), audit: filepath.Join(t.TempDir(), "state", "audit.jsonl")}
	t.Cleanup(func() { r.server.Close() })
	r.client = r.dial(zkc.Config{})
	audit, err := OpenAudit(r.audit)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Conn: recipes.Config{Servers: []string{"s:1"}, Timeout: 3 * time.Second, Dial: r.pipe}, Name: "test", Audit: audit, Patience: 5 * time.Second}
	if edit != nil {
		edit(&cfg)
	}
	if r.actor, err = NewActor(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.actor.Close)
	return r
}

func (r *rig) pipe(ctx context.Context, _, _ string) (net.Conn, error) { return r.server.Dial(ctx) }

func (r *rig) dial(cfg zkc.Config) *zkc.Conn {
	r.t.Helper()
	cfg.Servers, cfg.Dial = []string{"s:1"}, r.pipe
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := zkc.Dial(ctx, cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(c.Close)
	return c
}

func (r *rig) create(path, data string, flags int32) string {
	r.t.Helper()
	made, err := r.client.Create(context.Background(), path, []byte(data), flags, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return made.Path
}

// scene decodes the server's tree and looks at the claim at a path.
func (r *rig) scene(path string) Scene {
	r.t.Helper()
	res := inspect.Decode(snapshotOf(r.server.Tree()), nil, model.Hints{})
	for m := range res.Models.All() {
		for i := range m.Claims {
			if m.Claims[i].Path() == path {
				return Scene{Result: res, Model: m, Claim: &m.Claims[i], Now: time.Now(), Kept: r.actor.Kept(m.Claims[i].ID())}
			}
		}
	}
	r.t.Fatalf("no claim at %s", path)
	return Scene{}
}

func (r *rig) plan(verb Verb, path string) Plan {
	r.t.Helper()
	o, ok := Find(r.scene(path), verb)
	if !ok || o.Disabled != "" {
		r.t.Fatalf("%s %s: %s", verb, path, o.Disabled)
	}
	return o.Plan()
}

func (r *rig) apply(p Plan) Result {
	p.Reason = "drill"
	return r.actor.Apply(context.Background(), p)
}

func (r *rig) want(got Result, o Outcome, words ...string) {
	r.t.Helper()
	if got.Outcome != o {
		r.t.Fatalf("outcome %s, want %s: %s", got.Outcome, o, got.Text)
	}
	for _, w := range words {
		if !strings.Contains(got.Text, w) {
			r.t.Fatalf("%q does not say %q", got.Text, w)
		}
	}
}

// writes lists the write requests that the server has seen since the last call.
func (r *rig) writes() (out []wire.Op) {
	for _, q := range r.server.Requests() {
		if q.Op.Writes() {
			out = append(out, q.Op)
		}
	}
	r.server.ForgetRequests()
	return out
}

func snapshotOf(tree map[string]zkserver.Znode) *znode.Snapshot {
	nodes := map[string]*znode.Node{}
	var paths []string
	for p, z := range tree {
		if strings.HasPrefix(p, "/zookeeper") {
			continue
		}
		_, name := znode.Split(p)
		s := z.Stat
		nodes[p] = &znode.Node{Name: name, Data: z.Data, Owner: znode.SessionID(s.EphemeralOwner), Czxid: znode.Zxid(s.Czxid),
			Mzxid: znode.Zxid(s.Mzxid), Pzxid: znode.Zxid(s.Pzxid), Ctime: znode.Millis(s.Ctime), Mtime: znode.Millis(s.Mtime),
			Version: s.Version, Cversion: s.Cversion, NumChildren: s.NumChildren, DataLength: s.DataLength, HasCversion: true}
		paths = append(paths, p)
	}
	sort.Strings(paths)
	for _, p := range paths {
		if p != "/" {
			dir, _ := znode.Split(p)
			nodes[dir].Children = append(nodes[dir].Children, nodes[p])
		}
	}
	for _, n := range nodes {
		sort.Slice(n.Children, func(i, j int) bool { return n.Children[i].Name < n.Children[j].Name })
	}
	return &znode.Snapshot{Root: nodes["/"], Base: "/", TakenAt: time.Now(), Complete: true}
}

const guid = "_c_00000000-0000-4000-8000-00000000000"

// contend makes three Curator claims and returns their paths.
func (r *rig) contend(data ...string) (paths []string) {
	r.create("/locks", "", 0)
	r.create("/locks/orders", "", 0)
	for i, d := range data {
		paths = append(paths, r.create("/locks/orders/"+guid+string(rune('a'+i))+"-lock-", d, wire.FlagEphemeralSequence))
	}
	r.writes()
	return paths
}

func TestBreakPromotesTheNextAsPredicted(t *testing.T) {
	r := newRig(t, nil)
	paths := r.contend("web-1", "web-2", "web-3")
	p := r.plan(VerbBreak, paths[0])
	if got := strings.Join(p.Outcome, "; "); got != "next to hold is web-2; whether it wakes by itself is not known; 1 keeps waiting; who is woken is not known" {
		t.Fatalf("predicted %q", got)
	}
	if p.Risk != High || p.Confirm != "web-1" {
		t.Fatalf("risk %v, to type %q", p.Risk, p.Confirm)
	}
	r.want(r.apply(p), Done, "broke the claim of web-1")
	m := r.scene(paths[1]).Model
	if m.Claims[0].Owner() != "web-2" || m.Claims[0].Role() != model.Holder || len(m.Claims) != 2 {
		t.Fatalf("after the break: %+v", m.Claims)
	}
	if !p.Seen(r.scene(paths[1]).Result.Snapshot) {
		t.Error("the plan's effect is there to be seen")
	}
}

func TestBreakOfAWaiterWakesNobodyInFront(t *testing.T) {
	r := newRig(t, nil)
	paths := r.contend("web-1", "web-2", "web-3")
	p := r.plan(VerbBreak, paths[2])
	if got := strings.Join(p.Outcome, "; "); got != "web-1 still holds; 1 keeps waiting; who is woken is not known" {
		t.Fatalf("predicted %q", got)
	}
	if p.Risk != Elevated {
		t.Fatalf("risk %v", p.Risk)
	}
}

func TestEveryGuardLeavesTheClaimAlone(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name    string
		between func(r *rig, path string) // happens between look and confirm
		says    string
	}{
		{"gone", func(r *rig, p string) { must(r.t, r.client.Delete(ctx, p, -1)) }, "already gone"},
		{"made again at the same path, version 0", func(r *rig, p string) {
			must(r.t, r.client.Delete(ctx, p, -1))
			r.create(p, "web-1", wire.FlagEphemeral)
		}, "another znode is there"},
		{"written", func(r *rig, p string) {
			_, err := r.client.Set(ctx, p, []byte("else"), -1)
			must(r.t, err)
		}, "changed meanwhile (version 1, not 0)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil)
			path := r.contend("web-1", "web-2")[0]
			p := r.plan(VerbBreak, path)
			c.between(r, path)
			r.writes()
			before, there := r.server.Node(path)
			r.want(r.apply(p), Nothing, "nothing done", c.says)
			if w := r.writes(); len(w) != 0 {
				t.Fatalf("writes were sent: %v", w)
			}
			after, still := r.server.Node(path)
			if there != still || before.Stat != after.Stat {
				t.Fatal("the znode was touched")
			}
			if log, _ := os.ReadFile(r.audit); strings.Count(string(log), "\n") != 1 || !strings.Contains(string(log), `"stage":"nothing"`) {
				t.Errorf("the attempt and its end belong into the audit log: %s", log)
			}
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheServerChecksTheVersionToo(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	r.server.SetFault(func(q zkserver.Request) zkserver.Action {
		if q.Op == wire.OpDelete {
			return zkserver.Action{Err: wire.ErrBadVersion}
		}
		return zkserver.Action{}
	})
	r.want(r.apply(p), Nothing, "changed a moment ago")
}

func TestSyncComesBeforeTheReadAndTheReadBeforeTheWrite(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	r.server.ForgetRequests()
	r.want(r.apply(p), Done)
	var ops []string
	for _, q := range r.server.Requests() {
		if q.Path == path {
			ops = append(ops, map[wire.Op]string{wire.OpSync: "sync", wire.OpGetData: "get", wire.OpDelete: "delete"}[q.Op])
		}
	}
	if got := strings.Join(ops, " "); got != "sync get delete" {
		t.Fatalf("requests on the claim: %s", got)
	}
}

func TestLostRepliesAreResolvedByReading(t *testing.T) {
	for _, c := range []struct {
		name string
		verb Verb
		drop zkserver.Drop
		want Outcome
		says string
	}{
		{"delete applied", VerbBreak, zkserver.DropAfter, Done, "broke the claim"},
		{"delete not applied", VerbBreak, zkserver.DropBefore, Nothing, "it was not done"},
		{"set applied", VerbRevoke, zkserver.DropAfter, Done, "to let go"},
		{"set not applied", VerbRevoke, zkserver.DropBefore, Nothing, "it was not done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil)
			path := r.contend("", "web-2")[0]
			p := r.plan(c.verb, path)
			first := true
			r.server.SetFault(func(q zkserver.Request) zkserver.Action {
				if (q.Op == wire.OpDelete || q.Op == wire.OpSetData) && first {
					first = false
					return zkserver.Action{Drop: c.drop}
				}
				return zkserver.Action{}
			})
			r.want(r.apply(p), c.want, c.says)
		})
	}
}

// What was written may be written again, or gone, before anybody looks: then it is not known whether it was done, and nothing
// else is said.
func TestAfterALostReplyOnlyTheZnodeAsItWasProvesThatNothingWasDone(t *testing.T) {
	for name, c := range map[string]struct {
		drop zkserver.Drop
		then func(r *rig, path string)
		says string
	}{
		"done, and the holder let go":       {zkserver.DropAfter, (*rig).remove, "its holder was asked and let go, or it went before"},
		"not done, and the holder let go":   {zkserver.DropBefore, (*rig).remove, "its holder was asked and let go, or it went before"},
		"done, and written over":            {zkserver.DropAfter, (*rig).overwrite, "somebody else has written since, after our write or instead of it"},
		"not done, and somebody else wrote": {zkserver.DropBefore, (*rig).overwrite, "somebody else has written since, after our write or instead of it"},
		"done, and made anew": {zkserver.DropAfter, func(r *rig, path string) {
			r.remove(path)
			r.create(path, "other", wire.FlagEphemeral)
		}, "another znode is there now"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			path := r.contend("", "web-2")[0]
			p := r.plan(VerbRevoke, path)
			var written, looked atomic.Bool
			r.server.SetFault(func(q zkserver.Request) zkserver.Action {
				switch {
				case q.Op == wire.OpSetData && q.Path == path && written.CompareAndSwap(false, true):
					return zkserver.Action{Drop: c.drop}
				case q.Op == wire.OpSync && written.Load() && looked.CompareAndSwap(false, true):
					c.then(r, path)
				}
				return zkserver.Action{}
			})
			r.want(r.apply(p), Unknown, "it is not known whether revoke was done", c.says)
		})
	}
}

// overwrite writes other data.
func (r *rig) overwrite(path string) {
	if _, err := r.client.Set(context.Background(), path, []byte("other"), -1); err != nil {
		r.t.Error(err)
	}
}

func TestAnUnknownOutcomeIsSaidToBeUnknown(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Patience = 300 * time.Millisecond })
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	r.server.SetFault(func(q zkserver.Request) zkserver.Action {
		if q.Op == wire.OpDelete {
			r.server.RefuseConnections(true)
			return zkserver.Action{Drop: zkserver.DropAfter}
		}
		return zkserver.Action{}
	})
	r.want(r.apply(p), Unknown, "it is not known whether break was done", "before anything else")
}

func TestRefusalsAreSaidInPlainWords(t *testing.T) {
	for _, c := range []struct {
		code wire.Code
		says string
	}{
		{wire.ErrNoAuth, "takes DELETE on its parent /locks/orders"},
		{wire.ErrSessionMoved, "session has moved"},
		{wire.ErrNotReadOnly, "read-only"},
		{wire.ErrThrottled, "overloaded"},
		{-999, "-999"},
	} {
		r := newRig(t, nil)
		path := r.contend("web-1", "web-2")[0]
		p := r.plan(VerbBreak, path)
		r.server.SetFault(func(q zkserver.Request) zkserver.Action {
			if q.Op == wire.OpDelete {
				return zkserver.Action{Err: c.code}
			}
			return zkserver.Action{}
		})
		r.want(r.apply(p), Refused, "not done", c.says)
	}
}

func TestReadOnlyNeverConnects(t *testing.T) {
	r := newRig(t, func(c *Config) { c.ReadOnly = true })
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	r.server.ForgetRequests()
	r.want(r.apply(p), Refused, "read-only")
	if n := len(r.server.Requests()); n != 0 {
		t.Fatalf("%d requests were sent", n)
	}
}

func TestRevokeKeepsAndRestoresTheData(t *testing.T) {
	r := newRig(t, nil)
	r.create("/locks", "", 0)
	r.create("/locks/nightly", "", 0)
	path := r.create("/locks/nightly/0a1b2c3d-0000-4000-8000-000000000001-lock-", "batch-7", wire.FlagEphemeralSequence)
	p := r.plan(VerbRevoke, path)
	if string(p.NewData) != "unlock" || string(p.OldData) != "batch-7" {
		t.Fatalf("writes %q over %q", p.NewData, p.OldData)
	}
	res := r.apply(p)
	r.want(res, Done, "asked batch-7 to let go")
	n, _ := r.server.Node(path)
	if string(n.Data) != "unlock" {
		t.Fatalf("the znode says %q", n.Data)
	}
	s := r.scene(path)
	if text, done := p.Progress(s.Result.Snapshot, res.At, res.At.Add(5*time.Second)); done || text != "asked batch-7 to let go: still held for 5s" {
		t.Fatalf("%q, %v", text, done)
	}
	if o, _ := Find(s, VerbRevoke); !strings.Contains(o.Disabled, "asked already") {
		t.Fatalf("a second request: %q", o.Disabled)
	}
	r.want(r.apply(r.plan(VerbRestore, path)), Done, "restored")
	if n, _ := r.server.Node(path); string(n.Data) != "batch-7" {
		t.Fatalf("restored to %q", n.Data)
	}
	r.checkAudit()
}

// checkAudit reads the log of TestRevokeKeepsAndRestoresTheData.
func (r *rig) checkAudit() {
	r.t.Helper()
	f, err := os.Open(r.audit)
	must(r.t, err)
	defer f.Close()
	var stages []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var rec Record
		must(r.t, json.Unmarshal(sc.Bytes(), &rec))
		stages = append(stages, string(rec.Verb)+" "+rec.Stage+" "+string(rec.OldData))
		if rec.User == "" || rec.Ensemble != "test" || rec.Reason != "drill" || rec.Czxid == 0 {
			r.t.Errorf("incomplete record: %+v", rec)
		}
	}
	want := "revoke intent batch-7, revoke done batch-7, restore intent unlock, restore done unlock"
	if got := strings.Join(stages, ", "); got != want {
		r.t.Errorf("the log holds %s; want %s", got, want)
	}
	if st, _ := os.Stat(r.audit); st.Mode().Perm() != 0o600 {
		r.t.Errorf("the log is readable by others: %v", st.Mode())
	}
}

func TestWithoutALogNothingIsDone(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("web-1", "web-2")[0]
	p := r.plan(VerbBreak, path)
	must(t, os.Mkdir(r.audit, 0o700)) // a folder where the file should be
	r.want(r.apply(p), Refused, "without the log nothing is done")
	if w := r.writes(); len(w) != 0 {
		t.Fatalf("writes were sent: %v", w)
	}
}

func TestRevokeIsRefusedWhereNobodyListens(t *testing.T) {
	r := newRig(t, nil)
	curator := r.contend("10.0.0.7", "web-2")
	r.create("/locks/kazoo", "", 0)
	kazoo := r.create("/locks/kazoo/0123456789abcdef0123456789abcdef__lock__", "job-7", wire.FlagEphemeralSequence)
	for path, says := range map[string]string{
		curator[0]: `no sign of listening for __REVOKE__, so writing it would only destroy the text "10.0.0.7"; breaking`,
		curator[1]: "holds nothing",
		kazoo:      `clients of kazoo locks cannot be asked to let go: writing to the claim would only destroy the text "job-7"; breaking`,
	} {
		o, _ := Find(r.scene(path), VerbRevoke)
		if !strings.Contains(o.Disabled, says) {
			t.Errorf("%s: %q does not say %q", path, o.Disabled, says)
		}
	}
}

func TestPersistentClaimsNeedTheirNameTyped(t *testing.T) {
	r := newRig(t, nil)
	r.create("/l", "", 0)
	path := r.create("/l/0123456789abcdef0123456789abcdef__lock__", "job-7", wire.FlagSequence)
	p := r.plan(VerbBreak, path)
	if p.Risk != High || p.Confirm != "job-7" || !strings.Contains(strings.Join(p.Warnings, " "), "persistent") {
		t.Fatalf("%v %q %q", p.Risk, p.Confirm, p.Warnings)
	}
}

func TestNothingIsOfferedOnAPictureOfThePast(t *testing.T) {
	r := newRig(t, nil)
	s := r.scene(r.contend("web-1", "web-2")[0])
	snap := *s.Result.Snapshot
	snap.LostSince = time.Now()
	res := *s.Result
	res.Snapshot = &snap
	s.Result = &res
	for _, o := range Offers(s) {
		if !strings.Contains(o.Disabled, "not connected") {
			t.Errorf("%s: %q", o.Verb, o.Disabled)
		}
	}
}

// TestAnOldOrderIsNotCarriedOut: the server hangs between confirm and write, and comes back.
func TestAnOldOrderIsNotCarriedOut(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Fresh = 300 * time.Millisecond })
	path := r.contend("web-1", "web-2")[0]
	r.want(r.apply(r.plan(VerbBreak, r.contendMore())), Done) // connected before the server hangs
	p := r.plan(VerbBreak, path)
	r.writes()
	r.server.Pause()
	r.want(r.apply(p), Refused, "no answer within", "plan this old")
	r.server.Resume()
	ctx, cancel := context.WithCancelCause(context.Background())
	r.server.Pause()
	cancel(errors.New("disarmed"))
	r.want(r.actor.Apply(ctx, p), Refused, "called off before anything was sent: disarmed")
	r.server.Resume()
	if err := r.client.Sync(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	if w := r.writes(); len(w) != 0 {
		t.Fatalf("writes were sent: %v", w)
	}
}

// contendMore adds a claim to break.
func (r *rig) contendMore() string {
	return r.create("/locks/orders/"+guid+"e-lock-", "job-9", wire.FlagEphemeralSequence)
}

func TestTheAuditLogHidesNothing(t *testing.T) {
	r := newRig(t, nil)
	r.create("/l", "", 0)
	r.create("/l/a\u202eb", "", 0)
	path := r.create("/l/a\u202eb/0123456789abcdef0123456789abcdef__lock__", "e\U0001F600\x1b", wire.FlagEphemeralSequence)
	r.want(r.apply(r.plan(VerbBreak, path)), Done)
	log, err := os.ReadFile(r.audit)
	must(t, err)
	for _, b := range log {
		if b >= 0x7f || b < 0x20 && b != '\n' {
			t.Fatalf("raw byte %#x in %s", b, log)
		}
	}
	var rec Record
	must(t, json.Unmarshal([]byte(strings.SplitN(string(log), "\n", 2)[0]), &rec))
	if rec.Path != path {
		t.Errorf("%q came back as %q", path, rec.Path)
	}
}

func TestOnlyClaimsAreBroken(t *testing.T) {
	r := newRig(t, nil)
	r.create("/config", "", 0)
	r.create("/config/db", "host=1", 0)
	r.create("/q", "", 0)
	item := r.create("/q/qn-", "work", wire.FlagSequence)
	for _, path := range []string{"/config/db", item} {
		for _, o := range Offers(r.scene(path)) {
			if o.Disabled == "" && (o.Verb == VerbBreak || o.Verb == VerbRevoke) {
				t.Errorf("%s of %s is offered", o.Verb, path)
			}
		}
	}
}
