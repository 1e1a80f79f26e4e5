package paint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zkscope/zkscope/internal/term"
)

// Number prints n with commas between thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// More says how many lines are not in sight, below and above.
func More(below, above int) string {
	switch {
	case above == 0:
		return Number(below) + " more"
	case below == 0:
		return Number(above) + " more above"
	}
	return Number(below) + " more below, " + Number(above) + " above"
}

// Counted is a number and what it counts.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// OnFirst is a label on the first line of a paragraph only.
func OnFirst(i int, s string) string {
	if i > 0 {
		return ""
	}
	return s
}

// Clauses is as much of a text as fits in w cells, cut where a clause ends; empty where not even the first fits.
func Clauses(text string, w int) string {
	for term.Width(text) > w {
		at := max(strings.LastIndex(text, ": "), strings.LastIndex(text, "; "), strings.LastIndex(text, ", "), 0)
		text = text[:at]
	}
	return text
}

// LastClauses is as much of a text as fits in w cells, cut where a clause begins; empty where not even the last one fits.
func LastClauses(text string, w int) string {
	for term.Width(text) > w {
		i := strings.IndexAny(text, ":;")
		if i < 0 {
			return ""
		}
		text = strings.TrimSpace(text[i+1:])
	}
	return text
}

// Readable is data as lines of safe text.
func Readable(data []byte) []string {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return []string{fmt.Sprintf("%s bytes that are not text", Number(len(data)))}
	}
	var b bytes.Buffer
	if text := bytes.TrimSpace(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Indent(&b, text, "", "  ") == nil {
		data = b.Bytes()
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = term.Safe(strings.TrimRight(strings.ReplaceAll(lines[i], "\t", "    "), "\r"))
	}
	return lines
}

// BoolInt is 1 for true and 0 for false.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
