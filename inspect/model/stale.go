package model

import (
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Leaning is where a piece of evidence points.
type Leaning string

const (
	PointsStale   Leaning = "stale"   // its owner is probably not there
	PointsAlive   Leaning = "alive"   // its owner is there
	PointsNeither Leaning = "neither" // worth knowing
	PointsUnknown Leaning = "unknown" // what would be evidence could not be had
)

// Sign is one piece of evidence on a claim. It never is a verdict.
type Sign struct {
	Code   string        // a stable word: connection, expiry, restarted, silent, age, persistent, others, clock
	Leans  Leaning       // where it points
	Text   string        // one line; for a sign that counts down, without the time that is left
	Until  time.Time     // what it counts down to, by the reader's clock; zero: nothing
	Within time.Duration // how far Until may be off
}

// Line is the sign as of a moment, with the time that is left where it counts down. No time is ever negative.
func (s Sign) Line(now time.Time) string {
	if s.Until.IsZero() {
		return s.Text
	}
	left := s.Until.Sub(now)
	off := ""
	if s.Within > 0 {
		off = ", give or take " + say.Age(s.Within+time.Second-1)
	}
	if left <= 0 {
		return s.Text + " any moment now (due " + s.Until.UTC().Format("15:04:05") + " UTC" + off + ")"
	}
	return s.Text + " in " + say.Age(left+time.Second/2) + " (" + s.Until.UTC().Format("15:04:05") + " UTC" + off + ")"
}

// Signs lists the evidence on whether a claim's owner is still there. It is pure; times are those of the result, for
// Line to count from.
func Signs(r *Result, m *Model, c *Claim) (out []Sign) {
	if c.Unread() {
		return []Sign{{Code: "connection", Leans: PointsUnknown,
			Text: "its znode was not read: which session owns it is not known"}}
	}
	if c.Session == 0 {
		return append([]Sign{{Code: "persistent", Leans: PointsStale,
			Text: "no session owns its znode: it never goes by itself; some systems make such claims on purpose"}},
			age(r, c)...)
	}
	s, known := r.Snapshot.Sessions[c.Session]
	away := known && s.Connected != nil && !*s.Connected
	absent := !known && r.Snapshot.Sessions != nil && r.Snapshot.ToldSessions()
	out = append(out, connection(r.Snapshot, c, s, known))
	switch {
	case away:
		out = append(out, countdown(s)...)
	case r.Snapshot.Silent(s, r.Snapshot.LastHeard):
		out = append(out, hushed(r.Snapshot, s)...)
	}
	if away || absent {
		out = append(out, r.back(c, s)...)
	}
	out = append(out, age(r, c)...)
	return append(out, r.others(c)...)
}

// connection says whether a server has a connection of the claim's session.
func connection(snap *znode.Snapshot, c *Claim, s znode.Session, known bool) Sign {
	asked, answered := len(snap.Servers), 0
	for i := range snap.Servers {
		if snap.Servers[i].Answered && snap.Servers[i].Tier != "none" {
			answered++
		}
	}
	of := strconv.Itoa(answered) + "/" + strconv.Itoa(asked) + " servers answered"
	switch {
	case snap.Sessions == nil || asked == 0:
		return Sign{Code: "connection", Leans: PointsUnknown, Text: "whether session " + c.Session.String() +
			" is connected is not known: no server reports its connections"}
	case known && s.Connected != nil && *s.Connected:
		text := "session " + s.ID.String() + " is connected"
		if s.Server != "" {
			text += " to " + s.Server
		}
		text += " from " + s.From()
		if !s.Since.IsZero() {
			text += " for " + say.Age(snap.TakenAt.Sub(s.Since))
		}
		return Sign{Code: "connection", Leans: PointsAlive, Text: text +
			"; a connection does not prove that the client works"}
	case known && s.Connected != nil:
		return Sign{Code: "connection", Leans: PointsStale, Text: "session " + s.ID.String() +
			" is in no server's connections (" + of + ")"}
	case !known && snap.ToldSessions():
		return Sign{Code: "connection", Leans: PointsStale, Text: "no server knows session " + c.Session.String() +
			" (" + of + "): it has ended, yet its znode is still there"}
	}
	return Sign{Code: "connection", Leans: PointsUnknown, Text: "session " + c.Session.String() +
		" is not among the connections that are known (" + of + "): the others may have it"}
}

// countdown says until when a session without a connection lasts, and since when it was silent.
func countdown(s znode.Session) (out []Sign) {
	switch {
	case !s.ExpiresAt.IsZero():
		out = append(out, Sign{Code: "expiry", Leans: PointsNeither, Until: s.ExpiresAt, Within: s.Within,
			Text: "unless it comes back, its session expires"})
		if s.Timeout > 0 {
			out = append(out, Sign{Code: "silent", Leans: PointsStale, Text: "silent since about " +
				s.ExpiresAt.Add(-s.Timeout).UTC().Format("15:04:05") +
				" UTC: its timeout is " + say.Age(s.Timeout)})
		}
	case s.Timeout > 0:
		out = append(out, Sign{Code: "expiry", Leans: PointsUnknown, Text: "its session expires " + say.Age(s.Timeout) +
			" after it was last heard; the leader, which knows when that was, did not report it"})
	default:
		out = append(out, Sign{Code: "expiry", Leans: PointsUnknown,
			Text: "when its session expires is not known: the leader did not report it"})
	}
	return out
}

// back says whether the owner's address has a newer session: a process that was restarted.
func (r *Result) back(c *Claim, s znode.Session) (out []Sign) {
	where := Host(s.Addr)
	if where == "" {
		where = Host(c.Addr)
	}
	if where == "" && layout.IsAddress(c.Owner()) {
		where = c.Owner()
	}
	if where == "" {
		return nil
	}
	var newer []znode.SessionID
	for id, o := range r.Snapshot.Sessions {
		if id != c.Session && o.Connected != nil && *o.Connected && Host(o.Addr) == where &&
			newerSession(id, c.Session) {
			newer = append(newer, id)
		}
	}
	znode.SortIDs(newer)
	switch len(newer) {
	case 0:
		return nil
	case 1:
		return []Sign{{Code: "restarted", Leans: PointsStale, Text: where + " is back with a newer session, " +
			newer[0].String() + ": probably the same process, restarted"}}
	}
	return []Sign{{Code: "restarted", Leans: PointsNeither, Text: where + " has " +
		say.Plural(len(newer), "newer session", "newer sessions") + ": other clients run there"}}
}

// newerSession reports whether an id was handed out after another; ids of different servers cannot be compared.
func newerSession(a, b znode.SessionID) bool {
	return uint64(a)>>56 != uint64(b)>>56 || uint64(a) > uint64(b)
}

// age says how old a claim's znode is, and how much older than its turn.
func age(r *Result, c *Claim) (out []Sign) {
	if c.Created().IsZero() {
		return nil
	}
	now := r.Snapshot.TakenAt
	text := "its znode is " + say.Age(now.Sub(c.Created())) + " old"
	if c.Created().After(now.Add(time.Second)) {
		return []Sign{{Code: "clock", Leans: PointsUnknown, Text: "its znode was made " +
			say.Age(c.Created().Sub(now)) + " from now by the servers' clock: the clocks differ, its age is not known"}}
	}
	if c.RoleChangeSeen && c.Since().Sub(c.Created()) >= time.Second {
		text += ", " + say.Age(c.Since().Sub(c.Created())) + " older than its turn"
	}
	return []Sign{{Code: "age", Leans: PointsNeither, Text: text}}
}

// others says what else the session owns.
func (r *Result) others(c *Claim) []Sign {
	var paths []string
	times := map[string]int{}
	for m := range r.Models.All() {
		for i := range m.Claims {
			if o := &m.Claims[i]; o.Session == c.Session && o.Path() != c.Path() {
				role := string(o.Role()) + " of " + m.Path
				if times[role]++; times[role] == 1 {
					paths = append(paths, role)
				}
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	for i, role := range paths {
		if n := times[role]; n > 1 {
			paths[i] += " with " + strconv.Itoa(n) + " claims"
		}
	}
	return []Sign{{Code: "others", Leans: PointsNeither, Text: "the session also is " + say.List(paths)}}
}

// DisagreeFinding tells of an ephemeral znode that some servers have and others do not, or have as another session's.
func DisagreeFinding(path string, owner znode.SessionID, on, off []string) Finding {
	return Finding{Code: CodeServersDisagree, Severity: High, Paths: []string{path}, Sessions: []znode.SessionID{owner},
		Text: "the servers disagree on " + say.Printable(path) + ": it is session " + owner.String() + "'s on " +
			say.List(on) + " and not on " + say.List(off) +
			", in several rounds of questions; clients of either see another holder"}
}

// SkewFinding tells of a server whose clock is not ours.
func SkewFinding(addr string, ahead, within time.Duration) Finding {
	way := say.Either(ahead < 0, "behind", "ahead of")
	return Finding{Code: CodeClockSkew, Severity: Low, Text: "the clock of " + addr + " is " + say.Age(ahead.Abs()) +
		" " + way +
		" ours (give or take " + say.Age(within+time.Second-1) + "): ages that come from znodes are off by as much"}
}

// Presence is what is known of the session behind a claim.
type Presence uint8

const (
	Unasked   Presence = iota // nothing
	Connected                 // it has a connection
	Away                      // a server knows it, and it has no connection
	Absent                    // every server answered, and none has it
)

// Presence is what the servers told of a claim's session: connected, away, or unasked.
func (r *Result) Presence(c *Claim) Presence {
	s, known := r.Snapshot.Sessions[c.Session]
	switch {
	case !known || s.Connected == nil:
		return Unasked
	case *s.Connected:
		return Connected
	}
	return Away
}

// Host returns an address without its port.
func Host(addr string) string {
	if i := strings.LastIndexByte(addr, ':'); i > 0 {
		return strings.Trim(addr[:i], "[]")
	}
	return addr
}

// hushed are the signs of a connected session that is silent.
func hushed(s *znode.Snapshot, x znode.Session) []Sign {
	return []Sign{
		{Code: "silent", Leans: PointsStale, Text: "no server heard session " + x.ID.String() + " since about " +
			say.Clock(x.ExpiresAt.Add(-x.Timeout)) +
			" UTC: clients ping at a third of their timeout, which is " + say.Age(x.Timeout)},
		{Code: "expiry", Leans: PointsNeither, Until: x.ExpiresAt, Within: x.Within,
			Text: "unless it is heard, its session expires"},
	}
}
