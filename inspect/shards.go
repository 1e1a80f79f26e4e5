package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/survey"
)

// shards counts the children that are shards.
func shards(x *survey.Dir) (n int) {
	for _, c := range x.Node.Children {
		if layout.IsShard(c) {
			n++
		}
	}
	return n
}

// buildShards builds a queue of shards.
func buildShards(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := queueAt(x, layout.Curator, 0.95, why)
	x.Parts = survey.AllChildren
	type item struct {
		order.Place
		path  string
		ahead int // in its shard
	}
	var items []item
	for _, shard := range x.Node.Children {
		if !layout.IsShard(shard) {
			continue
		}
		for i, p := range lines.ChildrenWith(shard, layout.ShardPrefix) {
			items = append(items, item{p, x.Path + "/" + shard.Name + "/" + p.Text, i})
		}
	}
	sorted.By(items, func(a, b item) int { return int(a.Czxid - b.Czxid) })
	for i := range items {
		c := b.Item(items[i].Node, items[i].path, model.Item, model.NextOfShard)
		c.SetSeq(&items[i].Name)
		if n := items[i].ahead; n > 0 {
			c.SetWhy(say.Plural(n, "item is", "items are") + " ahead in its shard")
		}
	}
	b.Payload = true
	b.Number("depth", len(items))
	b.Number("available", len(items))
	b.ListForeign(layout.IsShard)
	if len(items) == 0 {
		return b.Finish(model.Empty)
	}
	return b.Finish(model.Waiting)
}
