package layout

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// Furniture lists the children that belong to a recipe without being claims.
var Furniture = map[string]bool{
	"ready": true, "locks": true, "leases": true, "entries": true, "taken": true, "lease_holder": true,
	"leader": true, "leader_ack": true, "party": true, "ActiveBreadCrumb": true, "latch": true, "instance": true, "log_replicas": true,
}

// Curator's QueueSharder keeps several queues in one directory, and its clients take from each at once. They are
// one recipe, whose items are listed as they came; within a shard that is the order in which they are taken.
//
//	P/queue-<uuid>/queue-<seq>      an item in a shard
//
// shardPrefix begins the name of a shard.
const ShardPrefix = "queue-"

// IsShard reports whether a znode is a shard of Curator's QueueSharder.
func IsShard(c *znode.Node) bool {
	id, ok := strings.CutPrefix(c.Name, ShardPrefix)
	return ok && IsUUID(id) && !c.Ephemeral()
}

// MarkerName is the marker that ClickHouse's replicas leave where they elected before 21.12: one digit, and no
// number of a sequence.
const MarkerName = "leader_election-0"

// TouchName is the child that keeps Curator's PersistentTtlNode alive: made anew every half of its time to live.
const TouchName = "touch"

// HasLease reports whether a znode is a slot of several leases: a number with a lease below it.
func HasLease(c *znode.Node) bool { return AllDigits(c.Name) && c.Child("lease_holder") != nil }

// Around returns the directory that is to be read so that the recipe to which the znode at a path belongs is seen whole.
func Around(path string) string {
	dir, _ := znode.Split(path)
	for up, name := znode.Split(dir); Furniture[name]; up, name = znode.Split(dir) {
		dir = up
	}
	return dir
}
