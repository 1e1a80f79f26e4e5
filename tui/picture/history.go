package picture

import (
	"cmp"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/tui/chart"
)

// history remembers what was seen of each recipe: who had it when, how many waited, how deep it was. A recipe that nothing
// happens to costs nothing.
type history struct {
	began  time.Time // from when on changes are seen; zero: not yet
	of     map[string]*memory
	gaps   []chart.Span
	before *model.Result
	models model.Models
	all    []*model.Model // the queues among models
}

// memory is what is remembered of a recipe.
type memory struct {
	chart.Past
	touched time.Time
	last    model.ClaimID // who had it last
	letters byte          // how many were given out
}

// How much is remembered: of so many recipes, those that changed last, so much of each. A queue has a sample every five
// seconds for ten minutes.
const (
	recipesMax = 1000
	turnsMax   = 200
	spansMax   = 200
	samplesMax = 120
	sampleGap  = 5 * time.Second
	lineGap    = time.Second
	gapsMax    = 50
	leftMax    = 16
)

// note takes what happened and how it is now.
func (h *history) note(res *model.Result, events []story.Event, now time.Time) {
	if h.of == nil {
		h.of = map[string]*memory{}
	}
	if h.began.IsZero() && !res.Snapshot.Loading() {
		h.began = now
	}
	for from := 0; from < len(events); {
		to := from + 1
		for to < len(events) && events[to].Path == events[from].Path {
			to++
		}
		h.happened(res, events[from:to])
		from = to
	}
	h.queues(res.Models, now)
	h.before = res
}

// Began is from when on changes are seen; zero: not yet.
func (h *history) Began() time.Time { return h.began }

// forget begins anew: what comes next does not follow from what was seen.
func (h *history) forget() { *h = history{} }

// happened takes what happened to one recipe in one picture.
func (h *history) happened(res *model.Result, events []story.Event) {
	e := &events[0]
	if e.What == story.EventGap {
		h.gaps = append(h.gaps, chart.Span{From: e.From, To: e.At})
		h.gaps = h.gaps[max(0, len(h.gaps)-gapsMax):]
		return
	}
	is, was := res.ByPath(e.Path), h.before.ByPath(e.Path)
	if h.began.IsZero() || is == nil && was == nil {
		return
	}
	if is != nil && was != nil {
		if _, joint := was.Kind.Joint(is.Kind); !joint {
			delete(h.of, e.Path) // it is read as something else now
		}
	}
	p := h.touch(e.Path, e.At)
	in, out, waited := 0, 0, time.Duration(0)
	for i := range events {
		e := &events[i]
		switch e.What {
		case story.EventAdded, story.EventJoined:
			in++
		case story.EventDone:
			out++
		case story.EventLeft, story.EventLost:
			p.Left = kept(append(p.Left, chart.Absent{Name: e.Owner, At: e.At}), leftMax)
		}
		if e.Unseen() {
			continue
		}
		if e.Held > 0 {
			p.Held = kept(append(p.Held, chart.Lasted{At: model.MomentOf(e.At), For: e.Held}), spansMax)
		}
		if e.Waited > 0 && e.What != story.EventLeft {
			waited = e.Waited
			p.Waited = kept(append(p.Waited, chart.Lasted{At: model.MomentOf(e.At), For: e.Waited}), spansMax)
		}
	}
	p.turn(was, is, h.began, events, waited)
	if now := cmp.Or(is, was); !now.Kind.Items() {
		if len(p.Samples) == 0 {
			p.sample(was, h.began, 0)
		}
		p.sample(is, e.At, lineGap)
	}
	if n := len(p.Samples); n > 0 {
		p.Samples[n-1].In += in
		p.Samples[n-1].Out += out
	}
}

// touch is the memory of a recipe that something happens to; of too many, that which nothing happened to for longest goes.
func (h *history) touch(path string, at time.Time) *memory {
	p := h.of[path]
	if p == nil {
		if len(h.of) >= recipesMax {
			oldest := ""
			for path, o := range h.of {
				if oldest == "" || o.touched.Before(h.of[oldest].touched) {
					oldest = path
				}
			}
			delete(h.of, oldest)
		}
		p = &memory{Past: chart.Past{From: h.began}}
		h.of[path] = p
	}
	p.touched = at
	return p
}

// turn notes who has a recipe now, where that is one at a time.
func (p *memory) turn(was, is *model.Model, began time.Time, events []story.Event, waited time.Duration) {
	m, e := cmp.Or(is, was), &events[0]
	if !m.Kind.Waits() && !m.Kind.Leads() && !m.Kind.Ends() || m.Kind.Pool() {
		return
	}
	if len(p.Turns) == 0 {
		name, id := chart.Having(was)
		p.begin(chart.Turn{From: began, Name: name, Unseen: true}, id)
	}
	name, id := chart.Having(is)
	last := &p.Turns[len(p.Turns)-1]
	if name == last.Name && (id == p.last || name == "") {
		return
	}
	last.Ended = endedBy(events, last.Name)
	p.begin(chart.Turn{From: e.At, Name: name, Waited: waited, Unseen: e.Unseen()}, id)
}

// endings are how a turn can end, by how an event's text goes on behind the name; what else ends one leaves open how.
var endings = []struct{ text, word string }{{"released", "released"}, {"lost by expiry", "session expired"}, {"lost, likely by expiry", "likely expired"}, {"lost with its session", "session ended"},
	{"closed its session", "session closed"}, {"let go as asked", "let go as asked"}, {"let go", "let go"}}

// endedBy is how the turn of an owner ended, where one of some events tells; empty: it is not known.
func endedBy(events []story.Event, name string) string {
	for i := range events {
		rest, of := strings.CutPrefix(events[i].Text, say.Printable(name)+" ")
		for _, x := range endings {
			if of && strings.HasPrefix(rest, x.text) && !events[i].Unseen() {
				return x.word
			}
		}
	}
	return ""
}

func (p *memory) begin(t chart.Turn, id model.ClaimID) {
	switch t.Name {
	case "":
	case chart.NotRead:
		t.Letter = '?'
	default:
		t.Letter = p.letter(t.Name)
	}
	p.Cut = p.Cut || len(p.Turns) == turnsMax
	p.Turns, p.last = kept(append(p.Turns, t), turnsMax), id
}

// letter is that of a name: its own for as long as it is remembered, else the next that is free, or * where none is.
func (p *memory) letter(name string) byte {
	var used [26]bool
	for i := len(p.Turns) - 1; i >= 0; i-- {
		t := &p.Turns[i]
		if t.Name == name {
			return t.Letter
		}
		if t.Letter >= 'a' && t.Letter <= 'z' {
			used[t.Letter-'a'] = true
		}
	}
	for range used {
		l := p.letters
		if p.letters = (p.letters + 1) % 26; !used[l] {
			return 'a' + l
		}
	}
	return '*'
}

// sample notes how many there are; of a recipe that is not there, none.
func (p *memory) sample(m *model.Model, at time.Time, gap time.Duration) {
	s := chart.Sample{At: at}
	if m != nil {
		s.Depth, s.Taken = chart.Depth(m), int(m.Numbers.Of("taken"))
	}
	s.Most = s.Depth
	if n := len(p.Samples); n > 0 && at.Sub(p.Samples[n-1].At) < gap {
		last := &p.Samples[n-1]
		last.Depth, last.Taken, last.Most = s.Depth, s.Taken, max(last.Most, s.Depth)
		return
	}
	p.Samples = kept(append(p.Samples, s), samplesMax)
}

// kept are the last so many of a list.
func kept[T any](list []T, most int) []T {
	if over := len(list) - most; over > 0 {
		return append(list[:0], list[over:]...)
	}
	return list
}

// queues takes a sample of every queue that is due for one.
func (h *history) queues(models model.Models, now time.Time) {
	if !models.Same(h.models) {
		h.models, h.all = models, h.all[:0]
		for m := range models.All() {
			if m.Kind.Items() {
				h.all = append(h.all, m)
			}
		}
	}
	for _, m := range h.all {
		p := h.of[m.Path]
		if p == nil {
			if len(h.of) >= recipesMax {
				continue
			}
			p = h.touch(m.Path, now)
		}
		p.sample(m, now, sampleGap)
	}
}

// Of is what was seen of a recipe. It is not to be changed, and is as of now only until the next picture.
func (h *history) Of(path string) *chart.Past {
	p := h.of[path]
	if p == nil {
		return &chart.Past{From: h.began, Gaps: h.gaps}
	}
	p.Past.Gaps = h.gaps
	return &p.Past
}
