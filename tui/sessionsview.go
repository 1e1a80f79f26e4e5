package tui

import (
	"fmt"
	"sort"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// stakes is what a session has in the recipes.
type stakes struct {
	id      inspect.SessionID
	name    string // the most telling one that any of its claims carries
	claims  []stake
	holds   int
	waits   int
	known   *inspect.Session // what the servers say of it; nil: nothing
	telling uint8
}

type stake struct {
	model *inspect.Model
	claim *inspect.Claim
}

// sessionsView lists the sessions that have claims, and those that servers know.
func sessionsView() *view {
	return &view{name: "sessions", key: "4", what: "sessions: who they are, what they hold and wait for, whether they are connected",
		title: func(a *App, p *page) string { return counted(len(p.items), "session", "sessions") }, fill: fillSessions,
		empty: func(*App, *page) string { return "no session owns anything that is read here" }}
}

func fillSessions(a *App, _ *page) []item {
	all := a.allStakes()
	sort.Slice(all, func(i, j int) bool {
		if x, y := all[i].trouble(a), all[j].trouble(a); x != y {
			return x > y
		}
		if all[i].holds != all[j].holds {
			return all[i].holds > all[j].holds
		}
		return all[i].id < all[j].id
	})
	out := make([]item, 0, len(all))
	for _, s := range all {
		out = append(out, s.item(a))
	}
	return out
}

// allStakes gathers the claims of every session.
func (a *App) allStakes() []*stakes {
	by := map[inspect.SessionID]*stakes{}
	get := func(id inspect.SessionID) *stakes {
		if by[id] == nil {
			by[id] = &stakes{id: id}
			if k, ok := a.res.Snapshot.Sessions[id]; ok {
				by[id].known = &k
			}
		}
		return by[id]
	}
	for id := range a.res.Snapshot.Sessions {
		get(id)
	}
	for m := range a.res.Models.All() {
		for i := range m.Claims {
			if c := &m.Claims[i]; c.Session != 0 {
				get(c.Session).add(m, c)
			}
		}
	}
	out := make([]*stakes, 0, len(by))
	for _, s := range by {
		out = append(out, s)
	}
	return out
}

func (s *stakes) add(m *inspect.Model, c *inspect.Claim) {
	s.claims = append(s.claims, stake{m, c})
	switch {
	case holdsRole(c.Role):
		s.holds++
	case c.Role == inspect.Waiter || c.Role == inspect.Candidate:
		s.waits++
	}
	if t := telling(c.OwnerSource); t > s.telling {
		s.telling, s.name = t, c.Owner
	}
}

// telling orders where a name comes from by how much it says.
func telling(source string) uint8 {
	switch source {
	case inspect.FromData:
		return 3
	case inspect.FromAddress:
		return 2
	}
	return 1
}

// trouble is greater for what should be seen first: a session that holds and has no connection.
func (s *stakes) trouble(a *App) int {
	switch {
	case s.known == nil && everyServerAnswered(a.res.Snapshot) && s.holds > 0:
		return 2
	case s.known != nil && s.known.Connected != nil && !*s.known.Connected && s.holds > 0:
		return 2
	}
	return 0
}

// where says whether a session is connected, and when it would expire.
func (s *stakes) where(a *App) (string, Style) {
	switch k := s.known; {
	case k == nil && everyServerAnswered(a.res.Snapshot):
		return "no server has it", Alert
	case k == nil:
		return "not known", Dim
	case k.Connected != nil && *k.Connected:
		return "connected to " + term.Safe(k.Server), Good
	case k.Connected != nil && !k.ExpiresAt.IsZero():
		return "NOT CONNECTED, expires in " + inspect.Age(k.ExpiresAt.Sub(a.asOf())), Alert
	case k.Connected != nil:
		return "NOT CONNECTED", Alert
	}
	return "not known", Dim
}

func (s *stakes) item(a *App) item {
	where, style := s.where(a)
	addr := ""
	if s.known != nil {
		addr = s.known.Addr
	}
	name := s.name
	if name == "" {
		name = addr
	}
	return item{id: s.id.String(), text: s.id.String() + " " + name + " " + addr, to: target{session: s.id},
		draw: func(t *Theme, _ time.Time, w int) line {
			return t.cells(w, cell{text: s.id.String(), w: 19, style: Dim}, cell{text: term.Safe(name), style: Bold}, cell{text: term.Safe(addr), w: 22},
				cell{text: fmt.Sprintf("holds %d", s.holds), w: 9}, cell{text: fmt.Sprintf("waits %d", s.waits), w: 9},
				cell{text: fmt.Sprintf("%d in all", len(s.claims)), w: 10, style: Dim}, cell{text: where, w: max(18, w/4), style: style})
		}}
}

// sessionView is everything of one session on one page.
func sessionView() *view {
	return &view{name: "session", what: "everything of one session",
		title: func(_ *App, p *page) string { return "session " + term.Safe(p.arg) }, fill: fillSession}
}

func fillSession(a *App, p *page) []item {
	id, _ := inspect.ParseSessionID(p.arg)
	s := &stakes{id: id}
	for _, x := range a.allStakes() {
		if x.id == id {
			s = x
		}
	}
	out := a.sessionHead(s)
	for _, c := range s.claims {
		out = append(out, stakeItem(c.model, c.claim))
	}
	if len(s.claims) == 0 {
		out = append(out, say(Dim, "it has no claim in any recipe that is read here"))
	}
	out = append(out, a.otherNodes(s)...)
	return append(out, a.watchesOf(id)...)
}

func (a *App) sessionHead(s *stakes) []item {
	where, style := s.where(a)
	out := []item{say(style, where)}
	if k := s.known; k != nil {
		out = append(out, say(Plain, fmt.Sprintf("client    %s", orUnknown(term.Safe(k.Addr)))),
			say(Plain, fmt.Sprintf("timeout   %s", orUnknown(timeoutText(k.Timeout)))))
	}
	if s.name != "" {
		out = append(out, say(Plain, "name      "+term.Safe(s.name)))
	}
	return append(out, say(Plain, ""), say(Bold, fmt.Sprintf("holds %d, waits %d, %s in all", s.holds, s.waits, counted(len(s.claims), "claim", "claims"))))
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

func timeoutText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func stakeItem(m *inspect.Model, c *inspect.Claim) item {
	return item{id: c.Path, text: m.Path + " " + string(c.Role) + " " + string(m.Kind), to: target{recipe: m.Path, claim: c.ID(), session: c.Session},
		draw: func(t *Theme, now time.Time, w int) line {
			age, style := "?", Plain
			if !c.Since.IsZero() {
				age = inspect.Age(now.Sub(c.Since))
			}
			if holdsRole(c.Role) {
				style = Good
			}
			return t.cells(w, cell{text: string(c.Role), w: 10, style: style}, cell{text: term.Safe(m.Path), path: true, w: max(20, w/3)},
				cell{text: string(m.Kind), w: 13, style: Dim}, cell{text: age, w: 7, right: true}, cell{text: t.whyText(c), style: Dim})
		}}
}

// otherNodes lists a session's ephemeral znodes that are no claims.
func (a *App) otherNodes(s *stakes) []item {
	claimed := map[string]bool{}
	for _, c := range s.claims {
		claimed[c.claim.Path] = true
	}
	var out []item
	const most = 500
	walk(a.res.Snapshot, func(path string, n *inspect.Node) {
		if n.Owner == s.id && s.id != 0 && !claimed[path] && len(out) < most {
			out = append(out, item{id: path, text: path, to: target{view: "tree", arg: path, znode: path},
				draw: func(t *Theme, _ time.Time, w int) line { return t.cells(w, cell{text: term.Safe(path)}) }})
		}
	})
	if len(out) > 0 {
		out = append([]item{say(Plain, ""), say(Bold, "its other ephemeral znodes")}, out...)
	}
	return out
}

// watchesOf lists what a session watches, where the servers told.
func (a *App) watchesOf(id inspect.SessionID) []item {
	if a.res.Snapshot.Watches == nil {
		return []item{say(Plain, ""), say(Dim, "what it watches is not known: no server was asked")}
	}
	var paths []string
	for path, who := range a.res.Snapshot.Watches {
		for _, s := range who {
			if s == id {
				paths = append(paths, path)
			}
		}
	}
	sort.Strings(paths)
	out := []item{say(Plain, ""), say(Bold, counted(len(paths), "watch", "watches"))}
	for _, p := range paths {
		out = append(out, item{id: "watch " + p, text: p, to: target{view: "tree", arg: p, znode: p},
			draw: func(t *Theme, _ time.Time, w int) line { return t.cells(w, cell{text: term.Safe(p)}) }})
	}
	return out
}
