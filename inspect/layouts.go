package inspect

import "strings"

// Layout is one way of spelling a participant in a recipe as the name of a child: a row of the table
// that Layouts returns.
type Layout struct {
	ID      string  // stable, for reports and documentation
	Dialect Dialect // whose layout it is
	Kind    Kind    // what it is when nothing else decides
	Also    Kind    // what else is spelled exactly so; empty: nothing
	Guard   Guard   // the guards that may stand before the word, or-ed
	Word    string  // see Name
	Mode    Mode    // how such a claim excludes others; empty: exclusive
	Order   Order   // how its library compares two of them
	Revoke  string  // the word its holders can be asked with; empty: none
	Watch   Watch   // what a waiter of it watches
	Sure    float64 // how distinctive the name is, 0..1
	Data    string  // the data that tells it from other rows of the spelling; empty: any
	Within  string  // the same, for a part of the data
	Noise   string  // data that is no participant's name although every participant writes it
	About   string  // what is spelled so, as a phrase
}

// Watch says what a waiting client watches, which decides whether a wait can be proved: servers list
// watches on data and existence, never those on children.
type Watch uint8

const (
	WatchesAhead  Watch = iota // the nearest claim ahead that excludes it
	WatchesWriter              // the same; but a reader watches the first writer of the line
	WatchesParent              // the children of the directory: never visible
)

// RevokeUnlock is what the recipe documents have a revoker write to a holder's znode; zktools and this
// program's own clients listen for it as well.
const RevokeUnlock = "unlock"

// RevokeCurator is what Curator's Revoker writes to a holder's znode.
const RevokeCurator = "__REVOKE__"

// layouts is the table of child names that make a line of claims. A name belongs to the first row that
// fits it. Rows of one word stand together.
var layouts = []Layout{
	{ID: "NET-VOSTOK", Dialect: Vostok, Kind: Lock, Guard: CuratorGuard, Word: "lock-", Within: "hostName = ",
		Order: ByText, Sure: 0.95, About: "Vostok's DistributedLock"},
	{ID: "CUR-MUTEX", Dialect: Curator, Kind: Lock, Also: Election, Guard: CuratorGuard, Word: "lock-",
		Order: ByText, Revoke: RevokeCurator, Sure: 0.9,
		About: "Curator's InterProcessMutex or LeaderSelector"},
	{ID: "GO-LOCK", Dialect: GoZooKeeper, Kind: Lock, Also: Election, Guard: GoGuard, Word: "lock-",
		Order: ByNumber, Sure: 0.9, About: "go-zookeeper's Lock, which Vault and libkv use"},
	{ID: "PY-ZKASYNC", Dialect: Zktools, Kind: Lock, Guard: HexGuard, Word: "lock-",
		Data: "0", Noise: "0",
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.8, About: "zktools' ZkAsyncLock"},
	{ID: "JS-METAMX", Dialect: Metamx, Kind: Lock, Guard: NoGuard, Word: "lock-", Data: "lock", Noise: "lock",
		Order: ByNumber, Watch: WatchesParent, Sure: 0.8, About: "metamx's zk-lock"},
	{ID: "ZK-DOC-LOCK", Dialect: ZooKeeper, Kind: Lock, Guard: NoGuard | TextGuard | HexGuard, Word: "lock-",
		Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.7,
		About: "the lock of ZooKeeper's recipe document"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: Lock, Guard: HexGuard, Word: "lock--",
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkLock"},
	{ID: "KZ-LOCK", Dialect: Kazoo, Kind: Lock, Also: Election, Guard: HexGuard | TextGuard, Word: "__lock__",
		Order: ByText, Sure: 0.9, About: "kazoo's Lock or Election"},
	{ID: "NET-EWH", Dialect: Ewhauser, Kind: Lock, Guard: SessionGuard, Word: "x-", Data: "\x0c\"", Noise: "\x0c\"",
		Order: ByNumber, Sure: 0.95, About: "the WriteLock of ewhauser's ZooKeeperNet"},
	{ID: "ZK-LOCK-J", Dialect: ZooKeeper, Kind: Lock, Guard: SessionGuard, Word: "x-",
		Order: ByNumber, Sure: 0.9, Noise: "\x124", About: "the WriteLock of ZooKeeper's Java recipes"},
	{ID: "ZK-LOCK-C", Dialect: ZooKeeper, Kind: Lock, Guard: HexSessionGuard, Word: "x-",
		Order: ByMagnitude, Sure: 0.9, About: "the lock of ZooKeeper's C recipes"},

	{ID: "ACCUMULO-LOCK", Dialect: Accumulo, Kind: Lock, Guard: TextGuard, Word: "zlock#",
		Order: ByNumber, Sure: 0.95, About: "Accumulo's ServiceLock"},

	{ID: "CUR-RW", Dialect: Curator, Kind: SharedLock, Guard: CuratorGuard, Word: "__READ__", Mode: Read,
		Order: ByText, Revoke: RevokeCurator, Watch: WatchesWriter, Sure: 0.95,
		About: "Curator's InterProcessReadWriteLock"},
	{ID: "CUR-RW", Dialect: Curator, Kind: SharedLock, Guard: CuratorGuard, Word: "__WRIT__", Mode: Write,
		Order: ByText, Revoke: RevokeCurator, Watch: WatchesWriter, Sure: 0.95,
		About: "Curator's InterProcessReadWriteLock"},
	{ID: "KZ-RW", Dialect: Kazoo, Kind: SharedLock, Guard: HexGuard | TextGuard, Word: "__rlock__", Mode: Read,
		Order: ByText, Sure: 0.95, About: "kazoo's ReadLock and WriteLock"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: SharedLock, Guard: HexGuard, Word: "read--", Mode: Read,
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkReadLock and ZkWriteLock"},
	{ID: "PY-ZKTOOLS", Dialect: Zktools, Kind: SharedLock, Guard: HexGuard, Word: "write--", Mode: Write,
		Order: ByMagnitude, Revoke: RevokeUnlock, Sure: 0.95, Noise: "0", About: "zktools' ZkReadLock and ZkWriteLock"},
	{ID: "HBASE-TLOCK", Dialect: HBase, Kind: SharedLock, Guard: NoGuard, Word: "read-", Mode: Read, Within: "PBUF",
		Order: ByNumber, Sure: 0.95, About: "HBase's table locks"},
	{ID: "HBASE-TLOCK", Dialect: HBase, Kind: SharedLock, Guard: NoGuard, Word: "write-", Mode: Write, Within: "PBUF",
		Order: ByNumber, Sure: 0.95, About: "HBase's table locks"},
	{ID: "RB-EXSH", Dialect: ZkRuby, Kind: SharedLock, Guard: NoGuard, Word: "sh", Mode: Read,
		Order: ByMagnitude, Sure: 0.8, About: "zk-ruby's SharedLocker and ExclusiveLocker"},
	{ID: "RB-EXSH", Dialect: ZkRuby, Kind: SharedLock, Guard: NoGuard, Word: "ex", Mode: Write,
		Order: ByMagnitude, Sure: 0.8, About: "zk-ruby's SharedLocker and ExclusiveLocker"},
	{ID: "SOLR-DLOCK", Dialect: Solr, Kind: SharedLock, Guard: NoGuard, Word: "R_", Mode: Read,
		Order: ByNumber, Sure: 0.8, About: "Solr's collection and config locks"},
	{ID: "SOLR-DLOCK", Dialect: Solr, Kind: SharedLock, Guard: NoGuard, Word: "W_", Mode: Write,
		Order: ByNumber, Sure: 0.8, About: "Solr's collection and config locks"},
	{ID: "ZK-DOC-RW", Dialect: ZooKeeper, Kind: SharedLock, Guard: NoGuard | TextGuard | HexGuard, Word: "read-", Mode: Read,
		Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.75,
		About: "the shared lock of ZooKeeper's recipe document"},
	{ID: "ZK-DOC-RW", Dialect: ZooKeeper, Kind: SharedLock, Guard: NoGuard | TextGuard | HexGuard, Word: "write-", Mode: Write,
		Order: ByNumber, Revoke: RevokeUnlock, Sure: 0.75,
		About: "the shared lock of ZooKeeper's recipe document"},

	{ID: "CUR-LATCH", Dialect: Curator, Kind: Election, Guard: CuratorGuard, Word: "latch-",
		Order: ByText, Sure: 0.95, About: "Curator's LeaderLatch"},
	{ID: "RS-LATCH", Dialect: RustZooKeeper, Kind: Election, Guard: TextGuard, Word: "latch-",
		Order: ByMagnitude, Sure: 0.7, About: "the LeaderLatch of rust-zookeeper"},
	{ID: "RB-ELECT", Dialect: ZkRuby, Kind: Election, Guard: NoGuard, Word: "ballot",
		Order: ByMagnitude, Sure: 0.85, About: "zk-ruby's Election"},
	{ID: "BK-AUDITOR", Dialect: BookKeeper, Kind: Election, Guard: NoGuard, Word: "V_",
		Order: ByNumber, Sure: 0.8, About: "BookKeeper's auditor election"},
	{ID: "TW-SINGLE", Dialect: Twitter, Kind: Election, Guard: NoGuard, Word: "singleton_candidate_",
		Order: ByText, Watch: WatchesParent, Sure: 0.95, About: "the SingletonService of Twitter's commons"},
	{ID: "SOLR-ELECT", Dialect: Solr, Kind: Election, Guard: SessionGuard, Word: "n_",
		Order: ByNumber, Sure: 0.9, About: "Solr's elections"},
	{ID: "ZK-ELECT", Dialect: ZooKeeper, Kind: Election, Guard: NoGuard | TextGuard | HexGuard, Word: "n_",
		Order: ByNumber, Sure: 0.8, About: "ZooKeeper's LeaderElectionSupport or recipe document"},
}

// generic is the row of sequential children whose name says nothing: a line by arrival.
var generic = Layout{ID: "GENERIC", Dialect: Generic, Kind: Lock, Also: Election, Order: ByArrival, Sure: 0.3,
	About: "nothing known, but ephemeral and sequential"}

// foreignWords are the words of recipes that are no line of claims: a sequential child that carries one
// is not taken for a lock of unknown spelling.
var foreignWords = []string{"qn-", "qnr-", "queue-", "entry-", "lease-", "member_", "vector_", "message",
	"sem", "semaphore-", "c_", "log-", "query-", "block-", "instance-"}

// shapes finds the rows of a word. A word without rows is one of foreignWords.
var shapes = indexShapes()

func indexShapes() map[string][]*Layout {
	byWord := make(map[string][]*Layout)
	for i := range layouts {
		byWord[layouts[i].Word] = append(byWord[layouts[i].Word], &layouts[i])
	}
	for _, w := range foreignWords {
		byWord[w] = nil
	}
	return byWord
}

// fits reports whether some row of a known word accepts the guard. The words of other recipes accept any.
func fits(rows []*Layout, g Guard) bool {
	for _, l := range rows {
		if l.Guard&g != 0 {
			return true
		}
	}
	return len(rows) == 0
}

// Layouts returns the table of known names, a copy.
func Layouts() []Layout { return append([]Layout(nil), layouts...) }

// layoutOf returns the row that a name and its znode's data fit, or nil.
func layoutOf(n *Name, data []byte) *Layout {
	if !n.HasSeq || n.Word == "" {
		return nil
	}
	for _, l := range shapes[n.Word] {
		if l.Guard&n.Guard == 0 {
			continue
		}
		if l.Data != "" && string(data) != l.Data || l.Within != "" && !strings.Contains(string(data), l.Within) {
			continue
		}
		return l
	}
	return nil
}
