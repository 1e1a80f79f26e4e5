package metrics

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
)

// Options of an Exporter.
type Options struct {
	Recipes int              // how many recipes are told of one by one; default 1000
	Owners  bool             // name who holds, as a label
	Now     func() time.Time // Optional; default time.Now
}

// Feed is what an Exporter is told with every picture.
type Feed struct {
	Result   *model.Result
	Findings []model.Finding // all of them, those of servers included
	Events   []story.Event   // what happened since the last one
	Requests uint64          // that we have sent so far
	Hidden   int             // recipes that are left out of Result
	Servers  int             // that answered
	Asked    int             // of how many
}

// Exporter is a prometheus.Collector of the recipes of one ensemble.
type Exporter struct {
	opts         Options
	holds, waits *prometheus.HistogramVec
	happened     *prometheus.CounterVec

	mu   sync.Mutex
	last Feed
}

// seconds are the bounds of histograms: from what a quick client takes to what an operator is called for.
var seconds = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3600}

// New makes an Exporter that has seen nothing yet.
func New(o Options) *Exporter {
	if o.Recipes <= 0 {
		o.Recipes = 1000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	histogram := func(name, help string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "zkscope", Name: name, Help: help, Buckets: seconds}, []string{"kind"})
	}
	return &Exporter{opts: o,
		holds: histogram("hold_seconds", "How long claims were held that were seen from grant to release."),
		waits: histogram("wait_seconds", "How long claims waited that were seen from their making to their grant."),
		happened: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "zkscope", Name: "events_total",
			Help: "What was seen to happen in recipes, by kind of recipe and of event."}, []string{"kind", "event"}),
	}
}

// Feed takes a picture and what happened since the one before.
func (e *Exporter) Feed(f Feed) {
	for i := range f.Events {
		ev := &f.Events[i]
		kind := string(ev.Kind)
		e.happened.WithLabelValues(kind, ev.What).Add(float64(max(1, ev.Count)))
		if !ev.From.IsZero() {
			continue // nobody saw when it happened
		}
		if ev.Held > 0 {
			e.holds.WithLabelValues(kind).Observe(ev.Held.Seconds())
		}
		if ev.Waited > 0 {
			e.waits.WithLabelValues(kind).Observe(ev.Waited.Seconds())
		}
	}
	f.Events = nil
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = f
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("zkscope_"+name, help, labels, nil)
}

var (
	descUp       = desc("up", "1 while the picture is whole and follows the ensemble, else 0.")
	descAge      = desc("picture_age_seconds", "How old the picture is: 0 while it follows.")
	descServers  = desc("servers", "Servers of the ensemble, by whether they answered the last round.", "answered")
	descRequests = desc("requests_total", "Requests that zkscope itself has sent to the ensemble.")
	descRecipes  = desc("recipes", "Recipes, by kind and state.", "kind", "state")
	descClaims   = desc("claims", "Claims of all recipes, by kind and role.", "kind", "role")
	descFindings = desc("findings", "What is wrong now, by code and severity.", "code", "severity")
	descLeft     = desc("recipes_left_out", "Recipes that are not told of one by one, to bound this page.")
	descHidden   = desc("recipes_hidden", "Recipes that the configuration hides: nothing else tells of them.")
	descWaiting  = desc("recipe_waiting", "Claims that wait in one recipe.", "path", "kind")
	descHeldFor  = desc("recipe_held_seconds", "For how long the first holder of one recipe has held; an upper bound where its grant was not seen.", "path", "kind")
	descOldest   = desc("recipe_oldest_wait_seconds", "For how long the first waiter of one recipe has waited.", "path", "kind")
	descDepth    = desc("recipe_items", "Items in one queue.", "path", "kind")
	descHolder   = desc("recipe_holder", "1 for whoever holds or leads one recipe.", "path", "kind", "owner")
)

// Describe tells which metrics there are.
func (e *Exporter) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descUp, descAge, descServers, descRequests, descRecipes, descClaims, descFindings,
		descLeft, descHidden, descWaiting, descHeldFor, descOldest, descDepth, descHolder} {
		ch <- d
	}
	e.holds.Describe(ch)
	e.waits.Describe(ch)
	e.happened.Describe(ch)
}

// Collect makes a page.
func (e *Exporter) Collect(ch chan<- prometheus.Metric) {
	e.mu.Lock()
	f := e.last
	e.mu.Unlock()
	e.holds.Collect(ch)
	e.waits.Collect(ch)
	e.happened.Collect(ch)
	p := page{ch: ch, now: e.opts.Now(), owners: e.opts.Owners}
	p.up(f)
	if f.Result == nil {
		return // what nobody has looked at yet is not none
	}
	p.health(f)
	if lost := f.Result.Snapshot.LostSince; !lost.IsZero() && lost.Before(p.now) {
		p.now = lost // what happened since was not seen: nothing goes on ageing
	}
	p.picture(f, e.opts.Recipes)
}

// page is one page while it is written.
type page struct {
	ch     chan<- prometheus.Metric
	now    time.Time
	owners bool
}

func (p *page) gauge(d *prometheus.Desc, v float64, labels ...string) {
	p.ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

// up tells whether the rest can be believed.
func (p *page) up(f Feed) {
	up := 0.0
	if r := f.Result; r != nil && r.Snapshot.LostSince.IsZero() && r.Snapshot.Complete {
		up = 1
	}
	p.gauge(descUp, up)
}

// health tells how old what is told is, and what it costs.
func (p *page) health(f Feed) {
	age := 0.0
	if lost := f.Result.Snapshot.LostSince; !lost.IsZero() {
		age = max(0, p.now.Sub(lost).Seconds())
	}
	p.gauge(descAge, age)
	p.servers(f)
	p.ch <- prometheus.MustNewConstMetric(descRequests, prometheus.CounterValue, float64(f.Requests))
}

// servers tells how many answered.
func (p *page) servers(f Feed) {
	p.gauge(descServers, float64(f.Servers), "yes")
	p.gauge(descServers, float64(max(0, f.Asked-f.Servers)), "no")
}

// picture tells of recipes: of all in sum, of the busiest one by one.
func (p *page) picture(f Feed, most int) {
	p.totals(f)
	shown, left := busiest(f.Result, most)
	p.gauge(descLeft, float64(left))
	p.gauge(descHidden, float64(f.Hidden))
	for _, m := range shown {
		p.recipe(m)
	}
}

// totals are the metrics whose number does not depend on the ensemble.
func (p *page) totals(f Feed) {
	type pair struct{ a, b string }
	recipes, claims, findings := map[pair]int{}, map[pair]int{}, map[pair]int{}
	for m := range f.Result.Models.All() {
		recipes[pair{string(m.Kind), string(m.State)}]++
		for i := range m.Claims {
			claims[pair{string(m.Kind), string(m.Claims[i].Role())}]++
		}
	}
	for _, fd := range f.Findings {
		findings[pair{fd.Code, fd.Severity.String()}]++
	}
	for d, counts := range map[*prometheus.Desc]map[pair]int{descRecipes: recipes, descClaims: claims, descFindings: findings} {
		for k, n := range counts {
			p.gauge(d, float64(n), k.a, k.b)
		}
	}
}

// recipe tells of one.
func (p *page) recipe(m *model.Model) {
	path, kind := say.Printable(m.Path), string(m.Kind)
	var first, waits *model.Claim
	waiting, items := 0, 0
	for i := range m.Claims {
		c := &m.Claims[i]
		switch r := c.Role(); {
		case model.Holding(r):
			if first == nil {
				first = c
			}
			if p.owners {
				p.gauge(descHolder, 1, path, kind, say.Printable(c.Owner()))
			}
		case r == model.Waiter || r == model.Candidate:
			if waiting++; waits == nil {
				waits = c
			}
		case r == model.Item || r == model.Ready || r == model.Taken:
			items++
		}
	}
	switch {
	case m.Kind.Items():
		p.gauge(descDepth, float64(items), path, kind)
	case m.Kind.InLine():
		p.gauge(descWaiting, float64(waiting), path, kind)
	}
	p.since(descHeldFor, first, path, kind)
	p.since(descOldest, waits, path, kind)
}

// since tells for how long a claim has its role.
func (p *page) since(d *prometheus.Desc, c *model.Claim, labels ...string) {
	if c != nil && !c.Since().IsZero() {
		p.gauge(d, max(0, p.now.Sub(c.Since()).Seconds()), labels...)
	}
}

// busiest are the recipes that somebody takes part in, those with the most claims first where there are too many.
func busiest(r *model.Result, most int) (shown []*model.Model, left int) {
	for m := range r.Models.All() {
		if !m.Kind.Opaque() && len(m.Claims) > 0 || len(m.Findings) > 0 {
			shown = append(shown, m)
		}
	}
	if len(shown) <= most {
		return shown, 0
	}
	slices.SortStableFunc(shown, func(a, b *model.Model) int {
		return cmp.Or(cmp.Compare(len(b.Findings), len(a.Findings)), cmp.Compare(len(b.Claims), len(a.Claims)))
	})
	left = len(shown) - most
	shown = shown[:most]
	slices.SortFunc(shown, func(a, b *model.Model) int { return cmp.Compare(a.Path, b.Path) })
	return shown, left
}
