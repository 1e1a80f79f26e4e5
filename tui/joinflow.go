package tui

import (
	"context"
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// Joiner takes part in recipes for the operator. Join must not block; Vote may.
type Joiner interface {
	Join(r actions.Join) (Place, error)
	Vote(ctx context.Context, b actions.Ballot) (already bool, err error)
}

// Place is a place that was taken in a recipe. Only Leave may block.
type Place interface {
	Want() actions.Join
	State() actions.JoinState
	Changed() <-chan struct{} // one slot; has a value when State may be another
	Done() <-chan struct{}    // closed when nothing changes any more
	Finish(ok bool)
	Answer(consent bool)
	Leave(ctx context.Context) actions.JoinState
}

// placeMsg says that a place may stand otherwise.
type placeMsg struct{ place Place }

// votedMsg says how a vote ended.
type votedMsg struct {
	ballot actions.Ballot
	text   string
	err    error
}

// mayJoin says why nothing can be joined now; empty when something can.
func (a *App) mayJoin() string {
	switch {
	case a.opts.Joiner == nil:
		return "nothing can be joined here"
	case a.opts.Operator.Forbidden() != "":
		return a.opts.Operator.Forbidden()
	case !a.armed:
		return "the console is disarmed; press " + a.keys.Arm.Help().Key + " to arm it first"
	}
	return ""
}

// The fields of the form for joining.
const (
	joinKind = iota
	joinPart
	joinPath
	joinName
	joinData
	joinCount
	joinWhy
	joinFields
)

// joinForm asks how to take part, beginning with the selected recipe.
func (a *App) joinForm() {
	if why := a.mayJoin(); why != "" {
		a.say("cannot join: "+why, Warn)
		return
	}
	m, _ := a.subject()
	f := &form{title: "take a place in a recipe", do: "join", fields: make([]field, joinFields), change: adaptJoin, ready: true}
	f.fields[joinKind] = field{label: "recipe", value: string(inspect.Lock), options: joinable()}
	f.fields[joinPart] = field{label: "as"}
	f.fields[joinPath] = field{label: "path"}
	f.fields[joinName] = field{label: "name", value: a.opts.Me}
	f.fields[joinData] = field{label: "data"}
	f.fields[joinCount] = field{label: "count"}
	f.fields[joinWhy] = a.whyField()
	if m != nil {
		f.fields[joinPath].value = m.Path
		if slices.Contains(f.fields[joinKind].options, string(m.Kind)) {
			f.fields[joinKind].value = string(m.Kind)
		}
		if n, ok := m.Numbers.Get("needed"); ok {
			f.fields[joinCount].value = strconv.FormatInt(n, 10)
		}
	}
	f.check = func(a *App, v []string) string {
		if lacks := joinOf(v).Lacking(); lacks != "" {
			return lacks
		}
		return a.lacksWhy(v[joinWhy])
	}
	f.then = func(a *App, v []string) tea.Cmd { return a.join(joinOf(v)) }
	a.fill(f)
}

// joinable lists the kinds that can be joined.
func joinable() (out []string) {
	for _, k := range kinds() {
		if len(actions.Parts(k)) > 0 {
			out = append(out, string(k))
		}
	}
	return out
}

// adaptJoin gives the form the parts of its kind.
func adaptJoin(f *form) {
	kind := inspect.Kind(f.fields[joinKind].value)
	parts := actions.Parts(kind)
	d := &f.fields[joinPart]
	d.options, d.note = nil, ""
	for _, p := range parts {
		d.options = append(d.options, string(p.Part))
		if string(p.Part) == d.value {
			d.note = p.About
		}
	}
	if !slices.Contains(d.options, d.value) && len(parts) > 0 {
		d.value, d.note = d.options[0], parts[0].About
	}
	needs := needsOf(kind, actions.Part(d.value))
	d.hidden = len(parts) < 2
	f.fields[joinName].hidden, f.fields[joinCount].hidden = !needs.name, !needs.count
	f.fields[joinData].hidden, f.fields[joinData].note = needs.data == "", needs.data
	f.fields[joinCount].note = map[inspect.Kind]string{inspect.DoubleBarrier: "how many it takes", inspect.Semaphore: "how many may hold it, where that is not stored",
		inspect.TwoPhase: "how many sites"}[kind]
}

// needs says which fields a way of taking part has a use for; data is the note beside that field, empty where there is none.
type needs struct {
	name, count bool
	data        string
}

func needsOf(k inspect.Kind, part actions.Part) needs {
	line := needs{name: true}
	switch k {
	case inspect.Lock, inspect.SharedLock, inspect.Election:
		return line
	case inspect.Semaphore, inspect.DoubleBarrier:
		return needs{name: true, count: true}
	case inspect.Membership:
		return needs{name: true, data: "what your znode holds; may be empty"}
	case inspect.Service:
		return needs{name: true, data: "where it listens, as host:port"}
	case inspect.TwoPhase:
		if part == actions.PartSite {
			return needs{name: true, data: "commit or abort; empty: you vote later"}
		}
		return needs{count: true, data: "what it is about; may be empty"}
	}
	switch part {
	case actions.PartProducer:
		return needs{data: "the item"}
	case actions.PartFill:
		return needs{data: "what it is filled with"}
	case actions.PartSet:
		if k == inspect.Config {
			return needs{data: "the value"}
		}
	case actions.PartWrite:
		return needs{data: "how much is added, as 1 or -1"}
	}
	return needs{}
}

func joinOf(v []string) actions.Join {
	r := actions.Join{Kind: inspect.Kind(v[joinKind]), Part: actions.Part(v[joinPart]), Path: v[joinPath], Name: v[joinName], Reason: v[joinWhy], Revocable: true}
	use := needsOf(r.Kind, r.Part)
	if v[joinData] != "" && use.data != "" {
		r.Data = []byte(v[joinData])
	}
	n := 0
	if use.count {
		n, _ = strconv.Atoi(v[joinCount])
	}
	if r.Count = n; r.Kind == inspect.Semaphore {
		r.Count, r.Limit = 0, n
	}
	return r
}

// join takes the place and shows it.
func (a *App) join(r actions.Join) tea.Cmd {
	if why := a.mayJoin(); why != "" {
		a.say("cannot join: "+why, Warn)
		return nil
	}
	p, err := a.opts.Joiner.Join(r)
	if err != nil {
		a.say(term.Safe(err.Error()), Alert)
		return nil
	}
	a.places = append(a.places, p)
	a.show("place", strconv.Itoa(len(a.places)-1))
	return a.awaitPlace(p)
}

// awaitPlace waits until a place may stand otherwise.
func (a *App) awaitPlace(p Place) tea.Cmd {
	ctx := a.ctx
	return func() tea.Msg {
		select {
		case <-p.Changed():
		case <-p.Done():
		case <-ctx.Done():
			return nil
		}
		return placeMsg{p}
	}
}

func (a *App) onPlace(m placeMsg) tea.Cmd {
	st := m.place.State()
	var cmds []tea.Cmd
	if st.Session != 0 && !slices.Contains(a.opts.Hints.Own, st.Session) {
		a.opts.Hints.Own = append(slices.Clone(a.opts.Hints.Own), st.Session)
		a.hints++
		cmds = append(cmds, a.redecode())
	}
	if p := a.page(); p != nil {
		p.refill(a)
	}
	a.askedToLetGo()
	if st.Phase.Over() {
		a.say(term.Safe(endOf(m.place)), map[bool]Style{true: Good, false: Warn}[st.Phase == actions.JoinDone || st.Phase == actions.JoinLeft])
	} else {
		cmds = append(cmds, a.awaitPlace(m.place))
	}
	return tea.Batch(cmds...)
}

// endOf says how a place ended, and what stays behind.
func endOf(p Place) string {
	st := p.State()
	text := p.Want().Path + ": " + st.Text
	if st.Stays != "" {
		text += "; " + st.Stays
	}
	return text
}

// askedToLetGo puts the question of whoever asks us to let go, once nothing else is asked.
func (a *App) askedToLetGo() {
	if a.mode != browsing {
		return
	}
	for _, p := range a.places {
		if p.State().Phase != actions.JoinAsked || a.answered[p] {
			continue
		}
		if a.answered == nil {
			a.answered = map[Place]bool{}
		}
		a.answered[p] = true
		d := &dialog{title: "somebody asks you to let go of " + term.Safe(p.Want().Path), do: "let go"}
		d.add("", "Cancel keeps it; the request stays there to be seen", Plain)
		d.then = func(*App) tea.Cmd { p.Answer(true); return nil }
		d.cancel = func(*App) { p.Answer(false) }
		a.ask(d)
		return
	}
}

// askLeave asks before a place is given up.
func (a *App) askLeave(p Place) {
	d := &dialog{title: "leave " + term.Safe(p.Want().Path), do: "leave"}
	d.add("then", "your znode is deleted, and whoever is next is woken", Plain)
	d.then = func(*App) tea.Cmd { return leave(p) }
	a.ask(d)
}

// finish ends the work of the shown place, with success or without. Who still waits has nothing to give back, and leaves.
func (a *App) finish(p Place, ok bool) tea.Cmd {
	if ph := p.State().Phase; !ok && (ph == actions.JoinWaiting || ph == actions.JoinConnecting) {
		a.say("leaving", Plain)
		return leave(p)
	}
	p.Finish(ok)
	a.say(map[bool]string{true: "finishing", false: "giving it back"}[ok], Plain)
	return nil
}

// leave gives a place up and waits until that is done.
func leave(p Place) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
		defer cancel()
		p.Leave(ctx)
		return placeMsg{p}
	}
}

// What a site can vote.
const (
	voteCommit = "commit"
	voteAbort  = "abort"
)

// voteForm asks how a site of the selected transaction votes.
func (a *App) voteForm() {
	m, c := a.subject()
	switch why := a.mayJoin(); {
	case m == nil || m.Kind != inspect.TwoPhase:
		a.say("select a transaction to vote in", Warn)
		return
	case why != "":
		a.say("cannot vote: "+why, Warn)
		return
	}
	var sites []string
	czxids := map[string]inspect.Zxid{}
	for i := range m.Claims {
		if c := &m.Claims[i]; !voted(c) {
			sites = append(sites, c.Node())
			czxids[c.Node()] = c.Czxid()
		}
	}
	if len(sites) == 0 {
		a.say("every site has voted", Warn)
		return
	}
	first := sites[0]
	if c != nil && slices.Contains(sites, c.Node()) {
		first = c.Node()
	}
	a.fill(&form{title: "vote in " + term.Safe(m.Path), do: "vote", ready: true,
		fields: []field{{label: "site", value: first, options: sites}, {label: "vote", value: voteCommit, options: []string{voteCommit, voteAbort}}, a.whyField()},
		check: func(a *App, v []string) string {
			if wrong := a.votedMeanwhile(m.Path, v[0], czxids[v[0]]); wrong != "" {
				return wrong
			}
			return a.lacksWhy(v[2])
		},
		then: func(a *App, v []string) tea.Cmd {
			return a.vote(actions.Ballot{Path: m.Path, Site: v[0], Commit: v[1] == voteCommit, Czxid: czxids[v[0]], Reason: v[2]})
		}})
}

func voted(c *inspect.Claim) bool { return c.Vote() != nil && *c.Vote() != "" }

// votedMeanwhile says why a site cannot be voted for any more; empty when it can.
func (a *App) votedMeanwhile(tx, site string, czxid inspect.Zxid) string {
	m := a.res.ByPath(tx)
	if m == nil || m.Kind != inspect.TwoPhase {
		return "the transaction is gone: esc closes this"
	}
	for i := range m.Claims {
		switch c := &m.Claims[i]; {
		case c.Node() != site:
		case c.Czxid() != czxid:
			return "this is another transaction now, made anew since: esc closes this"
		case voted(c):
			return term.Safe(site) + " has voted " + term.Safe(*c.Vote()) + " meanwhile: esc closes this"
		default:
			return ""
		}
	}
	return term.Safe(site) + " is gone: esc closes this"
}

func (a *App) vote(b actions.Ballot) tea.Cmd {
	j, ctx := a.opts.Joiner, a.ctx
	word := map[bool]string{true: voteCommit, false: voteAbort}[b.Commit]
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		already, err := j.Vote(ctx, b)
		text := "voted " + word + " for " + b.Site + " in " + b.Path
		if already {
			text = b.Site + " had already voted " + word + " in " + b.Path + ": nothing was changed"
		}
		return votedMsg{b, text, err}
	}
}

func (a *App) onVoted(m votedMsg) {
	if m.err != nil {
		a.say(term.Safe(m.err.Error()), Alert)
		return
	}
	a.say(term.Safe(m.text), Good)
	a.record([]inspect.Event{{At: a.now, Path: m.ballot.Path, Kind: inspect.TwoPhase, What: "action", Owner: m.ballot.Site, Text: "you: " + m.text}})
}
