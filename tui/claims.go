package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// claims is the right pane's cursor: a claim of the shown recipe, by identity.
type claims struct {
	path string // the recipe's
	sel  inspect.ClaimID
	at   int
	top  int

	first bool // the selection stays with whoever is first
	stay  bool // it was made by the operator: it stays on a claim that goes

	table, height int // where its lines were last drawn in the panel

	shown *inspect.Model // as it was last drawn
	last  *inspect.Model // the same, also across a jump in time
	asOf  time.Time      // of the picture
	came  map[inspect.ClaimID]time.Time
	gone  []goneClaim // in the order of their places

	marked func(inspect.ClaimID) bool // the marks, as they are drawn
}

// show points the pane at a recipe. The selection follows its claim; in a recipe that was not shown before
// it is the first claim.
func (c *claims) show(m *inspect.Model) {
	if m == nil {
		*c = claims{first: c.first, stay: c.stay}
		return
	}
	if m.Path != c.path {
		*c = claims{path: m.Path, first: c.first, stay: c.stay}
	}
	was := c.last
	c.shown, c.last = m, m
	c.bound(len(m.Claims))
	if c.first {
		c.at = 0
		c.keep(m)
		return
	}
	for i := range m.Claims {
		if m.Claims[i].Is(c.sel) {
			c.release()
			c.at = i
			return
		}
	}
	if c.stay && c.sel != (inspect.ClaimID{}) && c.holdGone(was) {
		c.bound(len(m.Claims))
		return
	}
	c.release()
	c.at = max(0, min(c.at, len(m.Claims)-1))
	c.keep(m)
}

func (c *claims) keep(m *inspect.Model) {
	c.sel = inspect.ClaimID{}
	if c.at < len(m.Claims) {
		c.sel = m.Claims[c.at].ID()
	}
}

func (c *claims) move(m *inspect.Model, n int) {
	c.first = false
	if g := c.lost(); g != nil { // the claim behind it stands where it stood
		if c.at = g.pos; n > 0 {
			n--
		}
		c.release()
	}
	c.at = max(0, min(c.at+n, len(m.Claims)-1))
	c.keep(m)
}

// panelLines draws a recipe in an area of w×h cells: the answer first, then what is wrong, then the line of
// claims, then what does not belong.
func (t *Theme) panelLines(p Panel, pic picture, c *claims, focus bool) []line {
	m, now, w, h := pic.m, pic.now, pic.w, pic.h
	head := t.panelHead(pic)
	if p.Draw != nil && h-len(head) > 6 {
		if d := p.Draw(pic); len(d) > 0 && len(head)+len(d) < h-3 {
			head = append(append(head, d...), nil)
		}
	}
	tail := t.detail(m, c, pic.said, w, h-len(head)-len(m.Claims)-2)
	if n := len(m.Foreign); n > 0 {
		tail = append(tail, t.foreign(m.Foreign, w))
	}
	room := max(1, h-len(head)-len(tail))
	c.table, c.height = len(head)+1, room-1
	out := append(head, t.claimTable(m, p, c, focus, now, w, room)...)
	for len(out) < h-len(tail) {
		out = append(out, nil)
	}
	return append(out, tail...)
}

// detail says about the selected claim what its row has no room for, in at most h lines.
func (t *Theme) detail(m *inspect.Model, c *claims, said string, w, h int) []line {
	if c.at >= len(m.Claims) || h < 3 || c.lost() != nil {
		return nil
	}
	cl := &m.Claims[c.at]
	var out []line
	for _, text := range []string{t.whyText(cl), term.Safe(cl.Node()), claimFacts(m.Kind, cl), said} {
		if text == "" {
			continue
		}
		for i, s := range term.Wrap(text, w-3, 2, t.Ellipsis) {
			out = append(out, line{{" " + onFirst(i, t.Dot) + strings.Repeat(" ", 1+i) + s, Dim}})
		}
	}
	if len(out) > h {
		out = out[:h]
	}
	return out
}

// claimFacts pins a claim in one line; in a line it says what its owner listens for.
func claimFacts(k inspect.Kind, c *inspect.Claim) string {
	facts := fmt.Sprintf("czxid %d, version %d", int64(c.Czxid()), c.Version())
	if c.Session != 0 {
		facts = "session " + c.Session.String() + ", " + facts
	}
	if !inLine(k) && k != inspect.SharedLock {
		return facts
	}
	switch c.Hears() {
	case inspect.HearsProven, inspect.HearsLikely, inspect.HearsUnlikely:
		facts += fmt.Sprintf("; listens for %s: %s", c.Revocable(), c.Hears())
	case inspect.HearsUnknown:
		facts += "; listens for no word"
	}
	return facts
}

// panelHead is the summary, the findings and the evidence, in at most half of the area.
func (t *Theme) panelHead(pic picture) []line {
	m, now, w, h := pic.m, pic.now, pic.w, pic.h
	var out []line
	for _, s := range term.Wrap(term.Safe(m.Summary(now)), w-1, 2, t.Ellipsis) {
		out = append(out, line{{" " + s, Bold}})
	}
	most := max(2, h/2)
	for _, s := range term.Wrap(term.Safe(pic.ended), w-3, 2, t.Ellipsis) {
		out = append(out, line{{"   " + s, Warn}})
	}
	findings := pic.spans
	for i := range m.Findings {
		findings = append(findings, &m.Findings[i])
	}
	for _, f := range findings {
		text := t.findingLines(f, w)
		if r := pic.remedies[f]; r != "" && (len(text) > most-len(out) || len(text) == maxFinding) {
			first := *f
			first.Text = r + "; " + f.Text // where not all of it fits, what to do about it must
			text = t.findingLines(&first, w)
		}
		switch {
		case len(out)+len(text) <= most:
			out = append(out, text...)
		case f.Severity > inspect.Low: // a note may be left out without a word, a warning may not
			out = append(append(out, text...)[:most-1], line{{" " + t.Ellipsis + " more: make the window taller", Dim}})
			return append(out, nil)
		}
	}
	return append(out, nil)
}

// maxFinding is how many lines a finding takes at most.
const maxFinding = 6

// findingLines is a finding's text, wrapped, behind its mark.
func (t *Theme) findingLines(f *inspect.Finding, w int) (out []line) {
	mark, style := t.mark(f.Severity)
	for i, s := range term.Wrap(term.Safe(f.Text), w-3, maxFinding, t.Ellipsis) {
		if i > 0 {
			mark = " "
		}
		out = append(out, line{{" " + term.Pad(mark, 1) + " ", style}, {s, style}})
	}
	return out
}

func (t *Theme) foreign(names []string, w int) line {
	text := " foreign:"
	for _, n := range names {
		text += " " + term.Safe(n)
		if term.Width(text) > w {
			break
		}
	}
	return line{{term.Cut(text, w, t.Ellipsis), Dim}}
}

// claimTable draws the part of the claims around the selection.
func (t *Theme) claimTable(m *inspect.Model, p Panel, c *claims, focus bool, now time.Time, w, h int) []line {
	if len(m.Claims)+len(c.gone) == 0 {
		return []line{{{" no claims", Dim}}}
	}
	cols := columnsFor(w, p, seqWidth(m))
	out := []line{t.tableHead(cols)}
	h--
	rows := len(m.Claims) + len(c.gone)
	c.top = scroll(c.top, c.cursorRow(), rows, h)
	for row := c.top; row < min(rows, c.top+h); row++ {
		i, gone := c.inRow(row)
		if gone != nil {
			l := t.goneLine(gone, p, cols, now)
			if gone.held {
				l = t.picked(append(line{{t.Cursor, Plain}}, l[1:]...), w)
			}
			out = append(out, l)
			continue
		}
		l := t.claimLine(&m.Claims[i], p, cols, now)
		if sign := c.sign(m.Claims[i].ID()); sign != " " {
			l[1].text = sign + l[1].text[1:]
			l = brightened(l)
		}
		if c.marked != nil && c.marked(m.Claims[i].ID()) {
			l[0] = span{t.Mark, Accent}
		}
		switch {
		case c.lost() != nil:
		case i == c.at && focus:
			l = t.picked(append(line{{t.Cursor, Plain}}, l[1:]...), w)
		case i == c.at:
			l[0].text = t.Cursor
		}
		out = append(out, l)
	}
	if rest := rows - c.top - h; rest > 0 && h > 1 {
		out[len(out)-1] = line{{"   " + t.Ellipsis + " " + number(rest+1) + " more", Dim}}
	}
	return out
}

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
func seqWidth(m *inspect.Model) int {
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
func (t *Theme) claimLine(c *inspect.Claim, p Panel, cols columns, now time.Time) line {
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
	if !c.Since().IsZero() {
		age = inspect.Age(now.Sub(c.Since()))
	}
	out := line{{" ", Plain}, {" " + term.Fit(role, cols.role, t.Ellipsis), style}, {" " + term.Fit(seq, cols.seq, t.Ellipsis), Plain},
		{" " + term.Fit(ownerIn(c, cols.owner), cols.owner, t.Ellipsis), Bold}}
	if cols.session > 0 {
		session := "persistent"
		if c.Session != 0 {
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
func (p Panel) roleText(c *inspect.Claim) string {
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
func ownerIn(c *inspect.Claim, w int) string {
	if term.Width(c.Owner()) > w {
		return shortOwner(c)
	}
	return term.Safe(c.Owner())
}

func (t *Theme) whyText(c *inspect.Claim) string {
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
func (t *Theme) behind(c *inspect.Claim) string {
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
	case inspect.Proven:
		return text + " " + t.Seen
	case inspect.Refuted:
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
