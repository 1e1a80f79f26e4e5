package panel

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// Columns are the widths of the claim table; zero leaves a column out.
type Columns struct{ Role, seq, owner, session, age, On, Why int }

// ColumnsFor divides w cells. What answers "who" comes first; what explains comes where there is room.
func ColumnsFor(w int, p Panel, seq int) Columns {
	c := Columns{Role: 4, seq: seq, owner: 14, age: 7}
	if p.Mode || p.Vote {
		c.Role = 12
	}
	rest := w - 1 - (c.Role + c.seq + c.owner + c.age + 4)
	take := func(n int) int {
		if rest < n+1 {
			return 0
		}
		rest -= n + 1
		return n
	}
	c.On = take(seq + 4)
	c.session = take(19)
	if more := min(14, max(0, rest-24)); more > 0 {
		c.owner += more
		rest -= more
	}
	if c.Why = rest - 1; c.Why < 24 {
		c.owner += max(0, rest)
		c.Why = 0
	}
	return c
}

// SeqWidth is how many cells the sequence numbers of a recipe take. The largest is the last in all but odd
// cases, so the column holds still.
func SeqWidth(m *model.Model) int {
	if len(m.Claims) == 0 {
		return 4
	}
	last := &m.Claims[len(m.Claims)-1]
	w := min(11, max(4, len(ShortSeq(last.Seq)), len(ShortSeq(m.Claims[0].Seq))))
	if p := last.Priority(); p != nil {
		w += 1 + len(strconv.FormatInt(*p, 10))
	}
	return w
}

// TableHead is the titles of the claim table.
func TableHead(t *paint.Theme, c Columns) paint.Line {
	cell := func(s string, w int) string {
		if w == 0 {
			return ""
		}
		return " " + term.Fit(s, w, t.Ellipsis)
	}
	age := " " + term.PadLeft("for", c.age)
	return paint.Line{paint.Dim.Text(" " + cell("role", c.Role) + cell("seq", c.seq) + cell("owner", c.owner) + cell("session", c.session) +
		age + cell("behind", c.On) + cell("why", c.Why))}
}

// ClaimLine draws one claim. Its first span is the cursor's cell.
func ClaimLine(t *paint.Theme, c *model.Claim, p Panel, cols Columns, now time.Time) paint.Line {
	role, style := p.roleText(c), paint.Plain
	if HoldsRole(c.Role()) {
		style = paint.Good
	}
	seq := ""
	if c.HasSeq {
		seq = ShortSeq(c.Seq)
	}
	if c.Priority() != nil {
		seq = strconv.FormatInt(*c.Priority(), 10) + "/" + seq
	}
	out := paint.Line{paint.Plain.Text(" "), style.Text(" " + term.Fit(role, cols.Role, t.Ellipsis)), paint.Plain.Text(" " + term.Fit(seq, cols.seq, t.Ellipsis)),
		paint.Bold.Text(" " + term.Fit(ownerIn(c, cols.owner), cols.owner, t.Ellipsis))}
	if cols.session > 0 {
		session := "persistent"
		switch {
		case c.Unread():
			session = "?"
		case c.Session != 0:
			session = c.Session.String()
		}
		out = append(out, paint.Dim.Text(" "+term.Fit(session, cols.session, t.Ellipsis)))
	}
	out = append(out, paint.Plain.Text(" "+term.PadLeft(Lasts(t, c, now), cols.age)))
	if cols.On > 0 {
		out = append(out, paint.Plain.Text(" "+term.Fit(behind(t, c), cols.On, t.Ellipsis)))
	}
	if cols.Why > 0 {
		out = append(out, paint.Dim.Text(" "+term.Fit(WhyText(t, c), cols.Why, t.Ellipsis)))
	}
	return out
}

// Lasts is how long a claim has stood as it does, where that is known.
func Lasts(t *paint.Theme, c *model.Claim, now time.Time) string {
	if l := c.Lasts(now); l != "" {
		return t.Spelled(l)
	}
	return "?"
}

// roleText is the first column of a claim: its role, and what its kind says beside it.
func (p Panel) roleText(c *model.Claim) string {
	text := p.Word(c.Role())
	if c.Reason == model.UnlessOld { // it may wait for a writer behind it
		text += "?"
	}
	switch {
	case p.Mode && c.Mode() != "":
		text += " " + string(c.Mode())
	case p.Vote && c.Vote() == nil:
		text += " no vote"
	case p.Vote:
		text += " " + VoteWord(c)
	}
	return text
}

// ownerIn is a claim's owner for a column of w cells.
func ownerIn(c *model.Claim, w int) string {
	if term.Width(c.Owner()) > w {
		return ShortOwner(c)
	}
	return term.Safe(c.Owner())
}

// WhyText says why a claim stands as it does, and whether it is ours or was asked to let go.
func WhyText(t *paint.Theme, c *model.Claim) string {
	why := term.Safe(c.Why())
	switch {
	case c.Revoked:
		return "asked to let go; " + why
	case c.Mine:
		return "you; " + why
	}
	return why
}

// behind names whom a claim waits for, and how sure that is.
func behind(t *paint.Theme, c *model.Claim) string {
	ahead := c.Ahead()
	if ahead == nil {
		return ""
	}
	text := term.Safe(ahead.Owner())
	if ahead.HasSeq {
		text = ShortSeq(ahead.Seq)
	}
	if n := len(c.Blockers()); n > 1 {
		text += "+" + strconv.Itoa(n-1)
	}
	return text + " " + ProofSign(t, c.Proof())
}

// ProofSign is the sign of how sure it is that a claim waits for another.
func ProofSign(t *paint.Theme, p model.Proof) string {
	switch p {
	case model.Proven:
		return t.Seen
	case model.Refuted:
		return t.Refuted
	}
	return t.Likely
}

// ShortSeq prints the end of a sequence number, as people say it: at least four digits.
func ShortSeq(n int64) string {
	if n < 0 {
		return strconv.FormatInt(n, 10)
	}
	s := strconv.FormatInt(n, 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}
