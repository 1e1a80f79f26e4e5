package layout

// places is the table of known paths, grouped by system.
var places = []Place{
	// Kafka before version 4
	{ID: "KAFKA-CTRL", Dialect: Kafka, Kind: Election, Tail: "controller", Beside: "brokers", Itself: true,
		Office: &kafkaOffice, About: "Kafka's controller"},
	{ID: "KAFKA-CTRL", Dialect: Kafka, Kind: Counter, Tail: "controller_epoch", Beside: "brokers", Itself: true,
		About: "the epoch of Kafka's controller"},
	{ID: "KAFKA-PART", Dialect: Kafka, Kind: Election, Tail: "partitions/*/state", Itself: true, Durable: true,
		Office: &partitionOffice, About: "the leader of a Kafka partition"},
	{ID: "KAFKA-BROKERS", Dialect: Kafka, Kind: Membership, Tail: "brokers/ids", About: "Kafka's brokers"},

	// zk-ruby
	{ID: "RB-QUEUE", Dialect: ZkRuby, Kind: Queue, Tail: "_zkqueues/*", About: "zk-ruby's MessageQueue"},

	// Hadoop
	{ID: "HADOOP-ASE", Dialect: Hadoop, Kind: Election, Tail: "hadoop-ha/*", About: "the active NameNode's election"},
	{ID: "YARN-ASE", Dialect: Hadoop, Kind: Election, Tail: "yarn-leader-election/*",
		About: "the active ResourceManager's election"},

	// HBase
	{ID: "HBASE-MASTER", Dialect: HBase, Kind: Election, Tail: "hbase*/master", Itself: true, Office: &hbaseOffice,
		About: "HBase's active master"},
	{ID: "HBASE-MASTER", Dialect: HBase, Kind: Membership, Tail: "hbase*/backup-masters",
		About: "HBase's backup masters"},
	{ID: "HBASE-RS", Dialect: HBase, Kind: Membership, Tail: "hbase*/rs", About: "HBase's region servers"},
	{ID: "HBASE-PROC", Dialect: HBase, Kind: TwoPhase, Tail: "hbase*/*/acquired/*", About: "an HBase procedure"},

	// Solr
	{ID: "SOLR-OVERSEER", Dialect: Solr, Kind: Election, Tail: "overseer_elect/election", Office: &overseerOffice,
		About: "the election of Solr's overseer"},
	{ID: "SOLR-LIVE", Dialect: Solr, Kind: Membership, Tail: "live_nodes", About: "Solr's live nodes"},
	{ID: "SOLR-QUEUE", Dialect: Solr, Kind: Queue, Tail: "overseer/queue", About: "Solr's overseer queue"},
	{ID: "SOLR-QUEUE", Dialect: Solr, Kind: Queue, Tail: "overseer/collection-queue-work",
		About: "Solr's overseer queue"},

	// Mesos and what runs on it
	{ID: "MESOS-LOG", Dialect: Mesos, Kind: Membership, Tail: "mesos/log_replicas",
		About: "the replicas of Mesos' log"},
	{ID: "MESOS-MASTER", Dialect: Mesos, Kind: Election, Tail: "mesos", Line: &mesosRow, Office: &mesosOffice,
		About: "Mesos' masters"},
	{ID: "MARATHON", Dialect: Marathon, Kind: Election, Tail: "marathon/leader-curator", About: "Marathon's leader"},
	{ID: "MARATHON", Dialect: Marathon, Kind: Election, Tail: "marathon/leader",
		About: "Marathon's leader, as it was elected before it used Curator"},
	{ID: "CHRONOS", Dialect: Chronos, Kind: Election, Tail: "chronos/state/candidate", About: "Chronos' leader"},

	{ID: "AURORA", Dialect: Aurora, Kind: Election, Tail: "aurora/scheduler", About: "Aurora's scheduler"},

	// systems that elect with Curator
	{ID: "STORM", Dialect: Storm, Kind: Election, Tail: "storm/leader-lock", Office: &stormOffice,
		About: "Storm's Nimbus leader"},
	{ID: "STORM", Dialect: Storm, Kind: Membership, Tail: "storm/nimbuses", About: "Storm's Nimbus hosts"},
	{ID: "STORM", Dialect: Storm, Kind: Membership, Tail: "storm/supervisors", About: "Storm's supervisors"},
	{ID: "DRUID", Dialect: Druid, Kind: Election, Tail: "coordinator/_COORDINATOR", Office: &druidOffice,
		About: "Druid's coordinator"},
	{ID: "DRUID", Dialect: Druid, Kind: Membership, Tail: "internal-discovery/*", About: "Druid's nodes"},
	{ID: "NIFI", Dialect: NiFi, Kind: Election, Tail: "nifi/leaders/*", About: "a role of NiFi's cluster"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "flink/*/leader/latch", About: "Flink's leader"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "leader/latch", Beside: "dispatcher", About: "Flink's leader"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "leader/latch", Beside: "resource_manager",
		About: "Flink's leader"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "latch", Beside: "connection_info",
		About: "the leader of a component of Flink"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "leaderlatch/*", Used: true, Lines: true,
		About: "the leader of a component of Flink, as it was elected before 1.13"},
	{ID: "FLINK", Dialect: Flink, Kind: Election, Tail: "leaderlatch/*/job_manager_lock",
		About: "the leader of a job of Flink, as it was elected before 1.13"},
	{ID: "FLINK", Dialect: Flink, Tail: "connection_info", Itself: true, Part: true,
		About: "where the leader of a component of Flink can be had"},
	{ID: "FLINK", Dialect: Flink, Tail: "leader/*_lock", Itself: true, Part: true,
		About: "where the leader of a component of Flink can be had"},
	{ID: "FLINK-STATE", Dialect: Flink, Kind: Membership, Tail: "jobgraphs/*", Used: true, Lines: true,
		About: "users of a Flink job graph"},
	{ID: "FLINK-STATE", Dialect: Flink, Kind: Membership, Tail: "jobgraphs/*/locks", Used: true,
		About: "users of a Flink job graph"},
	{ID: "FLINK-STATE", Dialect: Flink, Kind: Membership, Tail: "checkpoints/*", Used: true, Lines: true,
		About: "users of a Flink checkpoint"},
	{ID: "FLINK-STATE", Dialect: Flink, Kind: Membership, Tail: "checkpoints/*/locks", Used: true,
		About: "users of a Flink checkpoint"},
	{ID: "FLINK-STATE", Dialect: Flink, Kind: Membership, Tail: "checkpoints/*/*/locks", Used: true,
		About: "users of a Flink checkpoint"},
	{ID: "SPARK", Dialect: Spark, Kind: Election, Tail: "spark/leader_election", About: "Spark's master"},
	{ID: "OOZIE", Dialect: Oozie, Kind: Election, Tail: "services/concurrencyleader", About: "Oozie's leader"},
	{ID: "OOZIE", Dialect: Oozie, Kind: SharedLock, Tail: "oozie/locks/*", About: "a lock of Oozie"},
	{ID: "OOZIE", Dialect: Oozie, Kind: Counter, Tail: "oozie/job_id_sequence", Itself: true,
		About: "Oozie's job numbers"},
	{ID: "SPRING-LOCK", Dialect: Spring, Kind: Lock, Tail: "SpringIntegration-LockRegistry/*",
		About: "a lock of Spring Integration"},
	{ID: "DOLPHIN", Dialect: Dolphin, Tail: "dolphinscheduler/lock/failover", Part: true,
		About: "the directory of DolphinScheduler's locks for failover"},
	{ID: "DOLPHIN", Dialect: Dolphin, Kind: Lock, Tail: "dolphinscheduler/lock/failover/*",
		About: "a lock of DolphinScheduler for failover"},
	{ID: "DOLPHIN", Dialect: Dolphin, Kind: Lock, Tail: "dolphinscheduler/lock/*", About: "a lock of DolphinScheduler"},
	{ID: "DOLPHIN", Dialect: Dolphin, Kind: Membership, Tail: "dolphinscheduler/nodes/*", Lines: true,
		About: "DolphinScheduler's nodes"},
	{ID: "DOLPHIN", Dialect: Dolphin, Kind: Membership, Tail: "dolphinscheduler/nodes/worker/*",
		About: "a group of DolphinScheduler's workers"},

	// Elastic-Job
	{ID: "EJOB", Dialect: ElasticJob, Kind: Election, Tail: "leader/election", Holds: "latch", Office: &jobOffice,
		About: "the leader of an Elastic-Job job"},
	{ID: "EJOB-SHARD", Dialect: ElasticJob, Tail: "sharding/*", Holds: "instance", Part: true,
		About: "a shard of an Elastic-Job job"},
	{ID: "EJOB-SHARD", Dialect: ElasticJob, Kind: Membership, Tail: "instances", Beside: "sharding",
		About: "the instances of an Elastic-Job job"},

	// ClickHouse
	{ID: "CH-ACTIVE", Dialect: ClickHouse, Kind: Membership, Tail: "replicas", Beside: "block_numbers",
		About: "the replicas of a ClickHouse table"},
	{ID: "CH-MUT", Dialect: ClickHouse, Kind: Queue, Tail: "mutations", Beside: "block_numbers", Line: &mutationRow,
		About: "the mutations of a ClickHouse table"},

	// Patroni
	{ID: "PATRONI", Dialect: Patroni, Kind: Election, Tail: "leader", Beside: "initialize", Itself: true,
		Office: &patroniOffice, About: "the leader of a Patroni cluster"},
	{ID: "PATRONI-MEM", Dialect: Patroni, Kind: Membership, Tail: "members", Beside: "initialize",
		About: "the members of a Patroni cluster"},

	// BookKeeper and Pulsar
	{ID: "BK-AUDITOR", Dialect: BookKeeper, Kind: Election, Tail: "underreplication/auditorelection",
		Office: &auditorOffice, About: "BookKeeper's auditor"},
	{ID: "BK-AVAIL", Dialect: BookKeeper, Kind: Membership, Tail: "ledgers/available", About: "BookKeeper's bookies"},
	{ID: "BK-AVAIL", Dialect: BookKeeper, Kind: Membership, Tail: "available/readonly",
		About: "BookKeeper's read-only bookies"},
	{ID: "BK-URLOCK", Dialect: BookKeeper, Kind: Lock, Tail: "underreplication/locks/*", Itself: true, Names: "urL",
		About: "a ledger that a bookie replicates"},
	{ID: "PULSAR-LEADER", Dialect: Pulsar, Kind: Election, Tail: "loadbalance/leader", Itself: true,
		Office: &pulsarOffice, About: "the leader of Pulsar's brokers"},
	{ID: "PULSAR-LOCK", Dialect: Pulsar, Kind: Lock, Tail: "namespace/*/*/*", Itself: true, Names: "0x",
		About: "the owner of a Pulsar bundle"},
	{ID: "PULSAR-LOCK", Dialect: Pulsar, Kind: Membership, Tail: "loadbalance/brokers", About: "Pulsar's brokers"},

	// Hive
	{ID: "HS2", Dialect: Hive, Kind: Service, Tail: "hiveserver2", About: "HiveServer2 servers"},
	{ID: "HS2", Dialect: Hive, Kind: Service, Tail: "kyuubi", About: "Kyuubi servers"},

	{ID: "HS2-HA", Dialect: Hive, Kind: Election, Tail: "hs2ActivePassiveHA*/_LEADER", About: "the active HiveServer2"},

	// Helix
	{ID: "HELIX", Dialect: Helix, Kind: Election, Tail: "CONTROLLER/LEADER", Itself: true, Office: &helixOffice,
		About: "the controller of a Helix cluster"},
	{ID: "HELIX", Dialect: Helix, Kind: Membership, Tail: "LIVEINSTANCES", About: "the instances of a Helix cluster"},
	{ID: "HELIX-LOCK", Dialect: Helix, Kind: Lease, Tail: "LOCK/CLUSTER/*", Itself: true, Durable: true,
		About: "a lock of Helix"},
	{ID: "HELIX-LOCK", Dialect: Helix, Kind: Lease, Tail: "LOCK/PARTICIPANT/*", Itself: true, Durable: true,
		About: "a lock of Helix"},
	{ID: "HELIX-LOCK", Dialect: Helix, Kind: Lease, Tail: "LOCK/RESOURCE/*", Itself: true, Durable: true,
		About: "a lock of Helix"},

	// Canal
	{ID: "CANAL", Dialect: Canal, Kind: Election, Tail: "destinations/*/running", Itself: true, Office: &canalOffice,
		About: "the running server of a Canal destination"},
	{ID: "CANAL", Dialect: Canal, Kind: Election, Tail: "destinations/*/*/running", Itself: true, Office: &muteOffice,
		About: "the running client of a Canal destination"},
	{ID: "CANAL", Dialect: Canal, Kind: Membership, Tail: "canal/cluster", About: "Canal's servers"},
	{ID: "CANAL", Dialect: Canal, Kind: Membership, Tail: "destinations/*/cluster",
		About: "the servers of a Canal destination"},

	// Brooklin: bare numbers, of which the lowest coordinates
	{ID: "BROOKLIN", Dialect: Brooklin, Kind: Election, Tail: "liveinstances", Beside: "dms", Line: &brooklinRow,
		About: "the coordinators of a Brooklin cluster"},

	// Codis, whose locks are persistent
	{ID: "CODIS", Dialect: Codis, Kind: Lock, Tail: "topom", Beside: "slots", Itself: true, Durable: true,
		About: "the dashboard of a Codis product"},
	{ID: "CODIS", Dialect: Codis, Kind: Lock, Tail: "db_*/LOCK", Durable: true,
		About: "the lock of a Codis product before version 3"},

	// ShedLock
	{ID: "SHEDLOCK", Dialect: ShedLock, Kind: Lease, Tail: "shedlock/*", Itself: true, Durable: true,
		About: "a lock of ShedLock"},

	// OpenStack
	{ID: "TASKFLOW", Dialect: Taskflow, Kind: Queue, Tail: "taskflow/jobs", About: "taskflow's job board"},
	{ID: "TASKFLOW", Dialect: Taskflow, Kind: Membership, Tail: ".entities/conductor", About: "taskflow's conductors"},
	{ID: "TOOZ", Dialect: Tooz, Tail: "tooz/locks", Part: true, About: "the directory of tooz's locks"},
	{ID: "TOOZ", Dialect: Kazoo, Kind: Election, Tail: "tooz/*/leader", Office: &toozOffice,
		About: "the leader of a group of tooz"},
	{ID: "TOOZ", Dialect: Tooz, Kind: Membership, Tail: "tooz/*", Used: true, Lines: true, About: "a group of tooz"},

	// Alluxio, whose leader shows where it can be had beside the election
	{ID: "ALLUXIO", Dialect: Alluxio, Kind: Election, Tail: "alluxio/election", About: "Alluxio's masters"},
	{ID: "ALLUXIO", Dialect: Alluxio, Tail: "alluxio/leader", Part: true,
		About: "where Alluxio's leading master can be had"},
	{ID: "ALLUXIO", Dialect: Alluxio, Tail: "alluxio/leader/*", Itself: true, Part: true,
		About: "where Alluxio's leading master can be had"},

	// Vault, Vitess, smaller ones
	{ID: "GO-VAULT", Dialect: Vault, Kind: Election, Tail: "core/_lock", About: "Vault's active node"},
	{ID: "VITESS", Dialect: Vitess, Kind: Election, Tail: "elections/*", Line: &vitessRow, Used: true,
		About: "an election of Vitess"},
	{ID: "JS-ZKHELPER", Dialect: ZkHelper, Kind: Election, Tail: "votes", Beside: "nodes", About: "zkHelper's vote"},
}

// Rows of names that are a number and little else: only the place says what they are.
var (
	mesosRow = Layout{ID: "MESOS-MASTER", Dialect: Mesos, Kind: Election, Order: ByNumber, Watch: WatchesParent,
		Sure: 0.8, About: "Mesos' masters"}
	brooklinRow = Layout{ID: "BROOKLIN", Dialect: Brooklin, Kind: Election, Order: ByText, Sure: 0.8,
		About: "Brooklin's live instances"}
	vitessRow = Layout{ID: "VITESS", Dialect: Vitess, Kind: Election, Order: ByText, Sure: 0.7,
		About: "Vitess' elections"}
	mutationRow = Layout{ID: "CH-MUT", Dialect: ClickHouse, Kind: Queue, Order: ByName, Sure: 0.8,
		About: "ClickHouse's mutations"}
)
