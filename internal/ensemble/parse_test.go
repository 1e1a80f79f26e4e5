package ensemble

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// captured reads what a real server said.
func captured(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/4lw", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConsAndConnectionsSayTheSame(t *testing.T) {
	conns, whole := parseCons(captured(t, "cons.txt"))
	if !whole || len(conns) != 9 {
		t.Fatalf("%d connections, whole %v", len(conns), whole)
	}
	want := connection{session: 0x10000062bb70006, addr: "127.0.0.1:42926", timeout: 20 * time.Second, since: time.UnixMilli(1795817382876), heard: 529333}
	if conns[0] != want {
		t.Errorf("%+v", conns[0])
	}
	var reply connectionsReply
	if err := decodeCommand([]byte(captured(t, "admin_connections.json")), cmdConnections, &reply); err != nil {
		t.Fatal(err)
	}
	if list := reply.list(); len(list) != 9 || !slices.ContainsFunc(list, func(c connection) bool { c.heard = want.heard; return c == want }) {
		t.Errorf("%+v", list)
	}
}

func TestDumpOfALeaderAFollowerAndTheAdminServer(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 10, 26, 0, time.UTC)
	d := parseDump(captured(t, "dump.txt"), now, nil)
	if !d.whole || len(d.sessions) != 9 || len(d.owners) != 9 || !d.hasConns {
		t.Fatalf("whole %v, %d sessions, %d owners, connections %v", d.whole, len(d.sessions), len(d.owners), d.hasConns)
	}
	if at := d.sessions[0x10000062bb70004].expires; !at.Equal(time.Date(2026, 11, 27, 22, 10, 39, 0, time.UTC)) {
		t.Errorf("expires %v", at)
	}
	if !slices.Contains(d.owners[0x10000062bb70001], "/kazoo/lqueue/taken/entry-007-0000000001") {
		t.Error(d.owners)
	}
	f := parseDump(captured(t, "ens/s1_dump.txt"), now, nil)
	if want := (tracked{timeout: 10 * time.Second}); !f.whole || len(f.sessions) != 3 || f.sessions[0x300000a327b0000] != want {
		t.Errorf("a follower's: %+v", f)
	}
	if !f.hasConns || len(f.conns) != 1 || f.conns[0].addr != "127.0.0.1:58666" {
		t.Errorf("connections %+v", f.conns)
	}
	l := parseDump(captured(t, "ens/s3_dump.txt"), now, nil)
	if !l.whole || len(l.sessions) != 3 || l.sessions[0x100000a32520000].expires.IsZero() {
		t.Errorf("a leader's: %+v", l)
	}
	var reply dumpReply
	if err := decodeCommand([]byte(captured(t, "admin_dump.json")), cmdDump, &reply); err != nil {
		t.Fatal(err)
	}
	a := reply.dump(true, nil)
	if len(a.sessions) != 9 || a.sessions[0x10000062bb70004].ms != 554000 && a.sessions[0x10000062bb70004].ms != 548000 || !reflect.DeepEqual(sortedIDs(a.owners), sortedIDs(d.owners)) {
		t.Errorf("%+v", a)
	}
}

func TestWatchesByPathInBothForms(t *testing.T) {
	byPath, whole := parseWchp(captured(t, "wchp.txt"))
	if !whole || len(byPath) != 24 {
		t.Fatalf("%d paths, whole %v", len(byPath), whole)
	}
	sum, ok := parseWchs(captured(t, "wchs.txt"))
	total := 0
	for _, ids := range byPath {
		total += len(ids)
	}
	if !ok || sum != (summary{8, 24, 31}) || total != 31 {
		t.Errorf("%+v, %d watches listed", sum, total)
	}
	var reply struct {
		Paths map[string][]decimalID `json:"path_to_session_ids"`
	}
	if err := decodeCommand([]byte(captured(t, "admin_watches_by_path.json")), cmdWatches, &reply); err != nil || len(reply.Paths) != 24 {
		t.Fatalf("%v, %d paths", err, len(reply.Paths))
	}
	if ids := reply.Paths["/kazoo/barrier"]; len(ids) != 1 || znode.SessionID(ids[0]) != 0x10000062bb70001 {
		t.Error(ids)
	}
}

func TestSrvrConfAndTheirJSON(t *testing.T) {
	h, ok := parseSrvr(captured(t, "srvr.txt"))
	if !ok || h.version != "3.8.0" || h.mode != "standalone" || h.zxid != 0xb8 || h.nodes != 138 || h.latency != "0/0.944/33" {
		t.Errorf("%+v", h)
	}
	var stats statsReply
	if err := decodeCommand([]byte(captured(t, "admin_server_stats.json")), cmdStats, &stats); err != nil {
		t.Fatal(err)
	}
	if a := stats.health(); a.version != "3.8.0" || a.mode != "standalone" || a.zxid != 184 || a.nodes != 138 {
		t.Errorf("%+v", a)
	}
	s, ok := parseConf(captured(t, "ens/s2_conf.txt"))
	if !ok || s.clientPort != 21822 || s.id != 2 || s.tick != 2*time.Second || s.most != 40*time.Second || len(s.quorum) != 3 {
		t.Errorf("%+v", s)
	}
	if s.quorum[2] != (configuredMember{id: 3, host: "127.0.0.1", port: "21923", role: "participant"}) {
		t.Errorf("%+v", s.quorum[2])
	}
	var conf configurationReply
	if err := decodeCommand([]byte(captured(t, "ens/s2_admin_configuration.json")), cmdConfiguration, &conf); err != nil || conf.settings().id != 2 {
		t.Errorf("%v %+v", err, conf)
	}
	var voting votingReply
	if err := decodeCommand([]byte(captured(t, "ens/s1_admin_voting_view.json")), cmdVotingView, &voting); err != nil || len(voting.members()) != 3 {
		t.Errorf("%v %+v", err, voting.members())
	}
}

func TestMembersOfAConfiguration(t *testing.T) {
	got := parseConfig("server.1=zk1:2888:3888:participant;0.0.0.0:2181\nserver.2=zk2:2888:3888:observer;2182\n" +
		"server.3=[2001:db8::3]:2888:3888:participant;[::]:2183\nserver.4=zk4:2888:3888|zk4b:2889:3889\nserver.5=zk5:2888:3888;10.0.0.5:2185\nversion=100000000\n")
	want := []configuredMember{{1, "zk1", "2888", "zk1:2181", "participant"}, {2, "zk2", "2888", "zk2:2182", "observer"}, {3, "2001:db8::3", "2888", "[2001:db8::3]:2183", "participant"},
		{4, "zk4", "2888", "", ""}, {5, "zk5", "2888", "10.0.0.5:2185", ""}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestAddressesAsJavaPrintsThem(t *testing.T) {
	for in, want := range map[string]string{
		"/10.0.0.7:40112": "10.0.0.7:40112", "web-1/10.0.0.7:4": "10.0.0.7:4", "/0:0:0:0:0:0:0:1:52342": "[::1]:52342", "/[0:0:0:0:0:0:0:1]:5": "[::1]:5",
		"/2001:db8:0:0:0:0:0:7:2181": "[2001:db8::7]:2181", "/::ffff:10.0.0.7:9": "10.0.0.7:9", "/fe80:0:0:0:0:0:0:1%eth0:7": "[fe80::1%eth0]:7", "10.0.0.7": "", "": "", "/10.0.0.7:x": "",
	} {
		if got := parseAddr(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestIdsBeyondTheSignBit(t *testing.T) {
	conns, _ := parseCons(" /0:0:0:0:0:0:0:1:52342[1](queued=0,recved=1,sent=1,sid=0x8d00a1b2c3d40004,lop=PING,est=1795817382876,to=30000)\n\n")
	if len(conns) != 1 || conns[0].session.String() != "0x8d00a1b2c3d40004" || conns[0].addr != "[::1]:52342" {
		t.Errorf("%+v", conns)
	}
	var reply dumpReply
	raw := `{"expiry_time_to_session_ids":{"698000":[-8286445525200011260]},"session_id_to_ephemeral_paths":{"-8286445525200011260":["/l"]},"command":"dump","error":null}`
	if err := decodeCommand([]byte(raw), cmdDump, &reply); err != nil {
		t.Fatal(err)
	}
	d := reply.dump(true, nil)
	for id := range d.owners {
		if id.String() != "0x8d00a1b2c3d40004" || d.sessions[id].ms != 698000 {
			t.Errorf("%v %+v", id, d.sessions)
		}
	}
	if len(d.owners) != 1 {
		t.Error(d.owners)
	}
}

// A reply that is cut off anywhere is never taken for a whole one that says less.
func TestACutReplyIsNotWhole(t *testing.T) {
	for _, name := range []string{"cons.txt", "ens/s1_cons.txt"} {
		text := strings.TrimRight(captured(t, name), "\n")
		for i := range text {
			if _, whole := parseCons(text[:i]); whole {
				t.Fatalf("%s cut at %d of %d counts as whole", name, i, len(text))
			}
		}
	}
	text := strings.TrimRight(captured(t, "wchp.txt"), "\n")
	for i := range text {
		if _, whole := parseWchp(text[:i]); whole {
			t.Fatalf("wchp cut at %d counts as whole", i)
		}
	}
	for _, name := range []string{"dump.txt", "ens/s1_dump.txt", "ens/s3_dump.txt"} {
		text := captured(t, name)
		full := parseDump(text, time.Now(), nil)
		for i := range text {
			d := parseDump(text[:i], time.Now(), nil)
			if d.whole && (len(d.sessions) != len(full.sessions) || !reflect.DeepEqual(sortedIDs(d.owners), sortedIDs(full.owners))) {
				t.Fatalf("%s cut at %d of %d counts as whole with %d sessions", name, i, len(text), len(d.sessions))
			}
			if d.hasConns && len(d.conns) < len(full.conns) {
				t.Fatalf("%s cut at %d: connections count as whole", name, i)
			}
		}
	}
	for _, name := range []string{"admin_connections.json", "admin_dump.json"} {
		text := strings.TrimSpace(captured(t, name))
		for i := 1; i < len(text); i += 7 {
			if err := decodeCommand([]byte(text[:i]), strings.TrimSuffix(strings.TrimPrefix(name, "admin_"), ".json"), new(json.RawMessage)); err == nil {
				t.Fatalf("%s cut at %d is taken for whole", name, i)
			}
		}
	}
}

func TestDatesInOtherZones(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 10, 0, 0, time.UTC)
	for _, text := range []string{"Fri Nov 27 22:10:07 UTC 2026", "Fri Nov 27 23:10:07 CET 2026", "Sat Nov 28 03:40:07 IST 2026", "Fri Nov 27 14:10:07 PST 2026", "Fri Nov 27 22:10:07 GMT 2026"} {
		if got := javaDate(text, now); !got.Equal(now.Add(7 * time.Second)) {
			t.Errorf("%s is %v", text, got)
		}
	}
	if got := javaDate("never", now); !got.IsZero() {
		t.Error(got)
	}
}

// Older servers print the same sections with other words around them.
func TestDumpsOfOtherVersions(t *testing.T) {
	now := time.Date(2026, 11, 27, 22, 10, 0, 0, time.UTC)
	d := parseDump("SessionTracker dump:\nSession Sets (2):\n0 expire at Fri Nov 27 22:10:02 UTC 2026:\n1 expire at Fri Nov 27 22:10:04 UTC 2026:\n\t0x15\n"+
		"ephemeral nodes dump:\nSessions with Ephemerals (1):\n0x15:\n\t/e\n", now, nil)
	if len(d.sessions) != 1 || d.hasConns || !d.first.Equal(now.Add(2*time.Second)) {
		t.Errorf("3.4: %+v", d)
	}
	f := parseDump("SessionTracker dump:\norg.apache.zookeeper.server.quorum.LearnerSessionTracker\nephemeral nodes dump:\nSessions with Ephemerals (0):\n", now, nil)
	if f.sessions != nil || !f.whole || f.owners == nil {
		t.Errorf("a 3.4 follower's: %+v", f)
	}
	l := parseDump("SessionTracker dump:\nLocal Session Sets (1)/(1):\n1 expire at Fri Nov 27 22:10:04 UTC 2026:\n\t0x16\nGlobal Sessions(1):\n0x17\t4000ms\n"+
		"ephemeral nodes dump:\nSessions with Ephemerals (0):\nConnections dump:\nConnections Sets (0)/(0):\n", now, nil)
	if len(l.sessions) != 2 || !l.whole || !l.hasConns {
		t.Errorf("local sessions: %+v", l)
	}
}

// No text makes a parser fail otherwise than by saying that it knows nothing.
func FuzzWords(f *testing.F) {
	for _, name := range []string{"cons.txt", "dump.txt", "ens/s1_dump.txt", "ens/s3_dump.txt", "srvr.txt", "stat.txt", "conf.txt", "ens/s2_conf.txt", "wchs.txt", "wchp.txt", "wchc.txt", "mntr.txt"} {
		f.Add(captured(f, name))
	}
	f.Add("cons is not executed because it is not in the whitelist.\n")
	f.Fuzz(func(t *testing.T, text string) {
		now := time.Unix(1795817382, 0)
		conns, _ := parseCons(text)
		for _, c := range conns {
			if c.session == 0 || c.timeout < 0 {
				t.Fatalf("%+v", c)
			}
		}
		d := parseDump(text, now, nil)
		for id, paths := range d.owners {
			for _, p := range paths {
				if id == 0 || !strings.HasPrefix(p, "/") {
					t.Fatalf("%v owns %q", id, p)
				}
			}
		}
		byPath, _ := parseWchp(text)
		for p := range byPath {
			if !strings.HasPrefix(p, "/") {
				t.Fatalf("%q is watched", p)
			}
		}
		parseSrvr(text)
		parseConf(text)
		parseWchs(text)
		for _, e := range parseConfig(text) {
			if e.host == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func FuzzCommands(f *testing.F) {
	names, err := filepath.Glob("testdata/4lw/*.json")
	if err != nil || len(names) == 0 {
		f.Fatal(err)
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var conns connectionsReply
		if decodeCommand(body, cmdConnections, &conns) == nil {
			for _, c := range conns.list() {
				if c.session == 0 || c.timeout < 0 {
					t.Fatalf("%+v", c)
				}
			}
		}
		var dump dumpReply
		if decodeCommand(body, cmdDump, &dump) == nil {
			dump.dump(true, nil)
		}
		var stats statsReply
		if decodeCommand(body, cmdStats, &stats) == nil {
			stats.health()
		}
		var conf configurationReply
		if decodeCommand(body, cmdConfiguration, &conf) == nil {
			conf.settings()
		}
		var voting votingReply
		if decodeCommand(body, cmdVotingView, &voting) == nil {
			voting.members()
		}
	})
}

// sortedIDs lists the keys of a map of sessions in the order of their ids.
func sortedIDs[V any](m map[znode.SessionID]V) []znode.SessionID {
	ids := slices.Collect(maps.Keys(m))
	slices.SortFunc(ids, func(a, b znode.SessionID) int {
		if uint64(a) < uint64(b) {
			return -1
		}
		return 1
	})
	return ids
}
