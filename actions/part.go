package actions

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/recipes"
)

// part is one way to take part in a kind of recipe.
type part struct {
	part  Part
	about string
	lacks func(Join) string // what is missing from the request; nil: nothing can be
	enter func(*entry) (held, error)
}

// grant is something that is held: a claim, an item, a barrier that was closed.
type grant interface {
	Path() string
	Token() int64
	Lost() <-chan struct{}
	Revoked() <-chan struct{}
	Release(context.Context) error
}

// held is what entering came to. Without a grant it has come to its end already.
type held struct {
	grant  grant
	text   string
	data   []byte
	result string // a verdict
	stays  string

	// finish ends the work with success or without; nil: it is given up like anything else.
	finish func(ctx context.Context, ok bool) (outcome, error)
}

// outcome is what finishing came to.
type outcome struct{ text, verdict string }

// parts lists the ways to take part; the first of each kind is its default.
var parts = map[layout.Kind][]part{
	layout.Lock:       {{about: "hold it alone", enter: enterLock}},
	layout.SharedLock: {{PartWrite, "hold it alone", nil, enterShared}, {PartRead, "hold it with other readers", nil, enterShared}},
	layout.Semaphore:  {{about: "hold one lease", lacks: negative, enter: enterSemaphore}},
	layout.Election:   {{about: "stand for election, and lead", enter: enterElection}},
	layout.Barrier: {{PartWait, "wait until it is open", nil, enterBarrier},
		{PartSet, "close it, and open it when leaving", nil, setBarrier}},
	layout.DoubleBarrier: {{about: "enter with the others, leave with the others", lacks: countless, enter: enterDouble}},
	layout.Queue: {{PartConsumer, "take an item and work on it", nil, consume},
		{PartProducer, "put an item", dataless, produce}},
	layout.PriorityQueue: {{PartConsumer, "take the most urgent item", nil, consume},
		{PartProducer, "put an item", dataless, produce}},
	layout.DelayQueue: {{PartConsumer, "take an item that is due", nil, consume},
		{PartProducer, "put an item", dataless, produce}},
	layout.TwoPhase: {{PartSite, "vote, and learn the verdict", nameless, enterSite},
		{PartCoordinator, "begin it, and decide", siteless, coordinate}},
	layout.Membership: {{about: "be a member", enter: enterGroup}},
	layout.Service:    {{about: "be an instance", lacks: addressless, enter: enterService}},
	layout.Config: {{PartWait, "wait for the next value", nil, awaitValue},
		{PartSet, "set the value", dataless, setConfig}},
	layout.Rendezvous: {{PartWait, "wait until it is filled", nil, awaitRendezvous},
		{PartFill, "fill it", dataless, fillRendezvous}, {PartSet, "arrange it, and hold it", nil, arrange}},
	layout.Counter: {{PartWrite, "add to it", numberless, addCounter}, {PartRead, "read it", nil, readCounter}},
}

// Choice is a part that can be chosen, and what it means in a few words.
type Choice struct {
	Part  Part
	About string
}

// Parts lists how one can take part in a kind of recipe, the default first; none for a kind that cannot be joined.
func Parts(k layout.Kind) []Choice {
	var out []Choice
	for _, p := range parts[k] {
		out = append(out, Choice{p.part, p.about})
	}
	return out
}

// part finds the chosen part, or says why there is none.
func (r Join) part() (p part, why string) {
	all := parts[r.Kind]
	if len(all) == 0 {
		return p, fmt.Sprintf("a %s cannot be joined", say.Printable(string(r.Kind)))
	}
	if r.Part == "" {
		return all[0], ""
	}
	var words []string
	for _, p := range all {
		if p.part == r.Part {
			return p, ""
		}
		if p.part != "" {
			words = append(words, string(p.part))
		}
	}
	if len(words) == 0 {
		return p, r.Kind.OneOf() + " has no parts to choose from"
	}
	return p, fmt.Sprintf("one takes part in %s as %s", r.Kind.OneOf(), strings.Join(words, " or "))
}

func dataless(r Join) string {
	if r.Data == nil {
		return "the data is missing"
	}
	return ""
}

func negative(r Join) string {
	if r.Limit < 0 {
		return "the limit is a number above zero"
	}
	return ""
}

func countless(r Join) string {
	if r.Count < 1 {
		return "how many members it needs is stored nowhere: the count is missing"
	}
	return ""
}

func nameless(r Join) string {
	switch {
	case r.Name == "" || strings.Contains(r.Name, "/"):
		return "the name of the site is missing"
	case r.Data != nil && string(r.Data) != "commit" && string(r.Data) != "abort":
		return "a vote is commit or abort"
	}
	return ""
}

func siteless(r Join) string {
	if len(r.Sites) == 0 && r.Count < 1 {
		return "the sites are missing, or how many there are"
	}
	return ""
}

func numberless(r Join) string {
	if _, err := strconv.ParseInt(string(r.Data), 10, 64); r.Data != nil && err != nil {
		return "what is added is a whole number"
	}
	return ""
}

func addressless(r Join) string {
	if r.Data == nil {
		return ""
	}
	if _, _, err := net.SplitHostPort(string(r.Data)); err != nil {
		return "an instance's data is its host:port"
	}
	return ""
}

// entry is what a part works with.
type entry struct {
	*Place
	s     *recipes.Session
	want  Join // completed by what was found at the path
	kind  layout.Kind
	words func(*model.Model) string // how the wait is told where nobody stands in line; nil: by the recipe's summary
}

// options are those of the claim.
func (e *entry) options() recipes.Options {
	o := recipes.Options{Dialect: e.State().Dialect, Name: e.want.Name, Data: e.want.Data, Revocable: e.want.Revocable}
	o.Standing = func(path string) {
		e.update(func(st *JoinState) { st.Node = path })
		e.look()
	}
	o.Waiting = func(w recipes.Wait) {
		_, behind := znode.Split(w.Behind)
		e.update(func(st *JoinState) {
			st.Position, st.Of, st.Behind = w.Position, w.Of, behind
		})
		e.look()
	}
	return o
}

// look makes the one who follows the line look at once.
func (e *entry) look() {
	select {
	case e.poke <- struct{}{}:
	default:
	}
}

// settle finds out what stands at the path and in which dialect it is to be joined.
func (e *entry) settle() error {
	e.kind = e.want.Kind
	e.update(func(st *JoinState) {
		if st.Dialect == "" {
			st.Dialect = defaults[e.kind]
		}
	})
	ctx, cancel := context.WithTimeout(e.ctx, 15*time.Second)
	defer cancel()
	m, err := e.s.Look(ctx, e.want.Path, "")
	if err != nil || m == nil {
		return err
	}
	if e.want.Dialect == "" {
		if m.Kind != e.want.Kind && m.Confidence >= 0.5 && len(m.Claims) > 0 && !related(m, e.want.Kind) {
			return refused("%s (%s) stands at %s, no %s: name the dialect to join all the same", m.Kind.OneOf(), m.Dialect, say.Printable(m.Path), e.want.Kind.Words())
		}
		if m.Dialect != layout.Generic {
			e.update(func(st *JoinState) { st.Dialect = m.Library() })
		}
	}
	if len(m.Claims) > 0 && m.Claims[0].Path() == m.Path {
		e.want.Single = true
	}
	if limit, ok := m.Numbers.Get("limit"); ok && e.want.Limit == 0 && m.Dialect == layout.Kazoo {
		e.want.Limit = int(limit)
	}
	return nil
}

// defaults are the dialects of kinds that are spelled in several, where nothing stands yet.
var defaults = map[layout.Kind]layout.Dialect{
	layout.Lock: layout.ZooKeeper, layout.SharedLock: layout.ZooKeeper, layout.Election: layout.ZooKeeper,
	layout.Semaphore: layout.Curator, layout.DoubleBarrier: layout.ZooKeeper, layout.Membership: layout.ZooKeeper,
	layout.Queue: layout.ZooKeeper, layout.PriorityQueue: layout.ZooKeeper, layout.DelayQueue: layout.Curator,
}

// related reports whether claims of a kind spell like those of what stands there: kazoo's locks, write locks and
// candidates are the same, and so are its queues; members of groups and of double barriers are ids alone.
func related(m *model.Model, k layout.Kind) bool {
	line := map[layout.Kind]bool{layout.Lock: true, layout.SharedLock: true, layout.Election: true}
	queue := map[layout.Kind]bool{layout.Queue: true, layout.PriorityQueue: true}
	single := map[layout.Kind]bool{layout.Config: true, layout.Counter: true, layout.Barrier: true, layout.Rendezvous: true}
	group := map[layout.Kind]bool{layout.Membership: true, layout.DoubleBarrier: true} // ids alone, until somebody is ready
	return group[m.Kind] && group[k] || m.Dialect == layout.Kazoo && (line[m.Kind] && line[k] || queue[m.Kind] && queue[k]) || single[m.Kind] && single[k] ||
		len(m.Claims) == 1 && m.Claims[0].Path() == m.Path && line[m.Kind] && line[k]
}
