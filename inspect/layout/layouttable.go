package layout

// The dialects, each called after the library or system whose layout it is.
const (
	ZooKeeper     Dialect = "zookeeper" // ZooKeeper's own recipes and recipe documents, and ours
	Curator       Dialect = "curator"
	Kazoo         Dialect = "kazoo"
	GoZooKeeper   Dialect = "go-zookeeper"
	Zktools       Dialect = "zktools"
	ZkRuby        Dialect = "zk-ruby"
	Vostok        Dialect = "vostok"
	Metamx        Dialect = "metamx"
	Ewhauser      Dialect = "ewhauser"
	RustZooKeeper Dialect = "rust-zookeeper"
	Twitter       Dialect = "twitter"
	Solr          Dialect = "solr"
	HBase         Dialect = "hbase"
	BookKeeper    Dialect = "bookkeeper"
	Accumulo      Dialect = "accumulo"
	Madelson      Dialect = "madelson"
	Rebalanser    Dialect = "rebalanser"
	Kafka         Dialect = "kafka"
	Hadoop        Dialect = "hadoop"
	ClickHouse    Dialect = "clickhouse"
	Hive          Dialect = "hive"
	Patroni       Dialect = "patroni"
	Pulsar        Dialect = "pulsar"
	Mesos         Dialect = "mesos"
	Storm         Dialect = "storm"
	Druid         Dialect = "druid"
	NiFi          Dialect = "nifi"
	Flink         Dialect = "flink"
	Spark         Dialect = "spark"
	Marathon      Dialect = "marathon"
	Dubbo         Dialect = "dubbo"
	Spring        Dialect = "spring"
	ElasticJob    Dialect = "elastic-job"
	Helix         Dialect = "helix"
	Vault         Dialect = "vault"
	Libkv         Dialect = "libkv"
	Vitess        Dialect = "vitess"
	Oozie         Dialect = "oozie"
	Canal         Dialect = "canal"
	Dolphin       Dialect = "dolphinscheduler"
	CJS           Dialect = "c.js"
	ZkHelper      Dialect = "zkhelper"
	Aurora        Dialect = "aurora"
	Chronos       Dialect = "chronos"
	ShedLock      Dialect = "shedlock"
	Codis         Dialect = "codis"
	Nerve         Dialect = "nerve"
	D2            Dialect = "d2"
	Brooklin      Dialect = "brooklin"
	Alluxio       Dialect = "alluxio"
	Taskflow      Dialect = "taskflow"
	Tooz          Dialect = "tooz"
	Serviced      Dialect = "serviced"

	NetZooKeeperLock Dialect = "net-zookeeper-lock"

	Generic Dialect = "generic" // no known layout fits
)

// layouts is the table of child names that recipes are made of, grouped by library. A name belongs to the
// first row that fits it, so a row that asks for data or a place stands above one that does not. What is told by its
// path instead is in placetable.go.
var layouts = []Layout{
	// .NET
	{ID: "NET-VOSTOK", Dialect: Vostok, Kind: Lock, Guard: CuratorGuard, Word: "lock-", Within: "hostName = ",
		Order: ByText, Sure: 0.95, About: "Vostok's DistributedLock"},

	// Curator
	{ID: "CUR-MUTEX", Dialect: Curator, Kind: Lock, Also: Election, Guard: CuratorGuard, Word: "lock-",
		Order: ByText, Revoke: RevokeCurator, Sure: 0.9, Form: "_c_<uuid>-lock-<seq>", Written: true,
		About: "Curator's InterProcessMutex or LeaderSelector"},
	{ID: "CUR-RW", Dialect: Curator, Kind: SharedLock, Guard: CuratorGuard, Word: "__READ__", Mode: Read,
		Order: ByText, Revoke: RevokeCurator, Watch: WatchesWriter, Sure: 0.95,
		Form: "_c_<uuid>-__READ__<seq>", Written: true,
		About: "Curator's InterProcessReadWriteLock"},
	{ID: "CUR-RW", Dialect: Curator, Kind: SharedLock, Guard: CuratorGuard, Word: "__WRIT__", Mode: Write,
		Order: ByText, Revoke: RevokeCurator, Watch: WatchesWriter, Sure: 0.95,
		Form: "_c_<uuid>-__WRIT__<seq>", Written: true,
		About: "Curator's InterProcessReadWriteLock"},
	{ID: "CUR-LATCH", Dialect: Curator, Kind: Election, Guard: CuratorGuard, Word: "latch-",
		Order: ByText, Sure: 0.95, Form: "_c_<uuid>-latch-<seq>", Written: true,
		About: "Curator's LeaderLatch"},
	{ID: "CUR-SEM-LEASES", Dialect: Curator, Kind: Semaphore, Guard: CuratorGuard, Word: "lease-", Order: ByText,
		Sure: 0.95, Form: "_c_<uuid>-lease-<seq>", Written: true,
		About: "a lease of Curator's InterProcessSemaphoreV2"},
	{ID: "CUR-QUEUE", Dialect: Curator, Kind: Queue, Guard: NoGuard, Word: "queue-", Within: "\x00\x01\x00\x01",
		Order: ByName, Sure: 0.95, Form: "queue-<seq>", Written: true, Store: &curatorStore,
		About: "Curator's DistributedQueue"},
	{ID: "CUR-PQUEUE", Dialect: Curator, Kind: PriorityQueue, Guard: PriorityGuard, Word: "queue-P", Order: ByName,
		Sure: 0.95, Form: "queue-<0 or 1><8 hex><seq>", Written: true, Store: &curatorStore,
		About: "Curator's DistributedPriorityQueue"},
	{ID: "CUR-DQUEUE", Dialect: Curator, Kind: DelayQueue, Also: Queue, Guard: TextGuard, Word: "queue-|",
		Order: ByName, Sure: 0.9, Form: "queue-|<hex milliseconds>|<seq>", Written: true, Store: &curatorStore,
		About: "Curator's DistributedDelayQueue or DistributedIdQueue"},

	// kazoo
	{ID: "KZ-LOCK", Dialect: Kazoo, Kind: Lock, Also: Election, Guard: HexGuard | TextGuard, Word: "__lock__",
		Order: ByText, Sure: 0.9, Form: "<32 hex>__lock__<seq>", Written: true, Kept: true,
		About: "kazoo's Lock or Election"},
	{ID: "KZ-RW", Dialect: Kazoo, Kind: SharedLock, Guard: HexGuard | TextGuard, Word: "__rlock__", Mode: Read,
		Order: ByText, Watch: WatchesLast, Sure: 0.95, Form: "<32 hex>__rlock__<seq>", Written: true, Kept: true,
		About: "kazoo's ReadLock and WriteLock"},
	{ID: "KZ-QUEUE", Dialect: Kazoo, Kind: PriorityQueue, Guard: PriorityGuard, Word: "entry-",
		Order: ByName, Sure: 0.9, Form: "entry-<3 digits>-<seq>", Written: true, Kept: true, Store: &kazooStore,
		About: "kazoo's Queue or LockingQueue"},

	// go-zookeeper
	{ID: "GO-LOCK", Dialect: GoZooKeeper, Kind: Lock, Also: Election, Guard: GoGuard, Word: "lock-",
		Order: ByNumber, Sure: 0.9, Form: "_c_<32 hex>-lock-<seq>", Written: true,
		About: "go-zookeeper's Lock, which Vault and libkv use"},

	// Zenoss' Control Center. What a waiter for leadership watches proves nothing: older releases watch the one ahead,
	// later ones the leader
	{ID: "GO-SERVICED-LEADER", Dialect: Serviced, Kind: Election, Guard: GoGuard, Word: "leader-", Order: ByMagnitude,
		Watch: WatchesParent, Sure: 0.95, Form: "_c_<32 hex>-leader-<seq>", Written: true, Kept: true,
		About: "the leader of Control Center"},
	{ID: "GO-SERVICED-RW", Dialect: Serviced, Kind: SharedLock, Guard: GoGuard, Word: "read-", Mode: Read,
		Order: ByNumber, Sure: 0.95, Form: "_c_<32 hex>-read-<seq>", Written: true, Kept: true,
		About: "the RWLock of Control Center"},
	{ID: "GO-SERVICED-RW", Dialect: Serviced, Kind: SharedLock, Guard: GoGuard, Word: "write-", Mode: Write,
		Order: ByNumber, Sure: 0.95, Form: "_c_<32 hex>-write-<seq>", Written: true, Kept: true,
		About: "the RWLock of Control Center"},

	// Node.js
	{ID: "JS-METAMX", Dialect: Metamx, Kind: Lock, Guard: NoGuard, Word: "lock-", Data: "lock", Noise: "lock",
		Order: ByNumber, Watch: WatchesParent, Sure: 0.8, About: "metamx's zk-lock"},

	// zktools (Python)
	{ID: "PY-ZKASYNC", Dialect: Zktools, Kind: Lock, Guard: HexGuard, Word: "lock-",
		Data: "0", Noise: "0", Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.8, About: "zktools' ZkAsyncLock"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: Lock, Guard: HexGuard, Word: "lock--",
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkLock"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: SharedLock, Guard: HexGuard, Word: "read--", Mode: Read,
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkReadLock and ZkWriteLock"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: SharedLock, Guard: HexGuard, Word: "write--", Mode: Write,
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkReadLock and ZkWriteLock"},

	// .NET
	{ID: "NET-EWH", Dialect: Ewhauser, Kind: Lock, Guard: SessionGuard, Word: "x-", Data: "\x0c\"", Noise: "\x0c\"",
		Order: ByNumber, Sure: 0.95, Form: "x-<session>-<seq>",
		About: "the WriteLock of ewhauser's ZooKeeperNet"},
	{ID: "NET-EWH", Dialect: Ewhauser, Kind: Election, Guard: SessionGuard, Word: "election-",
		Order: ByNumber, Sure: 0.95, Form: "election-<session>-<seq>",
		About: "the LeaderElection of ewhauser's ZooKeeperNet"},

	// zk-ruby
	{ID: "RB-EXSH", Dialect: ZkRuby, Kind: SharedLock, Guard: NoGuard, Word: "sh", Mode: Read,
		Order: ByMagnitude, Sure: 0.8, About: "zk-ruby's SharedLocker and ExclusiveLocker"},
	{ID: "RB-EXSH", Dialect: ZkRuby, Kind: SharedLock, Guard: NoGuard, Word: "ex", Mode: Write,
		Order: ByMagnitude, Sure: 0.8, About: "zk-ruby's SharedLocker and ExclusiveLocker"},
	{ID: "RB-ELECT", Dialect: ZkRuby, Kind: Election, Guard: NoGuard, Word: "ballot",
		Order: ByMagnitude, Sure: 0.85, About: "zk-ruby's Election"},
	{ID: "RB-SEM", Dialect: ZkRuby, Kind: Semaphore, Guard: NoGuard, Word: "sem", Order: ByMagnitude, Sure: 0.8,
		About: "zk-ruby's Semaphore"},
	{ID: "RB-QUEUE", Dialect: ZkRuby, Kind: Queue, Guard: NoGuard, Word: "message", In: "_zkqueues",
		Order: ByName, Sure: 0.9, About: "zk-ruby's MessageQueue"},

	// Rust
	{ID: "RS-LATCH", Dialect: RustZooKeeper, Kind: Election, Guard: TextGuard, Word: "latch-",
		Order: ByMagnitude, Sure: 0.7, Form: "latch-<id>-<seq>",
		About: "the LeaderLatch of rust-zookeeper"},

	// .NET
	{ID: "NET-MADELSON-SEM", Dialect: Madelson, Kind: Semaphore, Guard: NoGuard, Word: "semaphore-", Order: ByNumber,
		Sure: 0.9, Noise: "ACQUIRED", About: "the semaphore of madelson's DistributedLock"},
	{ID: "NET-REBAL", Dialect: Rebalanser, Kind: Election, Guard: NoGuard, Word: "c_", In: "clients",
		Order: ByNumber, Sure: 0.8, About: "the clients of a Rebalanser group, whose first coordinates"},

	// Twitter's commons and Finagle
	{ID: "TW-SINGLE", Dialect: Twitter, Kind: Election, Guard: NoGuard, Word: "singleton_candidate_",
		Order: ByText, Watch: WatchesParent, Sure: 0.95, About: "the SingletonService of Twitter's commons"},
	{ID: "TW-SERVERSET", Dialect: Twitter, Kind: Service, Guard: NoGuard, Word: "member_", Content: JSONContent,
		Order: ByName, Sure: 0.9, About: "a ServerSet of Twitter's commons or Finagle"},
	{ID: "TW-CAND", Dialect: Twitter, Kind: Election, Guard: NoGuard, Word: "member_", Content: AddressContent,
		Order: ByText, Watch: WatchesParent, Sure: 0.7, About: "the Candidate of Twitter's commons"},
	{ID: "TW-LOCK", Dialect: Twitter, Kind: Lock, Guard: NoGuard, Word: "member_", Content: NoContent,
		Order: ByText, Sure: 0.6, About: "the DistributedLock of Twitter's commons"},

	// Solr
	{ID: "SOLR-DLOCK", Dialect: Solr, Kind: SharedLock, Guard: NoGuard, Word: "R_", Mode: Read,
		Order: ByNumber, Sure: 0.8, About: "Solr's collection and config locks"},
	{ID: "SOLR-DLOCK", Dialect: Solr, Kind: SharedLock, Guard: NoGuard, Word: "W_", Mode: Write,
		Order: ByNumber, Sure: 0.8, About: "Solr's collection and config locks"},
	{ID: "SOLR-OVERSEER", Dialect: Solr, Kind: Election, Guard: SessionGuard, Word: "n_", In: "overseer_elect",
		Order: ByNumber, Tie: TieByName, Sure: 0.95, About: "the election of Solr's overseer"},
	{ID: "SOLR-SHARD", Dialect: Solr, Kind: Election, Guard: SessionGuard, Word: "n_",
		Order: ByNumber, Tie: TieByName, Sure: 0.9, About: "Solr's elections"},

	// HBase
	{ID: "HBASE-TLOCK", Dialect: HBase, Kind: SharedLock, Guard: NoGuard, Word: "read-", Mode: Read, Within: "PBUF",
		Order: ByNumber, Sure: 0.95, About: "HBase's table locks"},
	{ID: "HBASE-TLOCK", Dialect: HBase, Kind: SharedLock, Guard: NoGuard, Word: "write-", Mode: Write, Within: "PBUF",
		Order: ByNumber, Sure: 0.95, About: "HBase's table locks"},

	// Kafka
	{ID: "KAFKA-NOTIF", Dialect: Kafka, Kind: Queue, Guard: NoGuard, Word: "config_change_", Order: ByName, Sure: 0.95,
		About: "Kafka's change notifications"},
	{ID: "KAFKA-NOTIF", Dialect: Kafka, Kind: Queue, Guard: NoGuard, Word: "isr_change_", Order: ByName, Sure: 0.95,
		About: "Kafka's change notifications"},
	{ID: "KAFKA-NOTIF", Dialect: Kafka, Kind: Queue, Guard: NoGuard, Word: "log_dir_event_", Order: ByName, Sure: 0.95,
		About: "Kafka's change notifications"},
	{ID: "KAFKA-NOTIF", Dialect: Kafka, Kind: Queue, Guard: NoGuard, Word: "acl_changes_", Order: ByName, Sure: 0.95,
		About: "Kafka's change notifications"},
	{ID: "KAFKA-NOTIF", Dialect: Kafka, Kind: Queue, Guard: NoGuard, Word: "token_change_", Order: ByName, Sure: 0.95,
		About: "Kafka's change notifications"},

	// ClickHouse
	{ID: "CH-LEADER", Dialect: ClickHouse, Kind: Election, Guard: NoGuard, Word: "leader_election-",
		Order: ByNumber, Sure: 0.95, About: "the leader election of ClickHouse's replicas before 21.12"},
	{ID: "CH-LOG", Dialect: ClickHouse, Kind: Queue, Guard: NoGuard, Word: "log-", In: "log", Order: ByName, Sure: 0.8,
		About: "the log that ClickHouse's replicas follow"},
	{ID: "CH-LOG", Dialect: ClickHouse, Kind: Queue, Guard: NoGuard, Word: "queue-", In: "replicas",
		Order: ByName, Sure: 0.9, About: "the queue of a ClickHouse replica"},
	{ID: "CH-DDL", Dialect: ClickHouse, Kind: Queue, Guard: NoGuard, Word: "query-", In: "ddl",
		Order: ByName, Sure: 0.9, About: "ClickHouse's queue of distributed statements"},
	{ID: "CH-BLOCK", Dialect: ClickHouse, Kind: Membership, Guard: NoGuard, Word: "block-", In: "block_numbers",
		Order: ByNumber, Sure: 0.9, About: "block numbers that ClickHouse replicas are writing"},
	{ID: "CH-BLOCK", Dialect: ClickHouse, Kind: Membership, Guard: NoGuard, Word: "abandonable_lock-", Order: ByNumber,
		Sure: 0.9, About: "holders of block numbers in ClickHouse"},

	// BookKeeper
	{ID: "BK-AUDITOR", Dialect: BookKeeper, Kind: Election, Guard: NoGuard, Word: "V_",
		Order: ByNumber, Sure: 0.8, About: "BookKeeper's auditor election"},

	// Accumulo
	{ID: "ACCUMULO-LOCK", Dialect: Accumulo, Kind: Lock, Guard: TextGuard, Word: "zlock#",
		Order: ByNumber, Sure: 0.95, Form: "zlock#<id>#<seq>",
		About: "Accumulo's ServiceLock"},
	{ID: "ACCUMULO-FATE", Dialect: Accumulo, Kind: SharedLock, Guard: TextGuard, Word: "flock#READ~", Mode: Read,
		Order: ByNumber, Watch: WatchesParent, Durable: true, Sure: 0.95, Form: "flock#READ~<id>#<seq>",
		About: "the table locks of Accumulo's FATE"},
	{ID: "ACCUMULO-FATE", Dialect: Accumulo, Kind: SharedLock, Guard: TextGuard, Word: "flock#WRITE~", Mode: Write,
		Order: ByNumber, Watch: WatchesParent, Durable: true, Sure: 0.95, Form: "flock#WRITE~<id>#<seq>",
		About: "the table locks of Accumulo's FATE"},

	// Hive
	{ID: "HIVE-LOCK", Dialect: Hive, Kind: SharedLock, Guard: NoGuard, Word: "LOCK-SHARED-", Mode: Read,
		Order: ByNumber, Watch: WatchesParent, Durable: true, Sure: 0.95,
		About: "the locks of Hive's ZooKeeper lock manager"},
	{ID: "HIVE-LOCK", Dialect: Hive, Kind: SharedLock, Guard: NoGuard, Word: "LOCK-SEMI_SHARED-", Mode: Read,
		Order: ByNumber, Watch: WatchesParent, Durable: true, Sure: 0.95,
		About: "the locks of Hive's ZooKeeper lock manager"},
	{ID: "HIVE-LOCK", Dialect: Hive, Kind: SharedLock, Guard: NoGuard, Word: "LOCK-EXCLUSIVE-", Mode: Write,
		Order: ByNumber, Watch: WatchesParent, Durable: true, Sure: 0.95,
		About: "the locks of Hive's ZooKeeper lock manager"},
	{ID: "HS2-HA", Dialect: Hive, Kind: Membership, Guard: NoGuard, Word: "instance-", In: "hs2ActivePassiveHA*",
		Order: ByNumber, Sure: 0.9, About: "instances of HiveServer2"},

	// OpenStack
	{ID: "TASKFLOW", Dialect: Taskflow, Kind: Queue, Guard: NoGuard, Word: "job", Within: `"uuid"`,
		Order: ByName, Sure: 0.9, About: "a job on taskflow's board"},

	// ZooKeeper's recipes and recipe document; ours. Others that use the same plain words stand above, told by
	// their data or place
	{ID: "ZK-DOC-LOCK", Dialect: ZooKeeper, Kind: Lock, Guard: NoGuard | TextGuard | HexGuard, Word: "lock-",
		Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.7, Form: "<uuid>-lock-<seq>", Written: true,
		About: "the lock of ZooKeeper's recipe document"},
	{ID: "ZK-LOCK-J", Dialect: ZooKeeper, Kind: Lock, Guard: SessionGuard, Word: "x-",
		Order: ByNumber, Tie: TieByName, Sure: 0.9, Noise: "\x124", Form: "x-<session>-<seq>",
		About: "the WriteLock of ZooKeeper's Java recipes"},
	{ID: "ZK-LOCK-C", Dialect: ZooKeeper, Kind: Lock, Guard: HexSessionGuard, Word: "x-",
		Order: ByMagnitude, Sure: 0.9, Form: "x-<16 hex>-<seq>",
		About: "the lock of ZooKeeper's C recipes"},
	{ID: "ZK-DOC-RW", Dialect: ZooKeeper, Kind: SharedLock, Guard: NoGuard | TextGuard | HexGuard, Word: "read-",
		Mode: Read, Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.75,
		Form: "<uuid>-read-<seq>", Written: true,
		About: "the shared lock of ZooKeeper's recipe document"},
	{ID: "ZK-DOC-RW", Dialect: ZooKeeper, Kind: SharedLock, Guard: NoGuard | TextGuard | HexGuard, Word: "write-",
		Mode: Write, Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.75,
		Form: "<uuid>-write-<seq>", Written: true,
		About: "the shared lock of ZooKeeper's recipe document"},
	{ID: "ZK-ELECT", Dialect: ZooKeeper, Kind: Election, Guard: NoGuard | TextGuard | HexGuard, Word: "n_",
		Order: ByNumber, Sure: 0.8, Form: "<uuid>-n_<seq>", Written: true,
		About: "ZooKeeper's LeaderElectionSupport or recipe document"},
	{ID: "ZK-QUEUE", Dialect: ZooKeeper, Kind: Queue, Guard: NoGuard, Word: "qn-", Order: ByNumber, Sure: 0.8,
		Form:  "qn-<seq>",
		About: "the DistributedQueue of ZooKeeper's recipes"},
	{ID: "ZK-DOC-QUEUE", Dialect: ZooKeeper, Kind: Queue, Guard: NoGuard, Word: "queue-", Order: ByName, Sure: 0.7,
		Form: "queue-<seq>", Written: true,
		About: "the queue of ZooKeeper's recipe document or Curator's DistributedQueue"},
	{ID: "ZK-DOC-QUEUE", Dialect: ZooKeeper, Kind: PriorityQueue, Guard: PriorityGuard, Word: "queue-YY",
		Order: ByName, Sure: 0.8, Form: "queue-<2 digits><seq>", Written: true,
		About: "the priority queue of ZooKeeper's recipe document"},
}

// bareLayouts are the rows of names that are a number and little else: their data tells them, and for some their
// place. Of these the first that fits counts too.
var bareLayouts = []Layout{
	{ID: "VITESS", Dialect: Vitess, Kind: Lock, Within: "\"Action\"", In: "locks", Order: ByText, Sure: 0.9,
		About: "Vitess' locks"},
	{ID: "PL-LOCK", Dialect: NetZooKeeperLock, Kind: Lock, Guard: TextGuard, Data: "0", Noise: "0",
		Order: ByText, Sure: 0.6, About: "Net::ZooKeeper::Lock, whose locks share a directory"},
}

// idLayouts are the rows of names that are an id and little else, without a number: leases, and members of groups and
// of double barriers. A row stands here for what clients of ours write; their readers go by more.
var idLayouts = []Layout{
	{ID: "CUR-DBARRIER", Dialect: Curator, Kind: DoubleBarrier, Form: "<uuid>", Written: true,
		About: "a member of Curator's DistributedDoubleBarrier"},
	{ID: "CUR-GROUP", Dialect: Curator, Kind: Membership, Form: "<uuid>", Written: true, Open: true,
		About: "a member of Curator's GroupMember"},
	{ID: "KZ-SEM", Dialect: Kazoo, Kind: Semaphore, Guard: HexGuard, Form: "<32 hex>", Written: true, Kept: true,
		Sure: 0.9, About: "a lease of kazoo's Semaphore"},
	{ID: "KZ-DBARRIER", Dialect: Kazoo, Kind: DoubleBarrier, Form: "<32 hex>", Written: true, Kept: true,
		About: "a member of kazoo's DoubleBarrier"},
	{ID: "KZ-PARTY", Dialect: Kazoo, Kind: Membership, Form: "<32 hex>__party__", Written: true, Kept: true,
		About: "a member of kazoo's Party"},
	{ID: "ZK-DOC-DBAR", Dialect: ZooKeeper, Kind: DoubleBarrier, Form: "<uuid>", Written: true, Open: true,
		About: "a member of the double barrier of ZooKeeper's recipe document"},
	{ID: "ZK-DOC-GROUP", Dialect: ZooKeeper, Kind: Membership, Form: "<uuid>", Written: true, Open: true,
		About: "a member of the group of ZooKeeper's recipe document"},
}

// How the queues of two libraries are laid out.
var (
	curatorStore = Store{Framed: true}
	kazooStore   = Store{Items: "entries", Marks: "taken", Usual: 100}
)
