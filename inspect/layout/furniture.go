package layout

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// furniture lists the children that belong to a recipe without being claims.
var furniture = map[string]bool{
	"ready": true, "locks": true, "leases": true, "entries": true, "taken": true, "lease_holder": true,
	"leader": true, "leader_ack": true, "party": true, "ActiveBreadCrumb": true, "latch": true, "instance": true,
	"log_replicas": true,
}

// IsFurniture reports whether a name is that of a child that belongs to a recipe without being a claim: ready, leases.
func IsFurniture(name string) bool { return furniture[name] }

// Curator's QueueSharder keeps several queues in one directory, and its clients take from each at once. They are
// one recipe, whose items are listed as they came; within a shard that is the order in which they are taken.
//
//	P/queue-<uuid>/queue-<seq>      an item in a shard

// ShardPrefix begins the name of a shard.
const ShardPrefix = "queue-"

// IsShard reports whether a znode is a shard of Curator's QueueSharder.
func IsShard(c *znode.Node) bool {
	id, ok := strings.CutPrefix(c.Name, ShardPrefix)
	return ok && IsUUID(id) && !c.Ephemeral()
}

// ClickHouseMarker is the marker that ClickHouse's replicas leave where they elected before 21.12: one digit, and no
// number of a sequence.
const ClickHouseMarker = "leader_election-0"

// TouchChild is the child that keeps Curator's PersistentTtlNode alive: made anew every half of its time to live.
const TouchChild = "touch"

// HasLease reports whether a znode is a slot of several leases: a number with a lease below it.
func HasLease(c *znode.Node) bool { return IsDigits(c.Name) && c.Child("lease_holder") != nil }

// Around returns the directory that is to be read so that the recipe to which the znode at a path
// belongs is seen whole.
func Around(path string) string {
	dir, _ := znode.Split(path)
	for up, name := znode.Split(dir); IsFurniture(name); up, name = znode.Split(dir) {
		dir = up
	}
	return dir
}
