package inspect

import "time"

// The offices of the known places: see Office. A rank whose members both lead and are led is not said to be led.
var (
	kafkaOffice   = Office{Ranks: []Rank{{At: "brokers/ids", One: "broker", Many: "brokers"}}}
	hbaseOffice   = Office{Ranks: []Rank{{At: "backup-masters", One: "backup master", Many: "backup masters"}, {At: "rs", One: "region server", Many: "region servers", Led: true}}}
	patroniOffice = Office{Ranks: []Rank{{At: "members", One: "member", Many: "members", Can: promotable}}, Seen: "config", Pause: "config", Grace: 10 * time.Second}
	pulsarOffice  = Office{Ranks: []Rank{{At: "brokers", One: "broker", Many: "brokers"}}}
	canalOffice   = Office{Ranks: []Rank{{At: "cluster", One: "server", Many: "servers"}}, Grace: 10 * time.Second} // a server waits for five before it takes over
	auditorOffice = Office{Ranks: []Rank{{At: "../available", One: "bookie", Many: "bookies"}}}
	mesosOffice   = Office{Ranks: []Rank{{At: "./log_replicas", One: "master", Many: "masters"}}}
	druidOffice   = Office{Ranks: []Rank{{At: "../internal-discovery/COORDINATOR", One: "coordinator", Many: "coordinators"}}}
	jobOffice     = Office{Ranks: []Rank{{At: "../instances", One: "instance", Many: "instances"}}}

	// controllers of Helix that are no participants leave no znode
	helixOffice = Office{Ranks: []Rank{{At: "../LIVEINSTANCES", One: "instance", Many: "instances", Led: true}}}

	stormOffice    = Office{Ranks: []Rank{{At: "nimbuses", One: "nimbus", Many: "nimbuses"}, {At: "supervisors", One: "supervisor", Many: "supervisors", Led: true}}}
	overseerOffice = Office{Ranks: []Rank{{At: "../live_nodes", One: "node", Many: "nodes"}}}

	// which replicas of a partition could lead is in its data; brokers that live are there to be led
	partitionOffice = Office{Ranks: []Rank{{At: "../../../../ids", One: "broker", Many: "brokers", Led: true}}, Mute: true}

	// who wants to lead a group of tooz tries its lock now and then
	toozOffice = Office{Polls: true, Mute: true}

	// nobody need be a client of Canal
	muteOffice = Office{Mute: true}
)
