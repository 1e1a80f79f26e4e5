package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

const notKnown = "not known"

// stakes is what a session has in the recipes, counted.
type stakes struct {
	id                  znode.SessionID
	name                string
	holds, waits, total int
	unread              int            // of its ephemeral znodes, as servers tell
	known               *znode.Session // what the servers say of it; nil: nothing
}

// sessionsView lists the sessions that have claims, and those that servers know.
func sessionsView() *View {
	return &View{Name: "sessions", Key: "4", fades: true, What: "who they are, what they hold and wait for, whether they are connected",
		Title: func(sh *Shown, p *Page) string { return "sessions: " + paint.Number(p.Count()) }, Fill: fillSessions,
		orders: []string{"trouble", "session", "name", "client", "holds", "waits", "claims"},
		cols:   func(_ *Page, w int) []paint.Column { return sessionColumns(w) },
		empty:  func(*Shown, *Page) string { return "no session owns anything that is read here" }}
}

func fillSessions(sh *Shown, p *Page) []Item {
	all := sh.allStakes()
	sort.Slice(all, func(i, j int) bool {
		if x, y := all[i].trouble(sh), all[j].trouble(sh); x != y {
			return x > y
		}
		if all[i].holds != all[j].holds {
			return all[i].holds > all[j].holds
		}
		return all[i].id < all[j].id
	})
	out := make([]Item, 0, len(all))
	for _, s := range inOrder(p, all, func(s *stakes) string { return s.id.String() }, (*stakes).rank) {
		out = append(out, s.item(sh))
	}
	return out
}

// rank is what a session is sorted by.
func (s *stakes) rank(by string) rank {
	switch by {
	case "session":
		return rank{text: s.id.String()}
	case "name":
		return rank{text: s.called()}
	case "client":
		return rank{text: s.client()}
	case "holds":
		return rank{by: -int64(s.holds)}
	case "waits":
		return rank{by: -int64(s.waits)}
	}
	return rank{by: -int64(s.total + s.unread)}
}

// client is the address of a session's client; empty: it is not known.
func (s *stakes) client() string {
	if s.known == nil {
		return ""
	}
	return s.known.Addr
}

// host is what the client's host is called by a list of one's own; empty: nothing.
func (s *stakes) host() string {
	if s.known == nil {
		return ""
	}
	return s.known.Known
}

// called is what a session is called.
func (s *stakes) called() string {
	if s.name == "" || s.name == s.client() {
		return cmp.Or(s.host(), s.client())
	}
	return s.name
}

// allStakes counts the claims of every session.
func (sh *Shown) allStakes() []*stakes {
	by := map[znode.SessionID]*stakes{}
	names := waits.Labels(sh.Result)
	get := func(id znode.SessionID) *stakes {
		if by[id] == nil {
			by[id] = sh.stakesOf(id, names[id])
		}
		return by[id]
	}
	for id := range sh.Result.Snapshot.Sessions {
		get(id)
	}
	for id := range sh.Result.Snapshot.Ephemerals {
		if id != 0 {
			get(id)
		}
	}
	for m := range sh.Result.Models.All() {
		for i := range m.Claims {
			if c := &m.Claims[i]; c.Session != 0 {
				get(c.Session).add(c)
			}
		}
	}
	for id, paths := range sh.Result.Snapshot.Untold(slices.Collect(maps.Keys(by))) {
		unread, _ := sh.Result.Snapshot.Passed(paths)
		by[id].unread = len(unread)
	}
	return slices.Collect(maps.Values(by))
}

// stakesOf is a session without any claims yet.
func (sh *Shown) stakesOf(id znode.SessionID, name string) *stakes {
	s := &stakes{id: id, name: name}
	if k, ok := sh.Result.Snapshot.Sessions[id]; ok {
		s.known = &k
	}
	return s
}

func (s *stakes) add(c *model.Claim) {
	switch s.total++; {
	case chart.HoldsRole(c.Role()):
		s.holds++
	case c.Role() == model.Waiter || c.Role() == model.Candidate:
		s.waits++
	}
}

// trouble is greater for what should be seen first: a session that holds and has no connection.
func (s *stakes) trouble(sh *Shown) int {
	switch {
	case s.known == nil && knownAbsent(sh.Result.Snapshot) && s.holds > 0:
		return 2
	case s.known != nil && s.known.Connected != nil && !*s.known.Connected && s.holds > 0:
		return 2
	}
	return 0
}

// connected reports whether a server said that the session is connected to it.
func (s *stakes) connected() bool {
	return s.known != nil && s.known.Connected != nil && *s.known.Connected
}

// where says whether a session is connected, and when it would expire.
func (s *stakes) where(sh *Shown) (string, paint.Style) {
	switch k := s.known; {
	case k == nil && knownAbsent(sh.Result.Snapshot):
		return "no server has it", paint.Alert
	case k == nil:
		return notKnown, paint.Dim
	case s.connected():
		return "connected to " + term.Safe(k.Server), paint.Good
	case k.Connected != nil && !k.ExpiresAt.IsZero() && k.ExpiresAt.Before(sh.AsOf()):
		return "NOT CONNECTED, due to expire", paint.Alert
	case k.Connected != nil && !k.ExpiresAt.IsZero():
		return "NOT CONNECTED, expires in " + say.Age(k.ExpiresAt.Sub(sh.AsOf())), paint.Alert
	case k.Connected != nil:
		return "NOT CONNECTED", paint.Alert
	}
	return notKnown, paint.Dim
}

func (s *stakes) item(sh *Shown) Item {
	where, style := s.where(sh)
	name, addr := s.called(), s.client()
	return Item{ID: s.id.String(), text: s.id.String() + " " + name + " " + addr + " " + s.host(), To: target{Session: s.id},
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			g, name := t.Grid(w, sessionColumns(w)...), name
			if name == "" && !g.Shows(0) { // its id has no column
				name = s.id.String()
			}
			return g.Row(paint.Dim.Text(s.id.String()), paint.Bold.Text(term.Safe(name)), paint.Plain.Text(term.Safe(addr)), paint.Plain.Text(paint.Number(s.holds)),
				paint.Plain.Text(paint.Number(s.waits)), paint.Plain.Text(s.inAll()), style.Text(strings.TrimPrefix(where, "connected to ")))
		}}
}

// sessionColumns are those of sessions. A whole name tells more than how many claims there are.
func sessionColumns(w int) []paint.Column {
	name := w - 66
	if w >= 110 {
		name = w - 96
	}
	return []paint.Column{{Title: "SESSION", W: 18, Rank: 1}, {Title: "NAME", W: max(14, min(44, name)), Name: true}, {Title: "CLIENT", W: 21, Rank: 3}, {Title: "HOLDS", W: 6, Right: true},
		{Title: "WAITS", W: 6, Right: true}, {Title: "CLAIMS", W: 7, Right: true, Rank: 2}, {Title: "CONNECTED", Min: 29}}
}

// inAll counts what a session has: its claims, and behind a plus what servers say is its own and was not read.
func (s *stakes) inAll() string {
	if s.unread > 0 {
		return fmt.Sprintf("%d+%d", s.total, s.unread)
	}
	return paint.Number(s.total)
}

// sessionView is everything of one session on one page.
func sessionView() *View {
	return &View{Name: "session", fades: true, What: "everything of one session",
		Title: func(_ *Shown, p *Page) string { return "session " + term.Safe(p.Arg) }, Fill: fillSession}
}

func fillSession(sh *Shown, p *Page) []Item {
	id, _ := znode.ParseSessionID(p.Arg)
	who := waits.Who(sh.Result, id)
	s := sh.stakesOf(id, who.Name)
	for _, c := range who.Claims {
		s.add(c.Claim)
	}
	out := sh.sessionHead(s)
	if len(who.Claims) > 0 {
		out = append(out, Item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			return stakeCells(t, w, paint.Dim.Cell("AS", 10), paint.Dim.Cell("PATH", max(20, w/3)), "KIND", paint.Dim.Cell("FOR", 7), "WHY")
		}})
	}
	for _, c := range who.Claims {
		out = append(out, sh.stakeItem(c.Model, c.Claim))
	}
	if len(who.Claims) == 0 {
		out = append(out, tell(paint.Dim, "it has no claim in any recipe that is read here"))
	}
	if len(who.Other) > 0 {
		out = append(out, pathItems("its other ephemeral znodes", "", who.Other)...)
	}
	unread, passed := sh.Result.Snapshot.Passed(sh.Result.Snapshot.Untold([]znode.SessionID{id})[id])
	if len(unread) > 0 {
		out = append(out, pathItems("ephemeral znodes that the servers list for it, but that were not read", "not read ", unread)...)
	}
	if len(passed) > 0 {
		out = append(out, pathItems("ephemeral znodes of it that have come or gone since the servers' last answer", "passed ", passed)...)
	}
	if who.Watches == nil {
		return append(out, tell(paint.Plain, ""), tell(paint.Dim, "what it watches is not known: no server was asked"))
	}
	heading := paint.Counted(len(who.Watches), "watch", "watches")
	if asked, told := answered(sh.Result.Snapshot); told < asked && !s.connected() { // those of a session are with its own server
		heading += fmt.Sprintf(" seen: %d of %d servers gave no answer and may have more", asked-told, asked)
	}
	return append(out, pathItems(heading, "watch ", who.Watches)...)
}

// mostPaths is how many paths are listed under a heading.
const mostPaths = 500

// pathItems lists znodes under a heading; prefix tells their identities from those of other lists.
func pathItems(heading, prefix string, paths []string) []Item {
	out := []Item{tell(paint.Plain, ""), tell(paint.Bold, heading)}
	for i, p := range paths {
		if i == mostPaths {
			return append(out, tell(paint.Dim, paint.Number(len(paths)-i)+" more"))
		}
		out = append(out, Item{ID: prefix + p, text: p, To: target{View: "tree", Arg: p, Znode: p},
			draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
				return t.Cells(w, paint.Plain.Cell(term.Safe(p), 0))
			}})
	}
	return out
}

func (sh *Shown) sessionHead(s *stakes) []Item {
	where, style := s.where(sh)
	out := []Item{tell(style, where)}
	if k := s.known; k != nil {
		out = append(out, tell(paint.Plain, fmt.Sprintf("client    %s", cmp.Or(term.Safe(k.From()), notKnown))),
			tell(paint.Plain, fmt.Sprintf("timeout   %s", say.Either(k.Timeout == 0, notKnown, k.Timeout.String()))))
	}
	if s.name != "" {
		out = append(out, tell(paint.Plain, "name      "+term.Safe(s.name)))
	}
	return append(out, tell(paint.Plain, ""), tell(paint.Bold, fmt.Sprintf("holds %d, waits %d, %s in all", s.holds, s.waits, paint.Counted(s.total, "claim", "claims"))))
}

func (sh *Shown) stakeItem(m *model.Model, c *model.Claim) Item {
	return Item{ID: c.Path(), text: m.Path + " " + string(c.Role()) + " " + string(m.Kind) + " " + sh.Kind(m.Kind).Short, To: target{Recipe: m.Path, Claim: c.ID(), Session: c.Session},
		draw: func(t *paint.Theme, now time.Time, w int) paint.Line {
			style := paint.Plain
			if chart.HoldsRole(c.Role()) {
				style = paint.Good
			}
			return stakeCells(t, w, style.Cell(string(c.Role()), 10), paint.Plain.Cell(term.Safe(m.Path), max(20, w/3)).AsPath(),
				sh.Kind(m.Kind).Short, paint.Plain.Cell(chart.Lasts(t, c, now), 7), chart.WhyText(t, c))
		}}
}

// stakeCells are the columns of a claim of a session.
func stakeCells(t *paint.Theme, w int, as, path paint.Cell, kind string, lasts paint.Cell, why string) paint.Line {
	return t.Cells(w, as, path, paint.Dim.Cell(kind, 10), lasts.ToRight(), paint.Dim.Cell(why, 0))
}

// answered counts the servers that were asked, and those that answered.
func answered(s *znode.Snapshot) (asked, told int) {
	for i := range s.Servers {
		if s.Servers[i].Answered {
			told++
		}
	}
	return len(s.Servers), told
}

// knownAbsent reports whether a session that no server named is known to be gone.
func knownAbsent(s *znode.Snapshot) bool {
	return s.Sessions != nil && len(s.Servers) > 0 && s.ToldSessions()
}
