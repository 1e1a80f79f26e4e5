package panel

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Queue shows queues: how deep, which way they go, and what is in work.
func Queue() Recipe {
	return Recipe{Kind: layout.Queue, Plural: "queues", Short: "queue", Count: totalDepth, Panel: Panel{
		Words: queueWords, Titles: Titles{"", "ITEM", "AGE"}, Brief: queueBrief, Draw: drawQueue,
	}}
}

var queueWords = map[model.Role]string{model.Item: "item", model.Ready: "due", model.Taken: "WORK"}

func totalDepth(models []*model.Model) string {
	depth, taken := 0, 0
	for _, m := range models {
		depth += len(m.Claims)
		taken += int(m.Numbers.Of("taken"))
	}
	text := "items " + paint.Number(depth)
	if taken > 0 {
		text += "  in progress " + paint.Number(taken)
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

// drawQueue draws how old the items are and how the depth went.
func drawQueue(p chart.Pen) [][]paint.Line { return [][]paint.Line{depths(p), ages(p)} }

// depths draws how deep the queue was, and which way it goes.
func depths(p chart.Pen) []paint.Line {
	past := p.Past.Samples
	out := p.Series("depth", sampled)
	if n := len(past); n > 1 && p.Now.Sub(past[0].At) >= sampled {
		text := fmt.Sprintf("%s now, %s in the last %s", paint.Number(past[n-1].Depth), trend(past), say.Age(p.Now.Sub(past[0].At)))
		out = append(out, p.Row(paint.OnFirst(len(out), "depth"), paint.Plain.Text(text)))
		if in, gone, known := p.Past.Rates(p.Now); known {
			out = append(out, p.Row("rate", paint.Plain.Text("in "+chart.PerTime(in)+"  out "+chart.PerTime(gone))))
		}
	}
	return out
}

// sampled is how often a queue is looked at.
const sampled = 5 * time.Second

// longQueue is from how many items on their ages are drawn as bars.
const longQueue = 9

// ages draws how many items are how old.
func ages(p chart.Pen) (out []paint.Line) {
	n := len(p.Model.Claims)
	if n < longQueue {
		return nil
	}
	counts, most := p.Ages.Count(p.Model, p.Now)
	from := "0"
	for i, bound := range chart.AgeBounds {
		to := say.Age(bound)
		label := say.Either(bound == 1<<62, "over "+from, from+"-"+to)
		if counts[i] > 0 {
			out = append(out, p.Row(label, paint.Accent.Text(p.Bar(counts[i], most, max(4, min(40, p.W-24)))), paint.Plain.Text(" "+paint.Number(counts[i]))))
		}
		from = to
	}
	return out
}

// trend says in a word how a queue went.
func trend(past []chart.Sample) string {
	switch d := past[len(past)-1].Depth - past[0].Depth; {
	case d > 0:
		return "up " + paint.Number(d)
	case d < 0:
		return "down " + paint.Number(-d)
	}
	return "level"
}
