package panel

import (
	"cmp"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Titles are what a kind calls those in its table.
type Titles struct {
	Held  string // over those who hold, which stand apart; empty: nobody does
	Rest  string // over the others
	Since string // over how long the others have been there
}

// Sheet is the table of a recipe's claims: its columns with the widths that they have on this screen.
type Sheet struct {
	pen   chart.Pen
	panel Panel
	cols  []column
	held  paint.Grid // of those who hold
	rest  paint.Grid
	both  paint.Grid // where one row of titles stands over all of them
	usual chart.Spread
}

// column is one of the table: how it is called over those who hold and over the others, and what it says of a claim.
type column struct {
	held, rest string
	paint.Column
	cell func(s *Sheet, c *model.Claim) paint.Span
}

// NewSheet divides the pen's width between the columns that have something to say of its recipe.
func NewSheet(p Panel, pen chart.Pen) Sheet {
	s := Sheet{pen: pen, panel: p, usual: chart.SpreadOf(pen.Past.Held)}
	s.cols = s.columns()
	grid := func(title func(column) string) paint.Grid {
		cols := make([]paint.Column, len(s.cols))
		for i, c := range s.cols {
			cols[i] = c.Column
			cols[i].Title = title(c)
		}
		return pen.Grid(pen.W, cols...)
	}
	s.held, s.rest = grid(func(c column) string { return c.held }), grid(func(c column) string { return c.rest })
	s.both = grid(column.both)
	return s
}

// both is the title over those who hold and the others at once.
func (c column) both() string {
	if c.held == "HELD" && c.rest != "HELD" {
		return "FOR"
	}
	return cmp.Or(c.held, c.rest)
}

// columns are those of the kind.
func (s *Sheet) columns() []column {
	m, t := s.pen.Model, s.panel.titles()
	place := column{"", "", paint.Column{W: 1 + len(strconv.Itoa(len(m.Claims)))}, (*Sheet).place}
	if m.Kind.Items() {
		place.rest = term.PadLeft("#", place.W)
		return append([]column{place}, s.itemColumns()...)
	}
	name := column{t.Held, t.Rest, paint.Column{Min: 14, Name: true}, (*Sheet).name}
	if n := chart.Holding(m); n > 1 {
		name.held += " " + paint.Number(n)
	}
	if n := len(m.Claims) - chart.Holding(m); n > 1 && t.Held != "" {
		name.rest += " " + paint.Number(n)
	}
	if !m.Kind.Waits() && !m.Kind.Leads() {
		place.W = 1
	}
	out := []column{place, name}
	add := func(held, rest string, c paint.Column, cell func(*Sheet, *model.Claim) paint.Span) {
		out = append(out, column{held, rest, c, cell})
	}
	seq := chart.SeqWidth(m)
	if s.panel.Mode {
		add("MODE", "MODE", paint.Column{W: 5, Rank: 2}, (*Sheet).mode)
	}
	if s.panel.Vote {
		add("", "VOTE", paint.Column{W: 10}, (*Sheet).vote)
	}
	if numbered(m) {
		add("SEQ", "SEQ", paint.Column{W: seq, Rank: 3}, (*Sheet).seq)
	}
	if owned(m) && !s.bySession() {
		add("SESSION", "SESSION", paint.Column{W: 19, Rank: 6}, (*Sheet).session)
	}
	add("HELD", t.Since, paint.Column{W: 7, Right: true}, (*Sheet).age)
	if t.Held != "" {
		add("", "", paint.Column{W: 1}, (*Sheet).beyond)
	}
	if s.usual.N >= chart.Usual && t.Held != "" {
		add("USUAL p95", "", paint.Column{W: 9, Rank: 5, Right: true}, (*Sheet).usually)
	}
	if m.Kind.InLine() && t.Held != "" {
		add("", "WATCHES", paint.Column{W: seq + 4, Rank: 1}, (*Sheet).watches)
	}
	if s.pen.Link != nil && owned(m) {
		add("CONNECTED", "CONNECTED", paint.Column{W: 9, Rank: 4}, (*Sheet).connected)
	}
	return out
}

// titles are the kind's, or what is true of any.
func (p Panel) titles() Titles {
	if p.Titles == (Titles{}) {
		return Titles{Rest: "CLAIM", Since: "FOR"}
	}
	return p.Titles
}

// Parted reports whether those who hold stand apart.
func (p Panel) Parted() bool { return p.titles().Held != "" }

// HeldHead is the titles over those who hold.
func (s *Sheet) HeldHead() paint.Line { return s.held.Head() }

// BothHead is the titles over those who hold and the others, where there is room for one row of them.
func (s *Sheet) BothHead() paint.Line { return s.both.Head() }

// Head is the titles over the others.
func (s *Sheet) Head() paint.Line { return s.rest.Head() }

// signCell is where in a row the sign of what came or went stands, behind the cursor's cell.
const signCell = 1

// Row draws a claim. Its first span is the cursor's cell, the second begins with that of what came or went.
func (s *Sheet) Row(c *model.Claim) paint.Line {
	spans := make([]paint.Span, len(s.cols))
	for i := range s.cols {
		spans[i] = s.cols[i].cell(s, c)
	}
	return s.rest.Row(spans...)
}

// Signed puts the sign of what came or went into a row.
func Signed(l paint.Line, sign string) paint.Line {
	l[signCell].Text = sign + l[signCell].Text[1:]
	return l
}

// Gone draws a claim as it was when it went, and when that was.
func (s *Sheet) Gone(c *model.Claim, at time.Time, ago string) paint.Line {
	then := *s
	then.pen.Now = at // how long it stood does not grow any more
	spans := make([]paint.Span, len(s.cols))
	told := false
	for i := len(s.cols) - 1; i >= 0; i-- {
		spans[i] = s.cols[i].cell(&then, c)
		if title := s.cols[i].rest; !told && s.rest.Shows(i) && (title == "WATCHES" || title == "CONNECTED" || title == "DATA") {
			spans[i].Text, told = ago, true
		}
	}
	for i := range s.cols {
		if title := s.cols[i].rest; !told && (title == s.panel.titles().Since || title == "AGE") {
			spans[i].Text = "gone"
		}
	}
	spans[0].Text = " "
	return paint.Dimmed(s.rest.Row(spans...))
}

// place is the claim's place in line, counted with those who hold as in every text; of who holds, the letter that it has in the strip.
func (s *Sheet) place(c *model.Claim) paint.Span {
	m := s.pen.Model
	switch {
	case m.Kind.Items():
		return paint.Dim.Text(term.PadLeft(strconv.Itoa(c.Position()+1), len(strconv.Itoa(len(m.Claims)))+1))
	case !s.panel.Parted() || !m.Kind.Waits() && !m.Kind.Leads():
		return paint.Plain.Text(" ")
	case chart.HoldsRole(c.Role()) && !s.pen.Striped():
		return paint.Plain.Text(" ")
	case chart.HoldsRole(c.Role()):
		return paint.Dim.Text(" " + s.pen.LetterOf(c.Owner()))
	}
	return paint.Dim.Text(" " + strconv.Itoa(c.Position()+1))
}

func (s *Sheet) name(c *model.Claim) paint.Span {
	name := s.pen.Twins.Name(c, s.pen.Ellipsis)
	if s.byNode(c) {
		name = term.Safe(c.Node())
	}
	if c.Mine {
		name = "you (" + name + ")"
	}
	if chart.HoldsRole(c.Role()) {
		return paint.Good.Text(name)
	}
	return paint.Plain.Text(name)
}

func (s *Sheet) mode(c *model.Claim) paint.Span {
	text := string(c.Mode())
	if c.Reason == model.UnlessOld { // it may wait for a writer behind it
		text += "?"
	}
	return paint.Plain.Text(text)
}

// vote is what a site voted, behind its sign.
func (s *Sheet) vote(c *model.Claim) paint.Span {
	t := s.pen.Theme
	if c.Unread() {
		return paint.Warn.Text(t.Likely + " not read")
	}
	switch vote := VoteWord(c); vote {
	case "":
		return paint.Warn.Text(t.Likely + " no vote")
	case "commit":
		return paint.Good.Text(t.Seen + " commit")
	case "abort":
		return paint.Alert.Text(t.Refuted + " abort")
	default:
		return paint.Warn.Text(t.Warn + " " + vote)
	}
}

func (s *Sheet) seq(c *model.Claim) paint.Span {
	text := ""
	if c.HasSeq {
		text = chart.ShortSeq(c.Seq)
	}
	if c.Priority() != nil {
		text = strconv.FormatInt(*c.Priority(), 10) + "/" + text
	}
	return paint.Plain.Text(text)
}

func (s *Sheet) session(c *model.Claim) paint.Span {
	switch {
	case c.Unread():
		return paint.Dim.Text("?")
	case c.Session != 0:
		return paint.Dim.Text(c.Session.String())
	}
	return paint.Dim.Text("persistent")
}

func (s *Sheet) age(c *model.Claim) paint.Span {
	return paint.Plain.Text(chart.Lasts(s.pen.Theme, c, s.pen.Now))
}

// beyond marks what has been held for far longer than usual.
func (s *Sheet) beyond(c *model.Claim) paint.Span {
	if chart.HoldsRole(c.Role()) && c.Exact() && !c.Since().IsZero() && s.usual.Beyond(s.pen.Now.Sub(c.Since())) {
		return paint.Warn.Text("!")
	}
	return paint.Plain.Text("")
}

func (s *Sheet) usually(c *model.Claim) paint.Span {
	if chart.HoldsRole(c.Role()) {
		return paint.Dim.Text(say.Fine(s.usual.P95))
	}
	return paint.Plain.Text("")
}

// watches is whom a claim waits for, and how sure that is.
func (s *Sheet) watches(c *model.Claim) paint.Span {
	switch {
	case chart.HoldsRole(c.Role()) && c.Revoked:
		return paint.Warn.Text("asked")
	case chart.HoldsRole(c.Role()) && c.Position() >= chart.Holding(s.pen.Model):
		return paint.Good.Text("holds") // although others stand before it
	}
	return paint.Plain.Text(chart.Behind(s.pen.Theme, c))
}

// connected is whether a claim's session has a connection, and to which server.
func (s *Sheet) connected(c *model.Claim) paint.Span {
	t := s.pen.Theme
	x := s.pen.Link(c)
	switch {
	case c.Session == 0:
		return paint.Plain.Text("-")
	case !x.Told:
		return paint.Plain.Text(t.Likely)
	case !x.Connected:
		return paint.Warn.Text(t.Refuted + " no")
	}
	return paint.Plain.Text(t.Seen + " " + hostOf(term.Safe(x.Server)))
}

// hostOf is a server's name without its port and its domain; of an address its last number, or its port where that is not
// the usual one: there is no room for more, and it tells members apart.
func hostOf(server string) string {
	if a, err := netip.ParseAddrPort(server); err == nil {
		if a.Port() != 2181 {
			return ":" + strconv.Itoa(int(a.Port()))
		}
		text := a.Addr().String()
		return text[strings.LastIndexAny(text, ".:"):]
	}
	for i, r := range server {
		if r == ':' || r == '.' && !layout.IsDigits(server[:i]) {
			return server[:i]
		}
	}
	return server
}

// numbered reports whether claims of a recipe have sequence numbers.
func numbered(m *model.Model) bool {
	n := len(m.Claims)
	return n > 0 && (m.Claims[0].HasSeq || m.Claims[n-1].HasSeq)
}

// byNode reports whether a claim is called as its znode is.
func (s *Sheet) byNode(c *model.Claim) bool {
	k := s.pen.Model.Kind
	return k.Gate() || k.Opaque() || k.Filled() || s.named() && c.OwnerSource() != model.FromData
}

// named reports whether the znodes of a recipe have names that mean something: they are those of a group's members.
func (s *Sheet) named() bool { return s.pen.Model.Kind.Members() && !s.pen.Model.Kind.Serves() }

// bySession reports whether the names are the sessions' ids, which are not told twice.
func (s *Sheet) bySession() bool {
	all := s.pen.Model.Claims
	return !s.named() && all[0].OwnerSource() == model.FromSession && all[len(all)-1].OwnerSource() == model.FromSession
}

// owned reports whether claims of a recipe are of sessions, or may be.
func owned(m *model.Model) bool {
	n := len(m.Claims)
	return n > 0 && !m.Single() && (m.Claims[0].Session != 0 || m.Claims[n-1].Session != 0 || m.Claims[0].Unread())
}
