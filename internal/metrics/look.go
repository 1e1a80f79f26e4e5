package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Look is one look at an ensemble.
type Look struct {
	Ensemble string    // a label of every metric: pages of several ensembles may lie side by side
	At       time.Time // when it was taken
	Feed               // without a Result: the ensemble could not be read, and the page says no more than that
}

var (
	descLookAt   = desc("check_time_seconds", "When this page was made, in Unix time.")
	descLookCost = desc("check_requests", "Requests that this look has sent to the ensemble.")
)

// Page is what a page tells of one look. It can be gathered once or more often, with the same outcome.
func (l Look) Page() prometheus.Gatherer {
	reg := prometheus.NewRegistry()
	prometheus.WrapRegistererWith(prometheus.Labels{"ensemble": l.Ensemble}, reg).MustRegister(look{l, New(Options{Now: func() time.Time { return l.At }})})
	return reg
}

// look collects a page of one look: what counts or lasts is left to those who follow.
type look struct {
	Look
	exporter *Exporter
}

// Describe tells which metrics there are.
func (l look) Describe(ch chan<- *prometheus.Desc) {
	l.exporter.Describe(ch)
	ch <- descLookAt
	ch <- descLookCost
}

// Collect makes the page.
func (l look) Collect(ch chan<- prometheus.Metric) {
	p := page{ch: ch, now: l.At}
	p.up(l.Feed)
	p.gauge(descLookAt, float64(l.At.UnixMilli())/1000)
	if l.Result == nil {
		return
	}
	p.gauge(descLookCost, float64(l.Requests))
	p.servers(l.Feed)
	p.picture(l.Feed, l.exporter.opts.Recipes)
}

// WriteFile writes pages into a file in one step, so that who reads it meanwhile never sees half of one. Everybody may read it.
func WriteFile(file string, pages ...prometheus.Gatherer) error {
	return prometheus.WriteToTextfile(file, prometheus.Gatherers(pages))
}
