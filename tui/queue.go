package tui

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// QueueRecipe shows queues: how deep, which way they go, and what is in work.
func QueueRecipe() Recipe {
	return Recipe{Kind: layout.Queue, Plural: "queues", Count: totalDepth, Panel: Panel{
		Words: queueWords, Queue: "items", Brief: queueBrief, Draw: drawQueue,
	}}
}

var queueWords = map[model.Role]string{model.Item: "item", model.Ready: "due", model.Taken: "WORK"}

func totalDepth(models []*model.Model) string {
	depth, taken := 0, 0
	for _, m := range models {
		depth += len(m.Claims)
		taken += int(m.Numbers.Of("taken"))
	}
	text := "depth " + number(depth)
	if taken > 0 {
		text += "  in work " + number(taken)
	}
	return text
}

// queueBrief names what waits at the head since when, and how deep the queue is.
func queueBrief(m *model.Model) brief {
	b := brief{what: string(m.State)}
	if len(m.Claims) > 0 {
		b.since = m.Claims[0].Created()
		b.queue = number(len(m.Claims)) + " deep"
	}
	return b
}

// drawQueue draws how the depth went, and who works on what.
func drawQueue(p picture) []line {
	var out []line
	if n := len(p.past); n > 1 {
		w := max(4, min(60, p.w-46))
		span0 := p.past[n-1].at.Sub(p.past[max(0, n-w)].at)
		out = append(out, p.row("depth", span{p.spark(depths(p.past), w), Accent},
			span{fmt.Sprintf("  %s now, %s in the last %s", number(p.past[n-1].depth), trend(p.past[max(0, n-w):]), say.Age(max(span0, time.Second))), Dim}))
	}
	var taken []model.Claim
	for i := range p.m.Claims {
		if p.m.Claims[i].Role() == model.Taken {
			taken = append(taken, p.m.Claims[i])
		}
	}
	if len(taken) > 0 {
		out = append(out, p.row("in work", span{p.names(taken, " "+p.Dot+" ", p.w-12), Good}))
	}
	return out
}

// trend says in a word how a queue went.
func trend(past []sample) string {
	switch d := past[len(past)-1].depth - past[0].depth; {
	case d > 0:
		return "up " + number(d)
	case d < 0:
		return "down " + number(-d)
	}
	return "level"
}
