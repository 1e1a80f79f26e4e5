package tui

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// columns are the widths of the claim table; zero leaves a column out.
type columns struct{ role, seq, owner, session, age, on, why int }

// columnsFor divides w cells. What answers "who" comes first; what explains comes where there is room.
func columnsFor(w int, p Panel, seq int) columns {
	c := columns{role: 4, seq: seq, owner: 14, age: 7}
	if p.Mode || p.Vote {
		c.role = 12
	}
	rest := w - 1 - (c.role + c.seq + c.owner + c.age + 4)
	take := func(n int) int {
		if rest < n+1 {
			return 0
		}
		rest -= n + 1
		return n
	}
	c.on = take(seq + 4)
	c.session = take(19)
	if more := min(14, max(0, rest-24)); more > 0 {
		c.owner += more
		rest -= more
	}
	if c.why = rest - 1; c.why < 24 {
		c.owner += max(0, rest)
		c.why = 0
	}
	return c
}

// seqWidth is how many cells the sequence numbers of a recipe take. The largest is the last in all but odd
// cases, so the column holds still.
func seqWidth(m *model.Model) int {
	if len(m.Claims) == 0 {
		return 4
	}
	last := &m.Claims[len(m.Claims)-1]
	w := min(11, max(4, len(shortSeq(last.Seq)), len(shortSeq(m.Claims[0].Seq))))
	if p := last.Priority(); p != nil {
		w += 1 + len(strconv.FormatInt(*p, 10))
	}
	return w
}

func (t *Theme) tableHead(c columns) line {
	cell := func(s string, w int) string {
		if w == 0 {
			return ""
		}
		return " " + term.Fit(s, w, t.Ellipsis)
	}
	age := " " + term.PadLeft("for", c.age)
	return line{{" " + cell("role", c.role) + cell("seq", c.seq) + cell("owner", c.owner) + cell("session", c.session) +
		age + cell("behind", c.on) + cell("why", c.why), Dim}}
}

// claimLine draws one claim. Its first span is the cursor's cell.
func (t *Theme) claimLine(c *model.Claim, p Panel, cols columns, now time.Time) line {
	role, style := p.roleText(c), Plain
	if holdsRole(c.Role()) {
		style = Good
	}
	seq := ""
	if c.HasSeq {
		seq = shortSeq(c.Seq)
	}
	if c.Priority() != nil {
		seq = strconv.FormatInt(*c.Priority(), 10) + "/" + seq
	}
	age := "?"
	if l := c.Lasts(now); l != "" {
		age = t.spelled(l)
	}
	out := line{{" ", Plain}, {" " + term.Fit(role, cols.role, t.Ellipsis), style}, {" " + term.Fit(seq, cols.seq, t.Ellipsis), Plain},
		{" " + term.Fit(ownerIn(c, cols.owner), cols.owner, t.Ellipsis), Bold}}
	if cols.session > 0 {
		session := "persistent"
		switch {
		case c.Unread():
			session = "?"
		case c.Session != 0:
			session = c.Session.String()
		}
		out = append(out, span{" " + term.Fit(session, cols.session, t.Ellipsis), Dim})
	}
	out = append(out, span{" " + term.PadLeft(age, cols.age), Plain})
	if cols.on > 0 {
		out = append(out, span{" " + term.Fit(t.behind(c), cols.on, t.Ellipsis), Plain})
	}
	if cols.why > 0 {
		out = append(out, span{" " + term.Fit(t.whyText(c), cols.why, t.Ellipsis), Dim})
	}
	return out
}

// roleText is the first column of a claim: its role, and what its kind says beside it.
func (p Panel) roleText(c *model.Claim) string {
	text := p.word(c.Role())
	switch {
	case p.Mode && c.Mode() != "":
		text += " " + string(c.Mode())
	case p.Vote && c.Vote() == nil:
		text += " no vote"
	case p.Vote:
		text += " " + voteWord(c)
	}
	return text
}

// ownerIn is a claim's owner for a column of w cells.
func ownerIn(c *model.Claim, w int) string {
	if term.Width(c.Owner()) > w {
		return shortOwner(c)
	}
	return term.Safe(c.Owner())
}

func (t *Theme) whyText(c *model.Claim) string {
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
func (t *Theme) behind(c *model.Claim) string {
	ahead := c.Ahead()
	if ahead == nil {
		return ""
	}
	text := term.Safe(ahead.Owner())
	if ahead.HasSeq {
		text = shortSeq(ahead.Seq)
	}
	if n := len(c.Blockers()); n > 1 {
		text += "+" + strconv.Itoa(n-1)
	}
	switch c.Proof() {
	case model.Proven:
		return text + " " + t.Seen
	case model.Refuted:
		return text + " " + t.Refuted
	}
	return text + " " + t.Likely
}

// shortSeq prints the end of a sequence number, as people say it: at least four digits.
func shortSeq(n int64) string {
	if n < 0 {
		return strconv.FormatInt(n, 10)
	}
	s := strconv.FormatInt(n, 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}
