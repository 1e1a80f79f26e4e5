package layout

// Dialect names the library or system whose layout a recipe follows: one word.
type Dialect string

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

	NetZooKeeperLock Dialect = "net-zookeeper-lock"

	Generic Dialect = "generic" // no known layout fits
)
