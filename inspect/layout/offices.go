package layout

import (
	"encoding/json"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// The offices of the known places: see Office. A rank whose members both lead and are led is not said to be led.
var (
	kafkaOffice = Office{Ranks: []Rank{{At: "brokers/ids", One: "broker", Many: "brokers"}}}
	hbaseOffice = Office{Ranks: []Rank{{At: "backup-masters", One: "backup master", Many: "backup masters"},
		{At: "rs", One: "region server", Many: "region servers", Led: true}}}
	patroniOffice = Office{Ranks: []Rank{{At: "members", One: "member", Many: "members", Can: promotable}},
		Seen: "config", Pause: "config", Grace: 10 * time.Second}
	pulsarOffice = Office{Ranks: []Rank{{At: "brokers", One: "broker", Many: "brokers"}}}
	// a server waits for five seconds before it takes over
	canalOffice   = Office{Ranks: []Rank{{At: "cluster", One: "server", Many: "servers"}}, Grace: 10 * time.Second}
	auditorOffice = Office{Ranks: []Rank{{At: "../available", One: "bookie", Many: "bookies"}}}
	mesosOffice   = Office{Ranks: []Rank{{At: "./log_replicas", One: "master", Many: "masters"}}}
	druidOffice   = Office{Ranks: []Rank{{At: "../internal-discovery/COORDINATOR", One: "coordinator",
		Many: "coordinators"}}}
	jobOffice = Office{Ranks: []Rank{{At: "../instances", One: "instance", Many: "instances"}}}

	// controllers of Helix that are no participants leave no znode
	helixOffice = Office{Ranks: []Rank{{At: "../LIVEINSTANCES", One: "instance", Many: "instances", Led: true}}}

	stormOffice = Office{Ranks: []Rank{{At: "nimbuses", One: "nimbus", Many: "nimbuses"},
		{At: "supervisors", One: "supervisor", Many: "supervisors", Led: true}}}
	overseerOffice = Office{Ranks: []Rank{{At: "../live_nodes", One: "node", Many: "nodes"}}}

	// which replicas of a partition could lead is in its data; brokers that live are there to be led
	partitionOffice = Office{Ranks: []Rank{{At: "../../../../ids", One: "broker", Many: "brokers", Led: true}},
		Mute: true}

	// who wants to lead a group of tooz tries its lock now and then
	toozOffice = Office{Polls: true, Mute: true}

	// nobody need be a client of Canal
	muteOffice = Office{Mute: true}
)

// Office is what is known of a system's leadership besides the znodes of those who lead or stand in line: who is there
// to be led, who could be promoted, what pauses it. Paths are relative to the directory that the recipe is in; ./
// begins one within the recipe.
type Office struct {
	Ranks []Rank        // who may lead, and who is led
	Seen  string        // a znode that tells, like a rank, that the system is there; empty: none
	Pause string        // a znode whose data may say that its operators paused the system
	Grace time.Duration // how long nobody may lead before that is a finding; 0: [Grace]
	Mute  bool          // that nobody leads tells nothing unless somebody was seen to lead
	Polls bool          // who could follow tries again and again, and leaves no znode meanwhile
}

// Rank is a directory of those who may lead or are led, each an ephemeral child.
type Rank struct {
	At        string // the directory
	One, Many string
	Led       bool                   // they are led and never lead
	Can       func(*znode.Node) bool // which of them can be promoted; nil: each
}

// Grace is how long an election may be vacant, from when that was first seen, where its row says nothing else.
const Grace = 5 * time.Second

// Patience returns how long nobody may lead before that is a finding.
func (o *Office) Patience() time.Duration {
	if o == nil || o.Grace == 0 {
		return Grace
	}
	return o.Grace
}

// promotable reports whether a member of a Patroni cluster can be promoted: it runs, and no tag forbids it.
func promotable(n *znode.Node) bool {
	var member struct {
		State string
		Tags  map[string]any
	}
	if json.Unmarshal(n.Data, &member) != nil {
		return true // the URL alone, as old members write it
	}
	switch member.State {
	case "", "running", "streaming", "in archive recovery":
	default:
		return false
	}
	switch v := member.Tags["nofailover"].(type) {
	case bool:
		return !v
	case string:
		return v != "true" && v != "True"
	}
	priority, known := member.Tags["failover_priority"].(float64)
	return !known || priority > 0
}

// IsPaused reports whether data says that operators paused a system: Patroni's pause.
func IsPaused(n *znode.Node) bool {
	var config struct{ Pause bool }
	return n != nil && json.Unmarshal(n.Data, &config) == nil && config.Pause
}

// Called names a member: a bare number says little.
func (r *Rank) Called(name string) string {
	if IsDigits(name) {
		return r.One + " " + name
	}
	return name
}
