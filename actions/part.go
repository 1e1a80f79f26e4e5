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
	uses  Inputs
}

// Inputs says which of what a [Join] can be told a way of taking part has a use for.
type Inputs struct {
	Name  bool   // who we are
	Count string // what is counted, in words; empty: nothing
	Data  string // what the data is, in words; empty: there is none
}

// InputsOf returns what a part of a kind has a use for; of a part that the kind does not have, what its default has.
func InputsOf(k layout.Kind, part Part) Inputs {
	all := kinds[k].parts
	for _, p := range all {
		if p.part == part {
			return p.uses
		}
	}
	if len(all) == 0 {
		return Inputs{}
	}
	return all[0].uses
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

// Choice is a part that can be chosen, and what it means in a few words.
type Choice struct {
	Part  Part
	About string
}

// Parts lists how one can take part in a kind of recipe, the default first; none for a kind that cannot be joined.
func Parts(k layout.Kind) []Choice {
	var out []Choice
	for _, p := range kinds[k].parts {
		out = append(out, Choice{p.part, p.about})
	}
	return out
}

// part finds the chosen part, or says why there is none.
func (r Join) part() (p part, why string) {
	all := kinds[r.Kind].parts
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

// dialect is the one to write in; where it cannot be written the call says so.
func (e *entry) dialect() recipes.Dialect { return recipes.Dialect(e.State().Dialect) }

// options are those of the claim.
func (e *entry) options() recipes.Options {
	o := recipes.Options{Dialect: e.dialect(), Name: e.want.Name, Data: e.want.Data, Revocable: e.want.Revocable}
	o.Progress.Standing = func(path string) {
		e.update(func(st *JoinState) { st.Node = path })
		e.look()
	}
	o.Progress.Waiting = func(w recipes.Wait) {
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
			st.Dialect = kinds[e.kind].dialect
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

// related reports whether claims of a kind spell like those of what stands there: kazoo's locks, write locks and
// candidates are the same, and so are its queues; members of groups and of double barriers are ids alone.
func related(m *model.Model, k layout.Kind) bool {
	both := func(is func(layout.Kind) bool) bool { return is(m.Kind) && is(k) }
	line, single := both(layout.Kind.InLine), len(m.Claims) == 1 && m.Claims[0].Path() == m.Path
	queue := both(func(k layout.Kind) bool { return k.Items() && !k.FallDue() })
	ids := both(func(k layout.Kind) bool { return kinds[k].ids }) // until somebody is ready
	return ids || m.Dialect == layout.Kazoo && (line || queue) || both(layout.Kind.Opaque) || single && line
}
