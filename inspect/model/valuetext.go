package model

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Value returns the value of such a recipe as a short text; empty: none, or no text.
func (m *Model) Value() string {
	data := m.Znode().Data
	if !m.Kind.Number() {
		return shortText(data)
	}
	switch n, form := CountIn(data); form {
	case TextNumber, BinaryNumber:
		return say.Itoa(n)
	case RealNumber:
		return strings.TrimSpace(string(data))
	}
	return ""
}

// Znode returns the znode that such a recipe is.
func (m *Model) Znode() *znode.Node {
	if len(m.Claims) == 0 {
		return &noNode
	}
	return m.Claims[0].Znode()
}

// shortText is data as one short printable line; empty when it is not text or too long.
func shortText(data []byte) string {
	if len(data) == 0 || len(data) > 48 || !say.Plain(string(data)) {
		return ""
	}
	return string(data)
}

// NumberForm says how a counter's data was read.
type NumberForm uint8

const (
	NoNumber     NumberForm = iota // no number in any form that is known
	EmptyNumber                    // no data
	TextNumber                     // decimal text
	RealNumber                     // decimal text with a fraction
	BinaryNumber                   // four or eight bytes, big endian
)

// CountIn reads a counter's data.
func CountIn(data []byte) (int64, NumberForm) {
	text := strings.TrimSpace(string(data))
	if v, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) < 24 {
		return v, TextNumber
	}
	if len(text) < 32 && text != "" && isNumeric(text) {
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			return 0, RealNumber
		}
	}
	switch {
	case len(data) == 0:
		return 0, EmptyNumber
	case say.Plain(string(data)):
		return 0, NoNumber
	case len(data) == 4:
		return int64(int32(binary.BigEndian.Uint32(data))), BinaryNumber
	case len(data) == 8:
		return int64(binary.BigEndian.Uint64(data)), BinaryNumber
	}
	return 0, NoNumber
}

func isNumeric(text string) bool { return strings.Trim(text, "0123456789+-.eE") == "" }

// VoteWord returns what a site of the transaction writes to vote: commit, else abort, as its clients spell it.
func (m *Model) VoteWord(commit bool) string {
	word := say.Either(commit, layout.VoteCommit, layout.VoteAbort)
	if m.Dialect == layout.CJS {
		return strings.ToUpper(word)
	}
	return word
}

// Phase says in words what the members of a double barrier do: its state, and where one look does not tell, the other
// one that it may be.
func (m *Model) Phase() string {
	if m.Detail().MayLeave {
		return string(m.State) + " or " + string(Leaving)
	}
	if m.State == Unknown && m.Unsure() > 0 {
		return "inside or not"
	}
	return string(m.State)
}

// Unsure counts the members of a double barrier that are there and not known to be inside, although ready is or was.
func (m *Model) Unsure() (n int) {
	for i := range m.Claims {
		if m.Claims[i].Reason == MayBeOutside {
			n++
		}
	}
	return n
}
