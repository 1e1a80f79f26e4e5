package inspect

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// sortIDs orders session ids as the unsigned numbers that they are printed as.
func sortIDs(ids []SessionID) {
	slices.SortFunc(ids, func(a, b SessionID) int { return cmp.Compare(uint64(a), uint64(b)) })
}

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
	Code   string // a stable word: connection, expiry, restarted, silent, age, persistent, others, clock
	Leans  Leaning
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
		off = ", give or take " + Age(s.Within+time.Second-1)
	}
	if left <= 0 {
		return s.Text + " any moment now (due " + s.Until.UTC().Format("15:04:05") + " UTC" + off + ")"
	}
	return s.Text + " in " + Age(left+time.Second/2) + " (" + s.Until.UTC().Format("15:04:05") + " UTC" + off + ")"
}

// Signs lists the evidence on whether a claim's owner is still there. It is pure; times are those of the result, for
// Line to count from.
func Signs(r *Result, m *Model, c *Claim) (out []Sign) {
	if c.Unread() {
		return []Sign{{Code: "connection", Leans: PointsUnknown, Text: "its znode was not read: which session owns it is not known"}}
	}
	if c.Session == 0 {
		return append([]Sign{{Code: "persistent", Leans: PointsStale,
			Text: "no session owns its znode: it never goes by itself; some systems make such claims on purpose"}}, age(r, c)...)
	}
	s, known := r.Snapshot.Sessions[c.Session]
	away := known && s.Connected != nil && !*s.Connected
	absent := !known && r.Snapshot.Sessions != nil && r.Snapshot.ToldSessions()
	out = append(out, connection(r.Snapshot, c, s, known))
	switch {
	case away:
		out = append(out, countdown(s)...)
	case r.Snapshot.silent(s, r.Snapshot.lastHeard):
		out = append(out, r.Snapshot.hushed(s)...)
	}
	if away || absent {
		out = append(out, r.back(c, s)...)
	}
	out = append(out, age(r, c)...)
	return append(out, r.others(c)...)
}

// connection says whether a server has a connection of the claim's session.
func connection(snap *Snapshot, c *Claim, s Session, known bool) Sign {
	asked, answered := len(snap.Servers), 0
	for i := range snap.Servers {
		if snap.Servers[i].Answered && snap.Servers[i].Tier != "none" {
			answered++
		}
	}
	of := strconv.Itoa(answered) + "/" + strconv.Itoa(asked) + " servers told"
	switch {
	case snap.Sessions == nil || asked == 0:
		return Sign{Code: "connection", Leans: PointsUnknown, Text: "whether session " + c.Session.String() + " is connected is not known: no server tells of its connections"}
	case known && s.Connected != nil && *s.Connected:
		text := "session " + s.ID.String() + " is connected"
		if s.Server != "" {
			text += " to " + s.Server
		}
		text += " from " + s.Addr
		if !s.Since.IsZero() {
			text += " for " + Age(snap.TakenAt.Sub(s.Since))
		}
		return Sign{Code: "connection", Leans: PointsAlive, Text: text + "; a connection does not prove that the client works"}
	case known && s.Connected != nil:
		return Sign{Code: "connection", Leans: PointsStale, Text: "session " + s.ID.String() + " is in no server's connections (" + of + ")"}
	case !known && snap.ToldSessions():
		return Sign{Code: "connection", Leans: PointsStale, Text: "no server knows session " + c.Session.String() + " (" + of + "): it has ended, yet its znode stands"}
	}
	return Sign{Code: "connection", Leans: PointsUnknown, Text: "session " + c.Session.String() + " is not among the connections that are known (" + of + "): the others may have it"}
}

// countdown says until when a session without a connection lasts, and since when it was silent.
func countdown(s Session) (out []Sign) {
	switch {
	case !s.ExpiresAt.IsZero():
		out = append(out, Sign{Code: "expiry", Leans: PointsNeither, Until: s.ExpiresAt, Within: s.Within, Text: "unless it comes back, its session expires"})
		if s.Timeout > 0 {
			out = append(out, Sign{Code: "silent", Leans: PointsStale, Text: "silent since about " + s.ExpiresAt.Add(-s.Timeout).UTC().Format("15:04:05") +
				" UTC: its timeout is " + Age(s.Timeout)})
		}
	case s.Timeout > 0:
		out = append(out, Sign{Code: "expiry", Leans: PointsUnknown, Text: "its session expires " + Age(s.Timeout) +
			" after it was last heard; the leader, which knows when that was, did not tell"})
	default:
		out = append(out, Sign{Code: "expiry", Leans: PointsUnknown, Text: "when its session expires is not known: the leader did not tell"})
	}
	return out
}

// back says whether the owner's address has a newer session: a process that was restarted.
func (r *Result) back(c *Claim, s Session) (out []Sign) {
	where := host(s.Addr)
	if where == "" {
		where = host(c.Addr)
	}
	if where == "" && bareAddress(c.Owner()) {
		where = c.Owner()
	}
	if where == "" {
		return nil
	}
	var newer []SessionID
	for id, o := range r.Snapshot.Sessions {
		if id != c.Session && o.Connected != nil && *o.Connected && host(o.Addr) == where && newerSession(id, c.Session) {
			newer = append(newer, id)
		}
	}
	sortIDs(newer)
	switch len(newer) {
	case 0:
		return nil
	case 1:
		return []Sign{{Code: "restarted", Leans: PointsStale, Text: where + " is back with a newer session, " + newer[0].String() + ": probably the same process, restarted"}}
	}
	return []Sign{{Code: "restarted", Leans: PointsNeither, Text: where + " has " + plural(len(newer), "newer session", "newer sessions") + ": other clients run there"}}
}

// newerSession reports whether an id was handed out after another; ids of different servers cannot be compared.
func newerSession(a, b SessionID) bool {
	return uint64(a)>>56 != uint64(b)>>56 || uint64(a) > uint64(b)
}

// age says how old a claim's znode is, and how much older than its turn.
func age(r *Result, c *Claim) (out []Sign) {
	if c.Created().IsZero() {
		return nil
	}
	now := r.Snapshot.TakenAt
	text := "its znode is " + Age(now.Sub(c.Created())) + " old"
	if c.Created().After(now.Add(time.Second)) {
		return []Sign{{Code: "clock", Leans: PointsUnknown, Text: "its znode was made " + Age(c.Created().Sub(now)) + " from now by the servers' clock: the clocks differ, its age is not known"}}
	}
	if c.SinceSeen && c.Since().Sub(c.Created()) >= time.Second {
		text += ", " + Age(c.Since().Sub(c.Created())) + " older than its turn"
	}
	return []Sign{{Code: "age", Leans: PointsNeither, Text: text}}
}

// others says what else the session owns.
func (r *Result) others(c *Claim) []Sign {
	var paths []string
	for m := range r.Models.All() {
		for i := range m.Claims {
			if o := &m.Claims[i]; o.Session == c.Session && o.Path() != c.Path() {
				paths = append(paths, string(o.Role())+" of "+m.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return []Sign{{Code: "others", Leans: PointsNeither, Text: "the session also is " + list(paths)}}
}

// DisagreeFinding tells of an ephemeral znode that some servers have and others do not, or have as another session's.
func DisagreeFinding(path string, owner SessionID, on, off []string) Finding {
	return Finding{Code: CodeServersDisagree, Severity: High, Paths: []string{path}, Sessions: []SessionID{owner},
		Text: "the servers disagree on " + Printable(path) + ": it is session " + owner.String() + "'s on " + list(on) + " and not on " + list(off) +
			", in several rounds of questions; clients of either see another holder"}
}

// SkewFinding tells of a server whose clock is not ours.
func SkewFinding(addr string, ahead, within time.Duration) Finding {
	way := "ahead of"
	if ahead < 0 {
		way = "behind"
	}
	return Finding{Code: CodeClockSkew, Severity: Low, Text: "the clock of " + addr + " is " + Age(ahead.Abs()) + " " + way +
		" ours (give or take " + Age(within+time.Second-1) + "): ages that come from znodes are off by as much"}
}
