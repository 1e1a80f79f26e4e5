package history

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// HistoryReport is the JSON output of history, schema 1.
type HistoryReport struct {
	Schema  int           `json:"schema"`
	Path    string        `json:"path"`
	Kind    layout.Kind   `json:"kind"`
	Begin   string        `json:"begin"`
	End     string        `json:"end"`
	Claims  []StayReport  `json:"claims"`
	Owners  []ownerReport `json:"owners"`
	Hold    *SpreadReport `json:"hold"` // null: nobody held from beginning to end
	Wait    *SpreadReport `json:"wait"`
	Changes int           `json:"changes"`
	Nobody  []spanReport  `json:"nobody"` // the longest first

	// Findings as they were seen whenever the recipe changed. LookedAt is how often they were looked for, which is less than
	// Changed where it changed too often.
	Findings []foundReport `json:"findings"`
	Changed  int           `json:"changed"`
	LookedAt int           `json:"lookedAt"`
}

// StayReport is one claim's stay in the JSON output of history, from when it came to when it went.
type StayReport struct {
	Node     string     `json:"node"`
	Path     string     `json:"path"`
	Czxid    znode.Zxid `json:"czxid"`
	Owner    string     `json:"owner"`
	Session  *string    `json:"session"`
	Role     model.Role `json:"role"`
	Position int        `json:"position"` // when it came; of no meaning where of is 0
	Of       int        `json:"of"`       // 0: it came in a gap, and where in line is not known
	Came     *string    `json:"came"`
	CameSeen bool       `json:"cameSeen"` // false: it was there when the history begins
	Held     *string    `json:"held"`     // null: it never held
	HeldSeen bool       `json:"heldSeen"` // false: since when it held is not known
	Doubt    bool       `json:"doubt"`    // whether it held is not known: it read, waited for a later writer, or was gone after a gap; held is the earliest that it can have
	Asked    *string    `json:"asked"`    // to let go
	Left     *string    `json:"left"`     // null: it is still there
	WaitedMs int64      `json:"waitedMs"`
	HeldMs   int64      `json:"heldMs"`
	How      string     `json:"how"` // released, closed, expired, broken, deleted, gone; empty: it is still there
	By       *string    `json:"by"`  // the session that ended it, where the history tells
	LeftZxid *string    `json:"leftZxid"`
	MadeBy   *string    `json:"madeBy"` // the session that made its znode, where the history tells

	// Not null: nobody saw when it came, held or left between this and the time above, in a gap of a recording.
	CameFrom *string `json:"cameFrom"`
	HeldFrom *string `json:"heldFrom"`
	LeftFrom *string `json:"leftFrom"`

	Silent *[2]string `json:"silent"` // of an expired session: from and to, when its client was heard last
	Record *string    `json:"record"` // the file and the offset of what ended it
}

type foundReport struct {
	Code      string  `json:"code"`
	Severity  string  `json:"severity"`
	Text      string  `json:"text"`
	Began     *string `json:"began"`
	BeganFrom *string `json:"beganFrom"` // not null: it began between this and began
	Ended     *string `json:"ended"`     // null: it is still there
	EndedFrom *string `json:"endedFrom"`
	Record    *string `json:"record"` // the file and the offset of the change at which it was seen
	Zxid      *string `json:"zxid"`
}

type ownerReport struct {
	Owner    string `json:"owner"`
	Claims   int    `json:"claims"`
	Times    int    `json:"times"`
	HeldMs   int64  `json:"heldMs"`
	MaybeMs  int64  `json:"maybeHeldMs"` // more, of claims of which it is not known whether they held
	WaitedMs int64  `json:"waitedMs"`
	Lost     int    `json:"lost"`
}

// SpreadReport is how a number of durations spread; in milliseconds.
type SpreadReport struct {
	N     int   `json:"n"`
	P50Ms int64 `json:"p50Ms"`
	P95Ms int64 `json:"p95Ms"`
	MaxMs int64 `json:"maxMs"`
}

type spanReport struct {
	From string `json:"from"`
	To   string `json:"to"`
	Ms   int64  `json:"ms"`
}

func historyReportOf(h *chronicle.Chronicle) HistoryReport {
	out := HistoryReport{Schema: 1, Path: h.Path, Kind: h.Kind, Begin: chronicle.Clock(h.Begin), End: chronicle.Clock(h.End), Claims: []StayReport{}, Owners: []ownerReport{},
		Hold: spreadReportOf(h.Holds()), Wait: spreadReportOf(h.Waits()), Changes: h.Changes(), Nobody: []spanReport{}}
	for _, s := range h.Stays {
		out.Claims = append(out.Claims, stayReportOf(s, h.End))
	}
	out.Findings, out.Changed, out.LookedAt = []foundReport{}, max(0, h.States-1), max(0, h.States-1-h.Together)
	for _, x := range h.Findings {
		out.Findings = append(out.Findings, foundReportOf(x))
	}
	for _, o := range h.Owners() {
		out.Owners = append(out.Owners, ownerReport{o.Name, o.Claims, o.Times, o.Held.Milliseconds(), o.Maybe.Milliseconds(), o.Waited.Milliseconds(), o.Lost})
	}
	for _, s := range h.LongestNobody(len(h.Nobody)) {
		out.Nobody = append(out.Nobody, spanReport{chronicle.Clock(s.From), chronicle.Clock(s.To), s.To.Sub(s.From).Milliseconds()})
	}
	return out
}

func stayReportOf(s *chronicle.Stay, end time.Time) StayReport {
	r := StayReport{Node: s.Node, Path: s.Claim.Path, Czxid: s.Claim.Czxid, Owner: s.Owner, Role: s.Role, Position: s.Position, Of: s.Of, Came: momentReport(s.Came),
		CameSeen: !s.Start, Held: momentReport(s.Held), HeldSeen: !s.Held.At.IsZero() && !s.HeldFrom && !s.Doubt, Doubt: s.Doubt, Asked: momentReport(s.Asked), Left: momentReport(s.Left),
		WaitedMs: s.Waited(end).Milliseconds(), HeldMs: s.HeldFor(end).Milliseconds(), How: string(s.How),
		CameFrom: world.StampOrNil(s.Came.From), HeldFrom: world.StampOrNil(s.Held.From), LeftFrom: world.StampOrNil(s.Left.From)}
	if s.Session != 0 {
		id := s.Session.String()
		r.Session = &id
	}
	if s.MadeBy != 0 {
		id := s.MadeBy.String()
		r.MadeBy = &id
	}
	if c := s.Left.By(); c.Session != 0 {
		by, zxid, record := c.Session.String(), fmt.Sprintf("0x%x", int64(c.Zxid)), fmt.Sprintf("%s:%d", c.File, c.Offset)
		r.By, r.LeftZxid, r.Record = &by, &zxid, &record
		if s.How == chronicle.Expired && !c.Silent.From.IsZero() {
			r.Silent = &[2]string{chronicle.Clock(c.Silent.From), chronicle.Clock(c.Silent.To)}
		}
	}
	return r
}

func foundReportOf(x *chronicle.Found) foundReport {
	r := foundReport{Code: x.Code, Severity: x.Severity.String(), Text: term.Safe(x.Text), Began: momentReport(x.Began), BeganFrom: world.StampOrNil(x.Began.From), Ended: momentReport(x.Ended),
		EndedFrom: world.StampOrNil(x.Ended.From)}
	if c := x.Began.By(); c.File != "" {
		zxid, record := fmt.Sprintf("0x%x", int64(c.Zxid)), fmt.Sprintf("%s:%d", c.File, c.Offset)
		r.Zxid, r.Record = &zxid, &record
	}
	return r
}

func momentReport(m chronicle.Moment) *string { return world.StampOrNil(m.At) }

func spreadReportOf(s chronicle.Spread) *SpreadReport {
	if s.N == 0 {
		return nil
	}
	return &SpreadReport{s.N, s.P50.Milliseconds(), s.P95.Milliseconds(), s.Max.Milliseconds()}
}
