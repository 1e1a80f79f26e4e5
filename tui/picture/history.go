package picture

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/panel"
)

// history remembers how queues went, for the console has to tell a queue that fills from one that empties.
type history struct {
	queues map[string][]panel.Sample
	models model.Models
	all    []*model.Model // the queues among models
}

// How much is remembered: a sample every five seconds for ten minutes, of so many queues.
const (
	sampleGap  = 5 * time.Second
	samplesMax = 120
	queuesMax  = 1000
)

// note takes a sample of every queue that is due for one.
func (h *history) note(models model.Models, now time.Time) {
	if h.queues == nil {
		h.queues = map[string][]panel.Sample{}
	}
	if !models.Same(h.models) {
		h.models, h.all = models, h.all[:0]
		for m := range models.All() {
			if m.Kind.Items() {
				h.all = append(h.all, m)
			}
		}
	}
	for _, m := range h.all {
		past, known := h.queues[m.Path]
		if !known && len(h.queues) >= queuesMax {
			continue
		}
		s := panel.Sample{At: now, Depth: len(m.Claims), Taken: int(m.Numbers.Of("taken"))}
		if n := len(past); n > 0 && now.Sub(past[n-1].At) < sampleGap {
			past[n-1].Depth, past[n-1].Taken = s.Depth, s.Taken
			continue
		}
		if len(past) == samplesMax {
			past = append(past[:0], past[1:]...)
		}
		h.queues[m.Path] = append(past, s)
	}
}

// Of returns the samples of a queue, oldest first.
func (h *history) Of(path string) []panel.Sample { return h.queues[path] }
