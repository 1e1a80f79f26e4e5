package zkc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestOnBothServers runs the same tests against a real server and, in virtual time, against the in-process
// one. Each Conn has a chroot of its own, which must not be felt.
func TestOnBothServers(t *testing.T) {
	tests := map[string]func(t *testing.T, c *Conn){"operations": testOperations, "multi": testMulti, "multiread": testMultiRead, "watchonce": testWatchOnce}
	s := peers.ZooKeeper(t, peers.Options{})
	for name, test := range tests {
		chroot := "/prod/" + name
		t.Run("real/"+name, func(t *testing.T) {
			makeChroot(t, Config{Servers: []string{s.Addr}}, chroot)
			c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, Chroot: chroot}))
			defer c.Close()
			test(t, c)
		})
		t.Run("virtual/"+name, func(t *testing.T) {
			virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, _ *Conn) {
				makeChroot(t, pipeTo(s), chroot)
				cfg := pipeTo(s)
				cfg.Chroot = chroot
				c := must[*Conn](t)(Dial(t.Context(), cfg))
				defer c.Close()
				test(t, c)
			})
		})
	}
}

func makeChroot(t *testing.T, cfg Config, path string) {
	t.Helper()
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), cfg))
	defer c.Close()
	_, _ = c.Create(t.Context(), "/prod", nil, 0, nil) // there already, perhaps
	mustCreate(t, c, path, "root", 0)
}

func testOperations(t *testing.T, c *Conn) {
	ctx := t.Context()
	made := mustCreate(t, c, "/a", "one", 0)
	if made.Path != "/a" || made.Stat.Czxid == 0 || made.Stat.DataLength != 3 {
		t.Fatalf("%+v", made)
	}
	if data, st, err := c.Get(ctx, "/a"); string(data) != "one" || st != made.Stat || err != nil {
		t.Fatalf("%q %+v %v", data, st, err)
	}
	st := must[wire.Stat](t)(c.Set(ctx, "/a", nil, 0))
	if data, got, err := c.Get(ctx, "/a"); data != nil || got != st || st.Version != 1 || err != nil {
		t.Fatalf("null data comes back as %v, %+v, %v", data, got, err)
	}
	seq := mustCreate(t, c, "/a/q-", "x", wire.FlagEphemeralSequence)
	if seq.Path != "/a/q-0000000000" || seq.Stat.EphemeralOwner != c.State().Session {
		t.Fatalf("%+v of session %x", seq, c.State().Session)
	}
	if p := mustCreate(t, c, "/a/", "", wire.FlagSequence); p.Path != "/a/0000000001" {
		t.Fatalf("a nameless sequential znode is %s", p.Path)
	}
	mustCreate(t, c, "/box", "", wire.FlagContainer)
	ch := CreateOf("/ttl", nil, wire.FlagPersistentTTL)
	ch.TTL = time.Hour
	if p, err := c.Make(ctx, ch); p.Path != "/ttl" || err != nil {
		t.Fatal(p, err)
	}
	names, st, err := c.Children(ctx, "/a")
	slices.Sort(names)
	if fmt.Sprint(names) != "[0000000001 q-0000000000]" || st.NumChildren != 2 || err != nil {
		t.Fatal(names, st, err)
	}
	if names, _, err := c.Children(ctx, "/"); len(names) != 3 || err != nil {
		t.Fatal("the chroot shows through: ", names, err)
	}
	if eph, err := c.Ephemerals(ctx, "/"); fmt.Sprint(eph) != "[/a/q-0000000000]" || err != nil {
		t.Fatal(eph, err)
	}
	if err := c.Sync(ctx, "/a"); err != nil {
		t.Fatal(err)
	}
	if ids, err := c.WhoAmI(ctx); len(ids) == 0 || ids[0].Scheme != "ip" || err != nil {
		t.Fatal(ids, err)
	}
	if acl, _, err := c.ACL(ctx, "/a"); len(acl) != 1 || acl[0] != wire.OpenACL()[0] || err != nil {
		t.Fatal(acl, err)
	}
	if st, err := c.SetACL(ctx, "/a", []wire.ACL{{Perms: 1, Scheme: "world", ID: "anyone"}}, 0); st.Aversion != 1 || err != nil {
		t.Fatal(st, err)
	}
	checkRefusals(t, c)
}

// checkRefusals checks what each refusal of a server is called. /a is write-protected.
func checkRefusals(t *testing.T, c *Conn) {
	t.Helper()
	ctx := t.Context()
	for _, x := range []struct {
		want error
		text string
		do   func() error
	}{
		{ErrNoNode, "get /none: znode does not exist", func() error { _, _, err := c.Get(ctx, "/none"); return err }},
		{ErrNoAuth, "set /a: no permission", func() error { _, err := c.Set(ctx, "/a", nil, 1); return err }},
		{ErrBadVersion, "set /box: version does not match", func() error { _, err := c.Set(ctx, "/box", nil, 7); return err }},
		{ErrNodeExists, "create /a: znode exists", func() error { _, err := c.Create(ctx, "/a", nil, 0, nil); return err }},
		{ErrNotEmpty, "delete /: ", func() error { return c.Delete(ctx, "/", -1) }},
		{nil, "create /a/q-0000000000/x: an ephemeral znode cannot have children", func() error {
			_, err := c.Create(ctx, "/a/q-0000000000/x", nil, 0, nil)
			return err
		}},
		{errBadPath, "get a: not a valid path: does not begin with a slash", func() error { _, _, err := c.Get(ctx, "a"); return err }},
		{errBadPath, "delete /a/: not a valid path: ends with a slash", func() error { return c.Delete(ctx, "/a/", -1) }},
	} {
		err := x.do()
		if err == nil || x.want != nil && !errors.Is(err, x.want) || !strings.HasPrefix(err.Error(), x.text) {
			t.Errorf("%v; want %q", err, x.text)
		}
	}
	if _, ok, err := c.Exists(ctx, "/none"); ok || err != nil {
		t.Error("exists on a missing znode", ok, err)
	}
}

func testMulti(t *testing.T, c *Conn) {
	ctx := t.Context()
	res, err := c.Multi(ctx, CreateOf("/m", []byte("x"), 0), CreateOf("/m/s-", nil, wire.FlagSequence),
		CreateOf("/m/box", nil, wire.FlagContainer), SetOf("/m", []byte("y"), 0), CheckOf("/m", 1), DeleteOf("/m/s-0000000000", 0))
	if err != nil || res[1].Path != "/m/s-0000000000" || res[2].Stat.Czxid == 0 || res[3].Stat.Version != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	res, err = c.Multi(ctx, CreateOf("/m/new", nil, 0), CheckOf("/m", 9), DeleteOf("/m/box", 0))
	if !errors.Is(err, ErrBadVersion) || err.Error() != "multi: check /m: version does not match: the znode was changed" {
		t.Fatal(err)
	}
	if res[1].Code != wire.ErrBadVersion || res[2].Code != wire.ErrRuntimeInconsistency {
		t.Fatalf("%+v", res)
	}
	if _, ok, _ := c.Exists(ctx, "/m/new"); ok {
		t.Fatal("a failed multi is applied in part")
	}
}

func testMultiRead(t *testing.T, c *Conn) {
	mustCreate(t, c, "/r", "", 0)
	const n = 1300 // three requests
	for at := 0; at < n; at += 100 {
		var ch []Change
		for i := range 100 {
			ch = append(ch, CreateOf(fmt.Sprintf("/r/%04d", at+i), fmt.Appendf(nil, "data %d", at+i), 0))
		}
		must[[]Done](t)(c.Multi(t.Context(), ch...))
	}
	reads := []Read{{Path: "/r", Kind: ReadChildren}, {Path: "/none"}, {Path: "/r", Kind: ReadExists}, {Path: "/none", Kind: ReadExists}}
	for i := range n {
		reads = append(reads, Read{Path: fmt.Sprintf("/r/%04d", i)})
	}
	before := c.Counters().Requests
	res := must[[]Result](t)(c.MultiRead(t.Context(), reads))
	if len(res[0].Children) != n || res[1].Code != wire.ErrNoNode || res[2].Stat.NumChildren != n || !errors.Is(res[3].Err(), ErrNoNode) {
		t.Fatalf("%d children, %d, %+v, %d", len(res[0].Children), res[1].Code, res[2].Stat, res[3].Code)
	}
	for i, r := range res[4:] {
		if want := fmt.Sprintf("data %d", i); string(r.Data) != want || r.Stat.DataLength != int32(len(want)) {
			t.Fatalf("result %d is %q, %+v", i, r.Data, r.Stat)
		}
	}
	if cost := c.Counters().Requests - before; cost > 7 {
		t.Errorf("%d requests", cost)
	}
	if got := must[[]Result](t)(c.MultiRead(t.Context(), nil)); len(got) != 0 {
		t.Error("an empty batch has results")
	}
}

func TestRecursiveWatchMapsPaths(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, w *Conn) {
		makeChroot(t, pipeTo(s), "/prod/app")
		cfg := pipeTo(s)
		cfg.Chroot, cfg.Watches = "/prod/app", []string{"/"}
		j.on(&cfg)
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		if ok, err := c.Watching(t.Context(), "/"); !ok || err != nil {
			t.Fatal("the watch is not armed", ok, err)
		}
		mustCreate(t, w, "/prod/app/x", "", 0)
		mustCreate(t, w, "/prod/other", "", 0)
		must[wire.Stat](t)(w.Set(t.Context(), "/prod/app", []byte("n"), -1))
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		s.DropConnections() // armed again
		if err := w.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		must[wire.Stat](t)(w.Set(t.Context(), "/prod/app/x", []byte("n"), -1))
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		must[wire.Stat](t)(w.Set(t.Context(), "/prod/app/x", []byte("m"), -1))
		if err := w.Delete(t.Context(), "/prod/app/x", -1); err != nil {
			t.Fatal(err)
		}
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		_, events := j.seen()
		got := ""
		for _, ev := range events {
			got += fmt.Sprintf("%d%s ", ev.Type, ev.Path)
		}
		if !strings.HasPrefix(got, "1/x 3/ ") || !strings.HasSuffix(got, "3/x 2/x ") || strings.Contains(got, "prod") {
			t.Fatal(got)
		}
		if _, err := c.WatchOnce(t.Context(), WatchData, "/"); err == nil || c.Counters().Watches != 1 {
			t.Fatal("a one-shot watch on the root must be refused", err)
		}
	})
}

func testWatchOnce(t *testing.T, c *Conn) {
	ctx := t.Context()
	absent := must[*Watch](t)(c.WatchOnce(ctx, WatchExists, "/w"))
	if absent.Exists {
		t.Fatal("not there yet")
	}
	mustCreate(t, c, "/w", "a", 0)
	if ev := <-absent.C; ev.Type != wire.EventCreated || ev.Path != "/w" {
		t.Fatal(ev)
	}
	data := must[*Watch](t)(c.WatchOnce(ctx, WatchData, "/w"))
	kids := must[*Watch](t)(c.WatchOnce(ctx, WatchChildren, "/w"))
	there := must[*Watch](t)(c.WatchOnce(ctx, WatchExists, "/w"))
	if string(data.Data) != "a" || !there.Exists || there.Stat != data.Stat || len(kids.Children) != 0 {
		t.Fatalf("%+v %+v %+v", data, kids, there)
	}
	if n := c.Counters().Watches; n != 3 {
		t.Fatalf("%d watches", n)
	}
	there.Cancel()
	there.Cancel()
	if ev, open := <-there.C; open {
		t.Fatal("a canceled watch fires", ev)
	}
	mustCreate(t, c, "/w/kid", "", 0)
	if ev := <-kids.C; ev.Type != wire.EventChildrenChanged {
		t.Fatal(ev)
	}
	select {
	case ev := <-data.C:
		t.Fatal("a child is no data", ev)
	default:
	}
	must[wire.Stat](t)(c.Set(ctx, "/w", nil, -1))
	if ev, open := <-data.C; ev.Type != wire.EventDataChanged || !open {
		t.Fatal(ev)
	}
	if _, err := c.WatchOnce(ctx, WatchData, "/none"); !errors.Is(err, ErrNoNode) {
		t.Fatal(err)
	}
	last := must[*Watch](t)(c.WatchOnce(ctx, WatchChildren, "/w/kid"))
	last.Cancel()
	if ok, err := c.Watching(ctx, "/w/kid"); ok || err != nil {
		t.Fatal("a canceled watch stays on the server", ok, err)
	}
}

func TestReadOnlyConnectionSendsNoWrite(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	tap := &wiretap{}
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, ReadOnly: true, Watches: []string{"/"},
		Dial: tap.dial(new(net.Dialer).DialContext)}))
	ctx := soon(t, 20*time.Second)
	attempts := map[string]func() error{
		"create":     func() error { _, err := c.Create(ctx, "/x", nil, 0, nil); return err },
		"sequential": func() error { _, err := c.Create(ctx, "/x", nil, 3, nil); return err },
		"container":  func() error { _, err := c.Create(ctx, "/x", nil, wire.FlagContainer, nil); return err },
		"ttl":        func() error { _, err := c.Create(ctx, "/x", nil, wire.FlagPersistentTTL, nil); return err },
		"set":        func() error { _, err := c.Set(ctx, "/", nil, -1); return err },
		"setacl":     func() error { _, err := c.SetACL(ctx, "/", nil, -1); return err },
		"delete":     func() error { return c.Delete(ctx, "/zookeeper/quota", -1) },
		"multi":      func() error { _, err := c.Multi(ctx, CheckOf("/", -1)); return err },
	}
	for name, try := range attempts {
		if err := try(); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The library itself is held back too, and the connection stays usable.
	for range 3 {
		if _, err := c.zk.Create("/x", nil, 0, nil); err == nil || err.Error() != "unknown error: -119" {
			t.Errorf("the library's own create: %v", err)
		}
		if err := c.zk.Delete("/zookeeper/quota", -1); err == nil {
			t.Error("the library's own delete passes")
		}
		if _, _, err := c.Get(ctx, "/"); err != nil {
			t.Fatal(err)
		}
	}
	must[[]Result](t)(c.MultiRead(ctx, []Read{{Path: "/"}, {Path: "/", Kind: ReadChildren}}))
	refused := c.Counters().Refused
	c.Close()
	if n := tap.count(func(op wire.Op) bool { return !reading(op) && op != wire.OpCreateSession }); n != 0 || refused < uint64(len(attempts))+6 {
		t.Errorf("%d writes on the wire, %d refused", n, refused)
	}
	if n := tap.count(reading); n < 6 {
		t.Errorf("the tap saw only %d reads", n)
	}
}

func TestContextEndsEveryCall(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/a", "", 0)
		s.Pause()
		for name, call := range map[string]func(context.Context) error{
			"get":   func(ctx context.Context) error { _, _, err := c.Get(ctx, "/a"); return err },
			"batch": func(ctx context.Context) error { _, err := c.MultiRead(ctx, []Read{{Path: "/a"}}); return err },
			"watch": func(ctx context.Context) error { _, err := c.WatchOnce(ctx, WatchData, "/a"); return err },
			"set":   func(ctx context.Context) error { _, err := c.Set(ctx, "/a", nil, -1); return err },
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			start := time.Now()
			err := call(ctx)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 110*time.Millisecond {
				t.Errorf("%s: %v after %v", name, err, time.Since(start))
			}
			if errors.Is(err, ErrUnknownOutcome) != (name == "set") {
				t.Errorf("%s: %v", name, err)
			}
		}
		s.Resume()
		if _, st, err := c.Get(t.Context(), "/a"); st.Version != 1 || err != nil {
			t.Errorf("the set of unknown outcome was applied: %+v %v", st, err)
		}
	})
}
