package script

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// BigTree is a tree of lock directories of several dialects, spread over groups of a thousand.
func BigTree(dirs, each int) *znode.Snapshot {
	tree := znode.NewTreeBuilder("/")
	z := 0
	for i := range dirs {
		dir := fmt.Sprintf("/group-%d/locks/resource-%d", i/1000, i)
		tree.Add(dir, &znode.Node{HasCversion: true, Cversion: int32(each), Czxid: znode.Zxid(i + 1)}, nil)
		for j := range each {
			z++
			guid := fmt.Sprintf("%08x-1111-4222-8333-%012x", z*2654435761%4294967296, z)
			name := [...]string{"_c_" + guid + "-lock-", fmt.Sprintf("%032x__lock__", z), guid +
				"-lock-", guid + "-n_"}[i%4]
			tree.Add(dir+"/"+name+layout.SequenceText(int32(j)), &znode.Node{Owner: znode.SessionID(1<<56 + z%5000),
				Czxid: znode.Zxid(z), Ctime: znode.Millis(z),
				Data: []byte(fmt.Sprintf("10.0.%d.%d", z/256%256, z%256)), DataLength: 8}, nil)
		}
	}
	return &znode.Snapshot{Root: tree.Build(), Base: "/", TakenAt: time.Unix(1e9, 0).UTC(), Complete: true}
}

// Vocabulary are the names that fuzzed trees are made of, besides raw bytes: how participants, parts and places are
// called.
var Vocabulary = []string{
	"_c_" + UUID + "-lock-0000000001", "_c_" + UUID + "-lock--2147483648", "_c_" + UUID + "-__READ__0000000002",
	"_c_" + UUID + "-__WRIT__0000000003", "_c_" + UUID + "-latch-0000000004", "_c_" + UUID + "-lease-0000000005",
	"_c_" + Hex + "-lock-0000000006", "_c_" + UUID + "-web", Hex + "__lock__0000000007", Hex + "__rlock__0000000008",
	Hex + "__party__", Hex + "-web", Hex, UUID, Hex + "-lock--0000000009", Hex + "-read--0000000010",
	"lock-2147483647", "lock--000000001", "g-lock-0000000011", "g-read-0000000012", "write-0000000013",
	"n_0000000014", "g-n_0000000015",
	"72058288526786561-core-n_0000000016", "x-72058288526786561-0000000017",
	"x-010000a1b2c30001-0000000018", "ex0000000019",
	"sh0000000020", "sem0000000021", "ballot0000000022", "leader_ack", "message0000000023", "latch-id-0000000024",
	"semaphore-0000000025", "c_0000000026", "member_0000000027", "vector_0000000028",
	"singleton_candidate_0000000029", "R_0000000030",
	"W_0000000031", "qn-0000000032", "qnr-0000000033", "queue-0000000034", "queue-050000000035",
	"queue-1000000050000000036",
	"queue-|1A21F459572|0000000037", "queue-|id|0000000038", "queue-" + UUID,
	"entry-100-0000000039", "entries", "taken",
	"config_change_0000000040", "leader_election-0000000041", "leader_election-0", "log-0000000042", "query-0000000043",
	"block-0000000044", "block_numbers", "V_0000000045", "urL0000000046", "zlock#" + UUID + "#0000000047",
	"flock#READ~a#0000000048",
	"LOCK-SHARED-0000000049", "instance-0000000050", "orders-0000000051", "0000000052", "json.info_0000000053",
	"ready", "locks", "leases", "lease_holder", "0", "1", "touch", "party", "clients", "resources", "status",
	"barrier", "leader", "election",
	"latch", "instance", "instances", "sharding", "members", "initialize", "brokers", "ids", "controller",
	"topics", "partitions", "state",
	"hbase", "rs", "master", "acquired", "reached", "abort", "hadoop-ha", "ActiveStandbyElectorLock",
	"ActiveBreadCrumb", "live_nodes",
	"overseer_elect", "leader_elect", "leaders", "mesos", "log_replicas", "flink", "connection_info", "replicas",
	"is_active", "mutations",
	"ledgers", "available", "underreplication", "core", "_lock", "votes", "nodes", "s_1", "s_2", "tx",
	"transaction", "config", "service",
	"rendezvous", "counter", "queue", "queue-locks", "sem", "sem-__lock__", "LOCK", "RESOURCE", "_zkqueues",
	"..", "a\x1b[31mb", "\xff",
	"serverUri=h:1;version=1;sequence=0000000054", "dubbo%3A%2F%2F10.0.0.1", "app", "p1", "p2",
}

// UUID and Hex are an id as clients write it before a name: with dashes and without.
const (
	UUID = "0123abcd-1111-4222-8333-44445555aaaa"
	Hex  = "0123456789abcdef0123456789abcdef"
)
