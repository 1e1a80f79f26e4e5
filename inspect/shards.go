package inspect

import (
	"slices"
	"strings"
)

// Curator's QueueSharder keeps several queues in one directory, and its clients take from each at once. They are
// one recipe, whose items are listed as they came; within a shard that is the order in which they are taken.
//
//	P/queue-<uuid>/queue-<seq>      an item in a shard
//
// shardPrefix begins the name of a shard.
const shardPrefix = "queue-"

func isShard(c *Node) bool {
	id, ok := strings.CutPrefix(c.Name, shardPrefix)
	return ok && isUUID(id) && !c.Ephemeral()
}

// shards counts the children that are shards.
func (x *dir) shards() (n int) {
	for _, c := range x.node.Children {
		if isShard(c) {
			n++
		}
	}
	return n
}

// buildShards builds a queue of shards.
func (x *dir) buildShards(why []Evidence) *Model {
	b := x.recipe(Queue, Curator, 0.95, why)
	x.parts = all
	type item struct {
		place
		path  string
		ahead int // in its shard
	}
	var items []item
	for _, shard := range x.node.Children {
		if !isShard(shard) {
			continue
		}
		for i, p := range namesIn(shard, shardPrefix) {
			items = append(items, item{p, x.path + "/" + shard.Name + "/" + p.Text, i})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return int(a.czxid - b.czxid) })
	for i := range items {
		c := b.item(items[i].node, items[i].path, Item, nextOfShard)
		c.seq(&items[i].Name)
		if n := items[i].ahead; n > 0 {
			c.say(plural(n, "item is", "items are") + " ahead in its shard")
		}
	}
	b.payload = true
	b.number("depth", len(items))
	b.number("available", len(items))
	b.outsiders(isShard)
	if len(items) == 0 {
		return b.finish(Empty)
	}
	return b.finish(Waiting)
}
