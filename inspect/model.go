package inspect

import "time"

// Kind is what a recipe is for. The words are those of the JSON output.
type Kind string

const (
	Lock          Kind = "lock"
	SharedLock    Kind = "sharedlock"
	Semaphore     Kind = "semaphore"
	Election      Kind = "election"
	Barrier       Kind = "barrier"
	DoubleBarrier Kind = "doublebarrier"
	Queue         Kind = "queue"
	PriorityQueue Kind = "priorityqueue"
	DelayQueue    Kind = "delayqueue"
	TwoPhase      Kind = "twophase"
	Membership    Kind = "membership"
	Service       Kind = "service"
	Config        Kind = "config"
	Rendezvous    Kind = "rendezvous"
	Counter       Kind = "counter"
	Lease         Kind = "lease"
)

// Dialect names the library or system whose layout a recipe follows: one word, see layouts.go.
type Dialect string

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

	NetZooKeeperLock Dialect = "net-zookeeper-lock"

	Generic Dialect = "generic" // no known layout fits
)

// Role is what a claim is in its recipe.
type Role string

const (
	Holder    Role = "holder"
	Waiter    Role = "waiter"
	Leader    Role = "leader"
	Candidate Role = "candidate"
	Member    Role = "member"
	Item      Role = "item"
	Ready     Role = "ready"
	Taken     Role = "taken"
	Vote      Role = "vote"
	Value     Role = "value"
)

// Mode is how a claim on a lock excludes others.
type Mode string

const (
	Exclusive Mode = "exclusive"
	Read      Mode = "read"
	Write     Mode = "write"
)

// State is the state of a whole recipe; which words a kind uses is listed in the package's layouts.
type State string

const (
	Free    State = "free"
	Held    State = "held"
	Reading State = "read"
	Writing State = "write"
	Vacant  State = "vacant"
	Elected State = "elected"

	Full      State = "full"      // a semaphore without a free lease
	Over      State = "over"      // a semaphore with more leases than its limit
	Closed    State = "closed"    // a barrier that stands
	Opened    State = "open"      // a barrier that is gone
	Idle      State = "idle"      // a double barrier that nobody has entered
	Gathering State = "gathering" // one that waits for members
	Inside    State = "inside"    // one whose members were let in
	Leaving   State = "leaving"   // one whose members leave
	Empty     State = "empty"     // nothing in it
	Waiting   State = "waiting"   // a queue with items to take; a rendezvous that nobody filled
	Working   State = "working"   // a queue with items in work and none to take
	Undecided State = "undecided" // a transaction without a verdict
	Committed State = "commit"    // every site voted so
	Aborted   State = "abort"     // some site voted so
	Present   State = "present"   // members
	Filled    State = "filled"    // a rendezvous
	HasValue  State = "value"     // a configuration or counter with data
	Expired   State = "expired"   // a lease past its end

	Unknown State = "unknown" // the claims could not be read; any kind
)

// Proof says how sure an edge "this claim waits for that one" is.
type Proof string

const (
	Unproven Proof = ""        // not a waiter
	Proven   Proof = "proven"  // its session is seen watching the blocker's znode
	Likely   Proof = "likely"  // follows from the order; nobody could be asked
	Refuted  Proof = "refuted" // every server answered and no such watch exists
)

// Hearing says how sure it is that a holder listens for its revoke word.
type Hearing string

const (
	HearsUnknown  Hearing = ""         // this layout has no revoke word
	HearsProven   Hearing = "proven"   // the holder's session is seen watching its own znode, and this layout does so for that alone
	HearsLikely   Hearing = "likely"   // the layout listens by default
	HearsUnlikely Hearing = "unlikely" // the layout can listen, but this holder shows no sign of it
)

// Model is one decoded recipe. It is immutable once returned by Decode; an unchanged recipe keeps its
// pointer from one snapshot to the next.
type Model struct {
	Path       string // what its clients were given
	Kind       Kind
	Dialect    Dialect
	Confidence float64  // 0..1
	Why        []string // the evidence for kind and dialect
	State      State
	Claims     []Claim  // in serving order
	Foreign    []string // names of children that are no part of the recipe
	Numbers    Numbers
	Findings   []Finding
	Czxid      Zxid // of the recipe's own directory: its identity

	more *detail // what few recipes have; nil for most
}

// detail is what few recipes have.
type detail struct {
	announced bool // an election whose leader was seen to announce itself
	watched   bool // a line in which a waiter was seen to watch the claim ahead

	handovers []handover // the places that were seen to change hands lately; see flapping.go

	ready    Zxid      // of a double barrier: when its ready was made
	mayLeave bool      // of a double barrier: nothing tells whether its members leave already
	lost     []string  // of a transaction: the sites that left it before a verdict
	nays     []string  // of a transaction: the sites that voted abort and left
	until    time.Time // of a lease: its end; zero: unknown

	heirs  *heirs    // of an election: who could follow, where that is no line
	vacant time.Time // of an election: when it was first seen that nobody leads; zero: from the start
}

// detail returns what few recipes have, to be read.
func (m *Model) detail() detail {
	if m.more == nil {
		return detail{}
	}
	return *m.more
}

// detailed returns the same, to be written while the model is made.
func (m *Model) detailed() *detail {
	if m.more == nil {
		m.more = new(detail)
	}
	return m.more
}

// Severity orders findings.
type Severity uint8

const (
	Low    Severity = iota + 1 // worth knowing
	Medium                     // likely to mislead or to bite later
	High                       // someone is stuck, or two may act
)

// String returns low, medium or high.
func (s Severity) String() string {
	switch s {
	case Low:
		return "low"
	case Medium:
		return "medium"
	case High:
		return "high"
	}
	return "unknown"
}

// Finding is something an operator should know about a recipe. Code is stable for scripts.
type Finding struct {
	Code     string
	Severity Severity
	Text     string // one line
	Paths    []string
	Sessions []SessionID
}

// Event is a change between two snapshots in the words that people use. Which changes it names, and
// how, is decided in diff.go.
type Event struct {
	At     time.Time
	From   time.Time // not zero: it happened between this and At, and nobody saw when; Waited and Held are then upper bounds
	Path   string    // the recipe's
	Kind   Kind
	What   string // a stable word: acquired, released, lost, promoted, joined, left, revoke-asked, ...
	Owner  string
	Claim  ClaimID
	Text   string // one line, complete without the other fields
	Waited time.Duration
	Held   time.Duration

	Session SessionID // of the claim; 0: none
	Count   int       // of EventSessionEnded: how many claims it tells of
}
