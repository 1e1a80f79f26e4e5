package panel

import (
	"bytes"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// itemColumns are those of a queue: how old an item is, how large, and with which words its data begins.
func (s *Sheet) itemColumns() []column {
	m := s.pen.Model
	out := []column{}
	if m.Kind.ByPriority() {
		out = append(out, column{"", "PRIO", paint.Column{W: 4, Right: true}, (*Sheet).priority})
	}
	out = append(out, column{"", "AGE", paint.Column{W: 6, Right: true}, (*Sheet).itemAge}, column{"", "SIZE", paint.Column{W: 7, Right: true, Rank: 2}, (*Sheet).size})
	if m.Kind.FallDue() {
		out = append(out, column{"", "DUE", paint.Column{W: 7, Rank: 1}, (*Sheet).due})
	}
	if m.Numbers.Of("taken") > 0 {
		out = append(out, column{"", "TAKEN BY", paint.Column{W: 14, Rank: 1, Path: true}, (*Sheet).taker})
	}
	return append(out, column{"", "DATA", paint.Column{Min: 12}, (*Sheet).data})
}

func (s *Sheet) priority(c *model.Claim) paint.Span {
	if c.Priority() == nil {
		return paint.Plain.Text("")
	}
	return paint.Plain.Text(say.Itoa(*c.Priority()))
}

func (s *Sheet) itemAge(c *model.Claim) paint.Span {
	if c.Created().IsZero() {
		return paint.Plain.Text("?")
	}
	return paint.Plain.Text(say.Age(s.pen.Now.Sub(c.Created())))
}

func (s *Sheet) size(c *model.Claim) paint.Span {
	if c.Unread() {
		return paint.Dim.Text("?")
	}
	return paint.Dim.Text(chart.BytesText(int(c.Znode().DataLength)))
}

func (s *Sheet) due(c *model.Claim) paint.Span {
	switch c.Role() {
	case model.Ready:
		return paint.Good.Text("now")
	case model.Taken:
		return paint.Plain.Text("-")
	}
	return paint.Plain.Text("not yet")
}

func (s *Sheet) taker(c *model.Claim) paint.Span {
	if c.Role() != model.Taken {
		return paint.Plain.Text("-")
	}
	return paint.Good.Text(chart.ShortOwner(c))
}

func (s *Sheet) data(c *model.Claim) paint.Span {
	n := c.Znode()
	switch {
	case c.Unread() || len(n.Data) == 0 && n.DataLength > 0:
		return paint.Dim.Text("not read")
	case len(n.Data) == 0:
		return paint.Dim.Text("empty")
	}
	return paint.Plain.Text(firstWords(n.Data, s.pen.W))
}

// firstWords is the beginning of data in one line, safe for a terminal: about as much as fits in w cells. What is not text
// is told in hexadecimal digits.
func firstWords(data []byte, w int) string {
	part := data[:min(len(data), 4*w)]
	if len(part) < len(data) { // not within a character
		for n := len(part); n > 0 && n > len(part)-utf8.UTFMax; n-- {
			if utf8.RuneStart(data[n]) {
				part = part[:n]
				break
			}
		}
	}
	if !utf8.Valid(part) || bytes.IndexByte(part, 0) >= 0 {
		return "(binary) " + strings.TrimSpace(spaced(hex.EncodeToString(part[:min(len(part), w/3)])))
	}
	return term.Safe(strings.Join(strings.Fields(string(part)), " "))
}

// spaced sets bytes apart.
func spaced(digits string) string {
	var b strings.Builder
	for i := 0; i+1 < len(digits); i += 2 {
		b.WriteString(digits[i:i+2] + " ")
	}
	return b.String()
}
