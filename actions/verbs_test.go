package actions

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// at decodes the server's tree with hints and looks at a claim, or at a recipe as a whole.
func (r *rig) at(path string, hints ...model.Hint) Scene {
	r.t.Helper()
	h := model.Hints{Rules: hints}
	s := Scene{Result: inspect.Decode(snapshotOf(r.server.Tree()), nil, h), Hints: h, Now: time.Now()}
	for m := range s.Result.Models.All() {
		if m.Path == path {
			s.Model = m
		}
		for i := range m.Claims {
			if m.Claims[i].Path() == path {
				s.Model, s.Claim = m, &m.Claims[i]
				return s
			}
		}
	}
	if s.Model == nil {
		r.t.Fatalf("nothing at %s", path)
	}
	return s
}

func (r *rig) planOf(verb Verb, s Scene) Plan {
	r.t.Helper()
	o, ok := Find(s, verb)
	if !ok || o.Disabled != "" {
		r.t.Fatalf("%s: %v %s", verb, ok, o.Disabled)
	}
	return o.Plan()
}

func (r *rig) refused(verb Verb, s Scene, words string) {
	r.t.Helper()
	o, ok := Find(s, verb)
	if !ok || !strings.Contains(o.Disabled, words) {
		r.t.Fatalf("%s: offered %v, %q does not say %q", verb, ok, o.Disabled, words)
	}
}

func (r *rig) gone(path string) {
	r.t.Helper()
	if _, there := r.server.Node(path); there {
		r.t.Errorf("%s is still there", path)
	}
}

func TestABarrierIsOpenedAndClosed(t *testing.T) {
	r := newRig(t, nil)
	hint := model.Hint{Path: "/app/gate", Kind: layout.Barrier}
	r.create("/app", "", 0)
	r.create("/app/gate", "", 0)
	s := r.at("/app/gate", hint)
	r.refused(VerbClose, s, "it is closed")
	p := r.planOf(VerbOpen, s)
	r.want(r.apply(p), Done, "opened the barrier /app/gate")
	r.gone("/app/gate")
	r.want(r.apply(p), Nothing, "already gone")
	s = r.at("/app/gate", hint)
	r.refused(VerbOpen, s, "it is open")
	p = r.planOf(VerbClose, s)
	if want := "create /app/gate"; !strings.Contains(p.Step(), want) {
		t.Errorf("step %q", p.Step())
	}
	r.want(r.apply(p), Done, "closed the barrier")
	if n, ok := r.server.Node("/app/gate"); !ok || n.Stat.EphemeralOwner != 0 {
		t.Errorf("%+v", n)
	}
	r.want(r.apply(p), Nothing, "there already")
}

func TestClosingTakesTheParentsRights(t *testing.T) {
	r := newRig(t, nil)
	acl := []wire.ACL{{Perms: wire.PermAll &^ wire.PermDelete, Scheme: "world", ID: "anyone"}}
	if _, err := r.client.Create(context.Background(), "/app", nil, 0, acl); err != nil {
		t.Fatal(err)
	}
	hint := model.Hint{Path: "/app/gate", Kind: layout.Barrier}
	r.want(r.apply(r.planOf(VerbClose, r.at("/app/gate", hint))), Done)
	got, _, err := r.client.ACL(context.Background(), "/app/gate")
	if err != nil || !slices.Equal(got, acl) {
		t.Errorf("%v %v", got, err)
	}
	p := r.planOf(VerbOpen, r.at("/app/gate", hint))
	if why, err := r.actor.Rights(context.Background(), p); err != nil || why != "no DELETE on /app (have crwa)" {
		t.Errorf("%q %v", why, err)
	}
	r.want(r.apply(p), Refused, "DELETE on its parent /app")
}

func TestAQueuesItemIsSkippedOrPutAtTheEnd(t *testing.T) {
	r := newRig(t, nil)
	r.create("/queues", "", 0)
	r.create("/queues/mail", "", 0)
	var items []string
	for _, data := range []string{"one", "two", "three"} {
		items = append(items, r.create("/queues/mail/queue-", data, wire.FlagSequence))
	}
	p := r.planOf(VerbRequeue, r.at(items[0]))
	r.writes()
	r.want(r.apply(p), Done, "put the item")
	if got := r.writes(); !slices.Equal(got, []wire.Op{wire.OpMulti}) {
		t.Errorf("requests: %v", got)
	}
	r.gone(items[0])
	if n, ok := r.server.Node("/queues/mail/queue-0000000003"); !ok || string(n.Data) != "one" {
		t.Errorf("%v %q", ok, n.Data)
	}
	r.want(r.apply(p), Nothing, "gone")
	p = r.planOf(VerbSkip, r.at(items[1]))
	if p.Confirm == "" || p.Risk != High {
		t.Errorf("%+v", p)
	}
	r.want(r.apply(p), Done, "skipped the item queue-0000000001")
	r.gone(items[1])
	records, _, err := ReadAudit(r.audit)
	if last := records[len(records)-1]; err != nil || string(last.OldData) != "two" || last.Stage != "done" {
		t.Errorf("%+v %v", last, err)
	}
}

func TestARequeuedItemIsNeverTwiceNorLost(t *testing.T) {
	r := newRig(t, nil)
	r.create("/queues", "", 0)
	r.create("/queues/mail", "", 0)
	item := r.create("/queues/mail/queue-", "one", wire.FlagSequence)
	p := r.planOf(VerbRequeue, r.at(item))
	if _, err := r.client.Set(context.Background(), item, []byte("uno"), -1); err != nil {
		t.Fatal(err)
	}
	r.want(r.apply(p), Nothing, "its data was changed meanwhile")
	r.server.SetFault(func(q zkserver.Request) zkserver.Action {
		if q.Op == wire.OpMulti {
			return zkserver.Action{Drop: zkserver.DropAfter}
		}
		return zkserver.Action{}
	})
	p = r.planOf(VerbRequeue, r.at(item))
	got := r.apply(p)
	if got.Outcome != Unknown && got.Outcome != Nothing {
		t.Errorf("%s: %s", got.Outcome, got.Text)
	}
	n := 0
	for path := range r.server.Tree() {
		if strings.HasPrefix(path, "/queues/mail/queue-") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d items", n)
	}
}

func TestATakenItemIsGivenBack(t *testing.T) {
	r := newRig(t, nil)
	for _, p := range []string{"/q", "/q/entries", "/q/taken"} {
		r.create(p, "", 0)
	}
	e := r.create("/q/entries/entry-100-", "job", wire.FlagSequence)
	_, name := znode.Split(e)
	r.create("/q/taken/"+name, "worker-1", wire.FlagEphemeral)
	s := r.at("/q")
	i := slices.IndexFunc(s.Model.Claims, func(c model.Claim) bool { return c.Role() == model.Taken })
	if i < 0 {
		t.Fatalf("%+v", s.Model.Claims)
	}
	s.Claim = &s.Model.Claims[i]
	r.refused(VerbSkip, s, "a consumer has taken it")
	p := r.planOf(VerbRequeue, s)
	r.want(r.apply(p), Done)
	if _, there := r.server.Node(e); !there {
		t.Error("the entry itself is gone")
	}
	r.gone("/q/taken/" + name)
}

func TestATransactionIsAbortedByAMissingVote(t *testing.T) {
	r := newRig(t, nil)
	hint := model.Hint{Path: "/tx", Kind: layout.TwoPhase}
	r.create("/tx", "", 0)
	r.create("/tx/s_1", "commit", 0)
	site := r.create("/tx/s_2", "", 0)
	r.refused(VerbAbort, r.at("/tx/s_1", hint), "has voted")
	p := r.planOf(VerbAbort, r.at(site, hint))
	if got := strings.Join(p.Outcome, "; "); !strings.Contains(got, "abort") {
		t.Errorf("predicted %q", got)
	}
	r.want(r.apply(p), Done, "voted for s_2")
	r.refused(VerbAbort, r.at(site, hint), "aborted already")
}

func TestWhatHasChildrenIsNeitherBrokenNorSkipped(t *testing.T) {
	r := newRig(t, nil)
	for _, x := range []struct {
		kind layout.Kind
		name string
		verb Verb
	}{{layout.Semaphore, "semaphore-", VerbBreak}, {layout.Queue, "qn-", VerbSkip}, {layout.Queue, "qn-", VerbRequeue}} {
		dir := "/" + string(x.verb)
		hint := model.Hint{Path: dir, Kind: x.kind, Limit: 2}
		r.create(dir, "", 0)
		r.create(dir+"/"+x.name, "", wire.FlagEphemeralSequence)
		path := r.create(dir+"/"+x.name, "", wire.FlagSequence)
		r.planOf(x.verb, r.at(path, hint))
		r.create(path+"/x", "", 0)
		r.refused(x.verb, r.at(path, hint), path+" has 1 children: only a single znode is ever deleted")
	}
}

func TestLeftoversAreCleanedOneZnodeAtATime(t *testing.T) {
	r := newRig(t, nil)
	r.create("/b", "", 0)
	r.create("/b/ready", "", 0)
	hint := model.Hint{Path: "/b", Kind: layout.DoubleBarrier}
	r.want(r.apply(r.planOf(VerbClean, r.at("/b", hint))), Done, "cleaned up /b/ready")
	r.gone("/b/ready")
	r.refused(VerbClean, r.at("/b", hint), "nothing was left behind")

	r.create("/b/ready", "", 0)
	r.create("/b/m1", "", wire.FlagEphemeral)
	if p := r.planOf(VerbClean, r.at("/b", hint)); !strings.Contains(strings.Join(p.Warnings, " "), "1 member is there") {
		t.Errorf("warnings %q", p.Warnings)
	}
	r.create("/kz", "", 0)
	r.create("/kz/ready", "", 0)
	hint = model.Hint{Path: "/kz", Kind: layout.DoubleBarrier}
	r.create("/kz/00000000000000000000000000000001", "host-1-4711", wire.FlagEphemeral)
	r.refused(VerbClean, r.at("/kz", hint), "1 member of kazoo's may wait for it to be made, "+
		"and would wait for ever once it was deleted: end its process first, and delete it while nobody is there")

	r.create("/locks", "", 0)
	res := inspect.Decode(snapshotOf(r.server.Tree()), nil, model.Hints{})
	o := EmptyParent(res, "/locks")
	if o.Disabled != "" {
		t.Fatal(o.Disabled)
	}
	r.create("/locks/x", "", 0)
	r.want(r.apply(o.Plan()), Nothing, "1 children")
	if o := EmptyParent(inspect.Decode(snapshotOf(r.server.Tree()), nil, model.Hints{}), "/locks"); !strings.Contains(o.Disabled, "not empty") {
		t.Error(o.Disabled)
	}
}

func TestAValueIsSet(t *testing.T) {
	r := newRig(t, nil)
	hint := model.Hint{Path: "/conf", Kind: layout.Config}
	path := r.create("/conf", "old", 0)
	s := r.at(path, hint)
	if o, _ := Find(s, VerbSet); o.Asks == "" || o.Disabled != "" {
		t.Fatalf("%+v", o)
	}
	p := SetTo(s, []byte("new"))
	r.want(r.apply(p), Done, "set /conf")
	if n, _ := r.server.Node("/conf"); string(n.Data) != "new" {
		t.Errorf("%q", n.Data)
	}
	r.want(r.apply(p), Nothing, "changed meanwhile")
}

func TestRightsAreKnownBeforehand(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Conn.Auth = []recipes.Credential{{Scheme: "digest", Token: []byte("ops:secret")}} })
	admin := r.dial(zkc.Config{Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("ops:secret")}}})
	ctx := context.Background()
	digest := zkserver.DigestID("ops:secret")
	mine := []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: digest}}
	for _, p := range []string{"/mine", "/mine/locks"} {
		if _, err := admin.Create(ctx, p, nil, 0, mine); err != nil {
			t.Fatal(err)
		}
	}
	others := []wire.ACL{{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}, {Perms: wire.PermAll, Scheme: "digest", ID: "other:x"}}
	if _, err := admin.Create(ctx, "/theirs", nil, 0, others); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    Plan
		want string
	}{
		{Plan{Op: Remove, Target: Target{Path: "/mine/locks"}}, ""},
		{Plan{Op: Write, Target: Target{Path: "/mine/locks"}}, ""},
		{Plan{Op: Write, Target: Target{Path: "/theirs"}}, "no WRITE on /theirs (have r)"},
		{Plan{Op: Move, Target: Target{Path: "/theirs/x"}}, "no CREATE and DELETE on /theirs (have r)"},
		{Plan{Op: Make, Target: Target{Path: "/none/x"}}, "/none is not there"},
	} {
		if got, err := r.actor.Rights(ctx, c.p); err != nil || got != c.want {
			t.Errorf("%+v: %q %v", c.p.Target, got, err)
		}
	}
}

func TestTheLogTellsWhatWasOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	if records, damaged, err := ReadAudit(file); len(records) != 0 || damaged != 0 || err != nil {
		t.Fatal(records, damaged, err)
	}
	log, err := OpenAudit(file)
	if err != nil {
		t.Fatal(err)
	}
	id := model.ClaimID{Path: "/l/x", Czxid: 7}
	add := func(v Verb, stage, ensemble string, data string) {
		if err := log.Append(Record{Verb: v, Stage: stage, Ensemble: ensemble, Path: id.Path, Czxid: int64(id.Czxid), OldData: []byte(data)}); err != nil {
			t.Fatal(err)
		}
	}
	add(VerbRevoke, "done", "prod", "web-1")
	add(VerbRevoke, "done", "test", "other")
	add(VerbBreak, "intent", "prod", "")
	records, _, err := ReadAudit(file)
	if err != nil || string(Overwritten(records, "prod", id)) != "web-1" || Overwritten(records, "prod", model.ClaimID{Path: "/l/x", Czxid: 8}) != nil {
		t.Fatal(records, err)
	}
	add(VerbRestore, "done", "prod", "unlock")
	if records, _, _ = ReadAudit(file); Overwritten(records, "prod", id) != nil {
		t.Error("restored already")
	}
}

func TestAClaimWithMoreDataThanIsKeptIsBrokenAndItsDataKept(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("web-1", "web-2")[0]
	if _, err := r.client.Set(context.Background(), path, []byte(strings.Repeat("x", 70_000)), -1); err != nil {
		t.Fatal(err)
	}
	s := r.scene(path)
	n := *s.Result.Snapshot.At(path)
	n.Data, n.Flags = nil, znode.DataOmitted
	s.Result = inspect.Decode(s.Result.Snapshot.WithDeleted(path).WithCreated(path, n), nil, model.Hints{})
	for m := range s.Result.Models.All() {
		for i := range m.Claims {
			if m.Claims[i].Path() == path {
				s.Model, s.Claim = m, &m.Claims[i]
			}
		}
	}
	r.want(r.apply(r.planOf(VerbBreak, s)), Done)
	r.gone(path)
	records, _, err := ReadAudit(r.audit)
	if err != nil || len(records) == 0 || len(records[len(records)-1].OldData) != 70_000 {
		t.Errorf("kept: %d records, %v", len(records), err)
	}
}
