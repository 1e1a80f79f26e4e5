package cli

import (
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/metrics"
)

// pages are the pages of several ensembles, which go into one file.
type pages struct {
	mu  sync.Mutex
	all []prometheus.Gatherer
}

func (p *pages) add(g prometheus.Gatherer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, g)
}

func (p *pages) write(file string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := metrics.WriteFile(file, p.all...); err != nil {
		return fail(exitError, "--prometheus: %w", err)
	}
	return nil
}

// page writes the page of a look; no file is no page.
func (c *command) page(file string, l metrics.Look) error {
	if file == "" {
		return nil
	}
	if c.pages != nil { // somebody asks for several
		c.pages.add(l.Page())
		return nil
	}
	one := new(pages)
	one.add(l.Page())
	return one.write(file)
}

// lookAt is what a page tells of a reading, without the findings that do not count.
func (r *reading) lookAt(ensemble string, ignore []string) metrics.Look {
	l := metrics.Look{Ensemble: say.Printable(ensemble), At: r.Now(), Feed: metrics.Feed{Result: r.Result, Requests: r.Cost.Requests, Hidden: r.hidden, Asked: len(r.Servers)}}
	for _, f := range findingsOf(r.Result) {
		if !slices.Contains(ignore, f.f.Code) {
			l.Findings = append(l.Findings, f.f)
		}
	}
	for i := range r.Servers {
		if r.Servers[i].Up {
			l.Servers++
		}
	}
	return l
}
