package cli

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
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
