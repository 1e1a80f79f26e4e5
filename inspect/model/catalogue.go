package model

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
)

// Row is one row of the catalogue: a layout of one library or system, and what it is decoded as. The catalogue is
// for people and for tests, which hold it against fixtures; names are read by
// [layout.Layouts] and paths by [layout.Places], whose rows carry the same ids.
type Row struct {
	ID      string         // stable
	Dialect layout.Dialect // that models of it have, where nothing tells more
	Kind    layout.Kind    // that models of it have, where nothing tells more
	What    string         // the library or system, and its class
	Where   string         // the path that its clients are given, and what lies there
	Names   string         // how the participants' znodes are called
	Told    string         // what tells it from others, what is joined, what cannot be told
}

// Catalogue returns every layout that is decoded, in the order of docs/layouts.md: a copy.
func Catalogue() []Row {
	out := make([]Row, 0, len(libraryRows)+len(systemRows))
	return append(append(out, libraryRows...), systemRows...)
}

// libraryRows are the layouts of ZooKeeper's own recipes and documents, and of client libraries.
var libraryRows = []Row{
	// ZooKeeper
	{"ZK-LOCK-J", layout.ZooKeeper, layout.Lock, "ZooKeeper's WriteLock (Java)", "any", "x-<session>-<seq>",
		"the session in signed decimal; data 12 34"},
	{"ZK-LOCK-C", layout.ZooKeeper, layout.Lock, "ZooKeeper's lock (C)", "any", "x-<16 hex>-<seq>",
		"the session in hexadecimal"},
	{"ZK-QUEUE", layout.ZooKeeper, layout.Queue, "ZooKeeper's DistributedQueue", "any", "qn-<seq>",
		"spelled alike by Curator, Solr and rust-zookeeper"},
	{"ZK-ELECT", layout.ZooKeeper, layout.Election, "ZooKeeper's LeaderElectionSupport", "any", "n_<seq>", ""},
	{"ZK-DOC-LOCK", layout.ZooKeeper, layout.Lock, "the recipe document's lock", "any", "<guid>-lock-<seq>, lock-<seq>",
		"hand-written locks are spelled so too"},
	{"ZK-DOC-RW", layout.ZooKeeper, layout.SharedLock, "the recipe document's shared lock, revocable", "any",
		"<guid>-read-<seq>, read-<seq>, write-<seq>", "data unlock: asked to let go"},
	{"ZK-DOC-DBAR", layout.ZooKeeper, layout.DoubleBarrier, "the recipe document's double barrier", "b, with b/ready",
		"any", "ready, or the word barrier in the path"},
	{"ZK-DOC-QUEUE", layout.ZooKeeper, layout.Queue, "the recipe document's queue and priority queue", "any",
		"queue-<seq>, queue-YY<seq>", "two or three digits more are a priority"},
	{"ZK-DOC-GROUP", layout.Generic, layout.Membership, "the recipe document's group membership", "any", "any",
		"all children are ephemeral"},
	{"ZK-DOC-2PC", layout.ZooKeeper, layout.TwoPhase, "the recipe document's two-phase commit", "/app/Tx", "s_<site>",
		"data commit or abort; made by the coordinator or by each site"},

	// Curator
	{"CUR-MUTEX", layout.Curator, layout.Lock, "Curator's InterProcessMutex", "any", "_c_<uuid>-lock-<seq>",
		"LeaderSelector is spelled the same: words in the path and host:port for data decide"},
	{"CUR-REVOKE", layout.Curator, layout.Lock, "Curator's Revoker", "the holder's znode", "_c_<uuid>-lock-<seq>",
		"data __REVOKE__; empty data at version 0 shows a listener"},
	{"CUR-SEM-OLD", layout.Curator, layout.Semaphore, "Curator's InterProcessSemaphore", "any", "_c_<uuid>-lock-<seq>",
		"a lock on disk: only a hint with a limit tells"},
	{"CUR-SEM-LOCKS", layout.Curator, layout.Semaphore, "Curator's InterProcessSemaphoreV2: the line",
		"P, with P/locks", "_c_<uuid>-lock-<seq>", "joined with P/leases"},
	{"CUR-SEM-LEASES", layout.Curator, layout.Semaphore, "Curator's InterProcessSemaphoreV2: the leases",
		"P, with P/leases", "_c_<uuid>-lease-<seq>", "joined with P/locks; the limit is inferred"},
	{"CUR-RW", layout.Curator, layout.SharedLock, "Curator's InterProcessReadWriteLock", "any",
		"_c_<uuid>-__READ__<seq>, _c_<uuid>-__WRIT__<seq>", ""},
	{"CUR-MULTI", layout.Curator, layout.Lock, "Curator's InterProcessMultiLock", "several locks",
		"_c_<uuid>-lock-<seq>", "each part is a lock; the same session heads them"},
	{"CUR-LATCH", layout.Curator, layout.Election, "Curator's LeaderLatch", "any", "_c_<uuid>-latch-<seq>", ""},
	{"CUR-SELECTOR", layout.Curator, layout.Election, "Curator's LeaderSelector", "any", "_c_<uuid>-lock-<seq>",
		"see CUR-MUTEX"},
	{"CUR-BARRIER", layout.Curator, layout.Barrier, "Curator's DistributedBarrier", "the znode itself", "any",
		"a hint or the word barrier; data is an address"},
	{"CUR-DBARRIER", layout.Curator, layout.DoubleBarrier, "Curator's DistributedDoubleBarrier", "any", "<uuid>",
		"ready, or barrier in the path"},
	{"CUR-QUEUE", layout.Curator, layout.Queue, "Curator's DistributedQueue", "any", "queue-<seq>",
		"data begins 00 01 00 01; marks of work beside it"},
	{"CUR-PQUEUE", layout.Curator, layout.PriorityQueue, "Curator's DistributedPriorityQueue", "any",
		"queue-<0 or 1><8 hex><seq>", ""},
	{"CUR-DQUEUE", layout.Curator, layout.DelayQueue, "Curator's DistributedDelayQueue", "any",
		"queue-|<hex milliseconds>|<seq>", "moments of the years 1990 to 2200"},
	{"CUR-IDQUEUE", layout.Curator, layout.Queue, "Curator's DistributedIdQueue", "any", "queue-|<id>|<seq>",
		"ids that are no such moments"},
	{"CUR-SHARDER", layout.Curator, layout.Queue, "Curator's QueueSharder", "P, with P/queue-<uuid>",
		"queue-<seq> in each shard", "the shards are read together"},
	{"CUR-SQUEUE", layout.ZooKeeper, layout.Queue, "Curator's SimpleDistributedQueue", "any", "qn-<seq>",
		"nothing tells it from ZooKeeper's"},
	{"CUR-SHAREDCOUNT", layout.Curator, layout.Counter, "Curator's SharedCount and SharedValue", "the znode itself",
		"any", "a hint or a word for a counter, sharedvalue for a value; four bytes"},
	{"CUR-ATOMIC", layout.Curator, layout.Counter, "Curator's DistributedAtomicLong and the like", "the znode itself",
		"any", "a hint or a word for a counter; eight or four bytes"},
	{"CUR-GROUP", layout.Generic, layout.Membership, "Curator's GroupMember", "any", "any",
		"all children are ephemeral"},
	{"CUR-PNODE", layout.Curator, layout.Membership, "Curator's PersistentNode, protected", "any", "_c_<uuid>-<base>",
		"with a number and a word for a lock in the path: a line of unknown spelling"},
	{"CUR-TTLNODE", layout.Curator, layout.Membership, "Curator's PersistentTtlNode", "P, with P/touch", "touch",
		"touch is its only child"},
	{"CUR-XDISC", layout.Curator, layout.Service, "Curator's x-discovery", "the service's directory", "any",
		"JSON with serviceType or uriSpec"},

	// kazoo
	{"KZ-LOCK", layout.Kazoo, layout.Lock, "kazoo's Lock", "any", "<32 hex>__lock__<seq>",
		"Election is spelled the same"},
	{"KZ-RW", layout.Kazoo, layout.SharedLock, "kazoo's ReadLock and WriteLock", "any",
		"<32 hex>__rlock__<seq>, <32 hex>__lock__<seq>", "before 2.9 a reader waits for later writers, too"},
	{"KZ-SEM", layout.Kazoo, layout.Semaphore, "kazoo's Semaphore", "P, with P-__lock__ beside it", "<32 hex>",
		"P's data is the limit"},
	{"KZ-SEM-LOCK", layout.Kazoo, layout.Semaphore, "kazoo's Semaphore: the line", "P-__lock__",
		"<32 hex>__lock__<seq>", "joined with P"},
	{"KZ-ELECT", layout.Kazoo, layout.Election, "kazoo's Election", "any", "<32 hex>__lock__<seq>",
		"words in the path"},
	{"KZ-BARRIER", layout.ZooKeeper, layout.Barrier, "kazoo's Barrier", "the znode itself", "any",
		"a hint or the word barrier; no data, as the document's"},
	{"KZ-DBARRIER", layout.Kazoo, layout.DoubleBarrier, "kazoo's DoubleBarrier", "any", "<32 hex>",
		"ready, barrier in the path, or data host-pid"},
	{"KZ-QUEUE", layout.Kazoo, layout.PriorityQueue, "kazoo's Queue", "any", "entry-<3 digits>-<seq>", ""},
	{"KZ-LQUEUE", layout.Kazoo, layout.PriorityQueue, "kazoo's LockingQueue", "P, with P/entries and P/taken",
		"entry-<3 digits>-<seq>", "entries and taken are read together"},
	{"KZ-PARTY", layout.Kazoo, layout.Membership, "kazoo's Party", "any", "<32 hex>__party__", ""},
	{"KZ-SPARTY", layout.Kazoo, layout.Membership, "kazoo's ShallowParty", "any", "<32 hex>-<identifier>", ""},
	{"KZ-COUNTER", layout.ZooKeeper, layout.Counter, "kazoo's Counter", "the znode itself", "any",
		"a hint or a word for a counter; decimal text"},
	{"KZ-LEASE", layout.Kazoo, layout.Lease, "kazoo's NonBlockingLease", "P, with P/lease_holder", "lease_holder",
		"JSON with holder and end; P's locks are part of it"},
	{"KZ-MLEASE", layout.Kazoo, layout.Lease, "kazoo's MultiNonBlockingLease", "P, with P/<n>/lease_holder", "<n>",
		"the slots are read together"},
	{"KZ-PART", layout.Kazoo, layout.Membership, "kazoo's SetPartitioner", "P, with P/party and P/locks/<item>",
		"<32 hex>-<identifier>", "the party and the items' locks are read together"},

	// Go, Rust, Ruby
	{"GO-LOCK", layout.GoZooKeeper, layout.Lock, "go-zookeeper's Lock", "any", "_c_<32 hex>-lock-<seq>",
		"no data in the directory"},
	{"GO-VAULT", layout.Vault, layout.Election, "Vault's high availability", "core/_lock", "_c_<32 hex>-lock-<seq>",
		"the directory's data names the leader"},
	{"GO-LIBKV", layout.Libkv, layout.Lock, "libkv's and valkeyrie's lock", "the locked key", "_c_<32 hex>-lock-<seq>",
		"the directory has data"},
	{"GO-SERVICED-LEADER", layout.Serviced, layout.Election, "the leader of Zenoss' Control Center (serviced)",
		"/scheduler and others", "_c_<32 hex>-leader-<seq>", ""},
	{"GO-SERVICED-RW", layout.Serviced, layout.SharedLock, "the RWLock of Zenoss' Control Center (serviced)",
		"/rwlocks/<path>", "_c_<32 hex>-read-<seq>, _c_<32 hex>-write-<seq>", "a directory's lock files lie in it"},
	{"GO-NLADUO", layout.Generic, layout.Lock, "nladuo's go-zk-lock", "any", "<letters><seq>",
		"a line of unknown spelling"},
	{"RS-KEZHUW", layout.Generic, layout.Lock, "kezhuw's zookeeper-client", "any", "<any><seq>",
		"a line of unknown spelling, but with Curator's prefix and word"},
	{"RS-LATCH", layout.RustZooKeeper, layout.Election, "rust-zookeeper's LeaderLatch", "any", "latch-<id>-<seq>", ""},
	{"RS-QUEUE", layout.RustZooKeeper, layout.Queue, "rust-zookeeper's ZkQueue", "any", "qn-<seq>",
		"the directory's data is one zero byte"},
	{"RB-EXSH", layout.ZkRuby, layout.SharedLock, "zk-ruby's lockers", "/_zklocking/<name>", "ex<seq>, sh<seq>", ""},
	{"RB-SEM", layout.ZkRuby, layout.Semaphore, "zk-ruby's Semaphore", "/_zksemaphore/<name>", "sem<seq>",
		"the limit is stored nowhere"},
	{"RB-ELECT", layout.ZkRuby, layout.Election, "zk-ruby's Election", "/_zkelection/<name>", "ballot<seq>",
		"joined with leader_ack"},
	{"RB-QUEUE", layout.ZkRuby, layout.Queue, "zk-ruby's MessageQueue", "/_zkqueues/<name>", "message<seq>, or a title",
		""},
	{"RB-ZKLOCKC", layout.ZooKeeper, layout.SharedLock, "csfrancis' zk-lock", "any", "read-<seq>, write-<seq>",
		"nothing tells it from the document's"},

	// Python, JavaScript, Perl
	{"PY-ZKTOOLS", layout.Zktools, layout.SharedLock, "zktools' ZkLock, ZkReadLock, ZkWriteLock",
		"/ZktoolsLocks/<name>", "<32 hex>-lock--<seq>, -read--, -write--", "two dashes; data unlock: asked to let go"},
	{"PY-ZKASYNC", layout.Zktools, layout.Lock, "zktools' ZkAsyncLock", "/ZktoolsLocks/<name>", "<32 hex>-lock-<seq>",
		"data 0"},
	{"JS-METAMX", layout.Metamx, layout.Lock, "metamx's zk-lock", "/locks/<key>", "lock-<seq>", "data lock"},
	{"JS-SINGLE", layout.ZooKeeper, layout.Lock,
		"locks that are one znode: zoo-lock, node-zk-ultralight, the document of primitives", "the znode itself", "any",
		"ephemeral, and a word for a lock in the path"},
	{"JS-2PC", layout.CJS, layout.TwoPhase, "c.js' two-phase commit", "<path>/transaction", "<site>",
		"data COMMIT or ABORT"},
	{"JS-ZKHELPER", layout.ZkHelper, layout.Election, "zkHelper", "<base>/votes, with <base>/nodes", "n_<seq>", ""},
	{"PL-LOCK", layout.NetZooKeeperLock, layout.Lock, "Net::ZooKeeper::Lock", "P/<name>, all in P", "<name>-<seq>",
		"data 0; several locks share one directory"},

	// .NET
	{"NET-EWH", layout.Ewhauser, layout.Lock, "ewhauser's ZooKeeperNet", "any",
		"x-<session>-<seq>, election-<session>-<seq>", "data 0C 22"},
	{"NET-EX", layout.ZooKeeper, layout.Lock, "ZooKeeperNetEx's recipes", "any", "x-<session>-<seq>",
		"nothing tells it from ZooKeeper's"},
	{"NET-MADELSON-LOCK", layout.ZooKeeper, layout.Lock, "madelson's DistributedLock", "any", "lock-<seq>",
		"nothing tells it from the document's"},
	{"NET-MADELSON-RW", layout.ZooKeeper, layout.SharedLock, "madelson's reader-writer lock", "any",
		"read-<seq>, write-<seq>", "nothing tells it from the document's"},
	{"NET-MADELSON-SEM", layout.Madelson, layout.Semaphore, "madelson's semaphore", "any", "semaphore-<seq>",
		"data ACQUIRED marks who holds"},
	{"NET-VOSTOK", layout.Vostok, layout.Lock, "Vostok's DistributedLock", "any", "_c_<uuid>-lock-<seq>",
		"data begins hostName ="},
	{"NET-REBAL", layout.Rebalanser, layout.Election, "Rebalanser", "P, with P/clients, P/status, P/resources",
		"c_<seq>", "the group's directories are read together"},

	// Twitter's commons, Finagle
	{"TW-SERVERSET", layout.Twitter, layout.Service, "ServerSets", "any", "member_<seq>", "JSON"},
	{"TW-VECTOR", layout.Twitter, layout.Service, "Finagle's weights", "beside TW-SERVERSET", "vector_<seq>",
		"part of the server set"},
	{"TW-CAND", layout.Twitter, layout.Election, "Candidate", "any", "member_<seq>", "data is an address"},
	{"TW-SINGLE", layout.Twitter, layout.Election, "SingletonService", "any", "singleton_candidate_<seq>",
		"joined with the leader's member_<seq>"},
	{"TW-LOCK", layout.Twitter, layout.Lock, "DistributedLock", "any", "member_<seq>", "no data"},
}

// Dialects returns every dialect that a model can have, in alphabetical order: a copy.
func Dialects() []layout.Dialect {
	out := []layout.Dialect{layout.Generic}
	for _, r := range Catalogue() {
		out = append(out, r.Dialect)
	}
	for _, l := range layout.Layouts() {
		out = append(out, l.Dialect)
	}
	for _, p := range layout.Places() {
		out = append(out, p.Dialect)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
