package inspect_test

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// vocabulary are the names that fuzzed trees are made of, besides raw bytes: how participants, parts and places are
// called.
var vocabulary = []string{
	"_c_" + testUUID + "-lock-0000000001", "_c_" + testUUID + "-lock--2147483648", "_c_" + testUUID + "-__READ__0000000002",
	"_c_" + testUUID + "-__WRIT__0000000003", "_c_" + testUUID + "-latch-0000000004", "_c_" + testUUID + "-lease-0000000005",
	"_c_" + testHex + "-lock-0000000006", "_c_" + testUUID + "-web", testHex + "__lock__0000000007", testHex + "__rlock__0000000008",
	testHex + "__party__", testHex + "-web", testHex, testUUID, testHex + "-lock--0000000009", testHex + "-read--0000000010",
	"lock-2147483647", "lock--000000001", "g-lock-0000000011", "g-read-0000000012", "write-0000000013", "n_0000000014", "g-n_0000000015",
	"72058288526786561-core-n_0000000016", "x-72058288526786561-0000000017", "x-010000a1b2c30001-0000000018", "ex0000000019",
	"sh0000000020", "sem0000000021", "ballot0000000022", "leader_ack", "message0000000023", "latch-id-0000000024",
	"semaphore-0000000025", "c_0000000026", "member_0000000027", "vector_0000000028", "singleton_candidate_0000000029", "R_0000000030",
	"W_0000000031", "qn-0000000032", "qnr-0000000033", "queue-0000000034", "queue-050000000035", "queue-1000000050000000036",
	"queue-|1A21F459572|0000000037", "queue-|id|0000000038", "queue-" + testUUID, "entry-100-0000000039", "entries", "taken",
	"config_change_0000000040", "leader_election-0000000041", "leader_election-0", "log-0000000042", "query-0000000043",
	"block-0000000044", "block_numbers", "V_0000000045", "urL0000000046", "zlock#" + testUUID + "#0000000047", "flock#READ~a#0000000048",
	"LOCK-SHARED-0000000049", "instance-0000000050", "orders-0000000051", "0000000052", "json.info_0000000053",
	"ready", "locks", "leases", "lease_holder", "0", "1", "touch", "party", "clients", "resources", "status", "barrier", "leader", "election",
	"latch", "instance", "instances", "sharding", "members", "initialize", "brokers", "ids", "controller", "topics", "partitions", "state",
	"hbase", "rs", "master", "acquired", "reached", "abort", "hadoop-ha", "ActiveStandbyElectorLock", "ActiveBreadCrumb", "live_nodes",
	"overseer_elect", "leader_elect", "leaders", "mesos", "log_replicas", "flink", "connection_info", "replicas", "is_active", "mutations",
	"ledgers", "available", "underreplication", "core", "_lock", "votes", "nodes", "s_1", "s_2", "tx", "transaction", "config", "service",
	"rendezvous", "counter", "queue", "queue-locks", "sem", "sem-__lock__", "LOCK", "RESOURCE", "_zkqueues", "..", "a\x1b[31mb", "\xff",
	"serverUri=h:1;version=1;sequence=0000000054", "dubbo%3A%2F%2F10.0.0.1", "app", "p1", "p2",
}

// contents are the data that fuzzed trees are made of.
var contents = []string{"", "10.0.0.1", "web-1", "10.0.0.1:80", "2", "0", "commit", "abort\n", "COMMIT", "unlock", "__REVOKE__", "ACQUIRED",
	"\x00\x01\x00\x01\x02", "\x00\x00\x00*", "\x00\x00\x00\x00\x00\x00\x00\x07", "\x124", "\x0c\"", "hostName = web\nprocessId = 1",
	"b'sem'", "web-1-4711", `{"holder":"h","end":"1970-01-01T02:00:00"}`, `{"serviceType":"DYNAMIC","address":"a","port":1}`,
	`{"serviceEndpoint":{"host":"a","port":1}}`, `{"simpleFields":{"OWNER":"a","TIMEOUT":"1"}}`, `{"Action":"x","HostName":"v"}`,
	"\xff\x00\x00\x00\x01xPBUF\n\x0e\n\x02m1\x10\x80}\x18\x80\xd0\x95\xff\xbc1", "\n\x03ns1\x12\x03nn1\x1a\x02h1 \xd4>",
	"\xac\xed\x00\x05w\x22\x00 akka.tcp://flink@10.0.0.1:6123/d", "bookieId: \"b:1\"", "q:1:IMPLICIT:x:10.0.0.1", "\x9b31m", "<unknown>"}

// fuzzed builds snapshots from a program of bytes: each step makes a znode in the directory where the program stands,
// or takes one away, or moves on.
type fuzzed struct {
	program []byte
	snap    *znode.Snapshot
	at      string
	czxid   znode.Zxid
}

func (f *fuzzed) next() int {
	if len(f.program) == 0 {
		return 0
	}
	b := f.program[0]
	f.program = f.program[1:]
	return int(b)
}

// run runs the program up to its end, or to a step that says that a picture is taken.
func (f *fuzzed) run() *znode.Snapshot {
	for len(f.program) > 0 {
		op := f.next()
		switch op % 8 {
		case 0:
			f.at, _ = znode.Split(f.at)
		case 1:
			path := znode.Join(f.at, f.name())
			f.snap = f.snap.WithDeleted(path)
		case 2:
			s := *f.snap
			s.TakenAt = s.TakenAt.Add(time.Duration(1+op/8) * time.Second)
			f.snap = &s
			return f.snap
		case 3:
			f.sessions(op)
		default:
			f.create(op)
		}
	}
	return f.snap
}

func (f *fuzzed) name() string {
	n := f.next()
	if n < len(vocabulary) {
		return vocabulary[n]
	}
	size := min(f.next()%24, len(f.program))
	name := string(f.program[:size])
	f.program = f.program[size:]
	return name
}

func (f *fuzzed) create(op int) {
	f.czxid++
	path := znode.Join(f.at, f.name())
	n := znode.Node{Czxid: f.czxid, Ctime: znode.Millis(f.czxid) * 1000, Owner: znode.SessionID(op / 8 % 4), Flags: znode.Flag(op/128) << (op / 32 % 4)}
	n.Data = []byte(contents[f.next()%len(contents)])
	n.HasCversion = op&32 == 0
	before := f.snap
	if f.snap = f.snap.WithCreated(path, n); f.snap == before {
		f.snap = f.snap.WithData(path, n.Data)
	}
	if op%8 > 5 && f.snap.At(path) != nil {
		f.at = path
	}
}

func (f *fuzzed) sessions(op int) {
	s := *f.snap
	yes, no := true, false
	s.Servers = []znode.Server{{Answered: op&8 == 0}}
	s.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Addr: "10.0.0.1:1", Connected: &yes}, 2: {ID: 2, Connected: &no}}
	if op&16 == 0 {
		s.Watches = map[string][]znode.SessionID{f.at: {1, 2, 3}}
	}
	f.snap = &s
}

// FuzzDecodeTree decodes trees of everything that is known, picture after picture: it never panics, what it says is
// complete, and decoding step by step finds what decoding at once finds.
func FuzzDecodeTree(f *testing.F) {
	for i := range vocabulary {
		f.Add([]byte{7, byte(i), 1, 12, byte(i + 1), 2, 2, 20, byte(i + 2), 3, 1, byte(i)})
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 200 {
			return
		}
		p := &fuzzed{program: program, at: "/", snap: &znode.Snapshot{Root: &znode.Node{}, Base: "/", TakenAt: time.Unix(1000, 0).UTC(), Complete: true}}
		var prev *model.Result
		for first := true; first || len(p.program) > 0; first = false {
			r := inspect.Decode(p.run(), prev, model.Hints{})
			checkResult(t, r)
			story.Diff(prev, r)
			prev = r
		}
	})
}
