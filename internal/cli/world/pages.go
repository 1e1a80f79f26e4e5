package world

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkscope/zkscope/internal/metrics"
)

// Pages are the pages of several ensembles, which go into one file.
type Pages struct {
	mu  sync.Mutex
	all []prometheus.Gatherer
}

// Add takes one more page.
func (p *Pages) Add(g prometheus.Gatherer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, g)
}

// Write writes all of them into a file. An error is a Failure.
func (p *Pages) Write(file string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := metrics.WriteFile(file, p.all...); err != nil {
		return Fail(ExitError, "--prometheus: %w", err)
	}
	return nil
}
