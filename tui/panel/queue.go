package panel

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/tui/paint"
)

// Queue shows queues: how deep, which way they go, and what is in work.
func Queue() Recipe {
	return Recipe{Kind: layout.Queue, Plural: "queues", Short: "queue", Count: totalDepth, Panel: Panel{
		Words: queueWords, Brief: queueBrief, Draw: drawQueue,
	}}
}

var queueWords = map[model.Role]string{model.Item: "item", model.Ready: "due", model.Taken: "WORK"}

func totalDepth(models []*model.Model) string {
	depth, taken := 0, 0
	for _, m := range models {
		depth += len(m.Claims)
		taken += int(m.Numbers.Of("taken"))
	}
	text := "depth " + paint.Number(depth)
	if taken > 0 {
		text += "  in work " + paint.Number(taken)
	}
	return text
}

// queueBrief names what waits at the head since when, and how deep the queue is.
func queueBrief(m *model.Model) Brief {
	b := Brief{What: string(m.State), Waiting: NoLine}
	if len(m.Claims) > 0 {
		b.What, b.Since = paint.Counted(len(m.Claims), "item", "items"), m.Claims[0].Created()
	}
	return b
}

// drawQueue draws how the depth went, and who works on what.
func drawQueue(p Pen) []paint.Line {
	var out []paint.Line
	if n := len(p.Past); n > 1 {
		w := max(4, min(60, p.W-46))
		span0 := p.Past[n-1].At.Sub(p.Past[max(0, n-w)].At)
		out = append(out, p.row("depth", paint.Accent.Text(p.Spark(depths(p.Past), w)),
			paint.Dim.Text(fmt.Sprintf("  %s now, %s in the last %s", paint.Number(p.Past[n-1].Depth), trend(p.Past[max(0, n-w):]), say.Age(max(span0, time.Second))))))
	}
	var taken []model.Claim
	for i := range p.Model.Claims {
		if p.Model.Claims[i].Role() == model.Taken {
			taken = append(taken, p.Model.Claims[i])
		}
	}
	if len(taken) > 0 {
		out = append(out, p.row("in work", paint.Good.Text(names(p.Theme, taken, " "+p.Dot+" ", p.W-12))))
	}
	return out
}

// trend says in a word how a queue went.
func trend(past []Sample) string {
	switch d := past[len(past)-1].Depth - past[0].Depth; {
	case d > 0:
		return "up " + paint.Number(d)
	case d < 0:
		return "down " + paint.Number(-d)
	}
	return "level"
}
