package say

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may follow one character before the rest are escaped.
const maxMarks = 4

// Printable returns s in a form that is safe to write to a terminal and unambiguous to read. It is
// the one function through which bytes from ZooKeeper reach people: names, data, addresses.
//
// Letters, digits, punctuation, symbols and the plain space stay. Everything else becomes an escape of
// visible ASCII: \n, \r and \t; \x1b for other control bytes and for bytes that are not valid UTF-8;
// \u202e or \U000e0041 for control, format, bidirectional, zero-width, private, unassigned and unusual
// space characters. At most four combining marks follow a character; a mark with nothing to stand on,
// and any further one, is escaped. A backslash stays as it is, so Printable(Printable(s)) is
// Printable(s). The result never holds a line break.
func Printable(s string) string {
	if Plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := maxMarks // nothing to stand on yet
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			writeByte(&b, s[i])
			marks = 0
		case unicode.Is(unicode.M, r) && Shown(r):
			if marks < maxMarks {
				b.WriteRune(r)
			} else {
				writeRune(&b, r)
			}
			marks++
		case Shown(r):
			b.WriteRune(r)
			marks = 0
		default:
			writeRune(&b, r)
			marks = 0
		}
		i += size
	}
	return b.String()
}

// Plain reports whether every byte is visible ASCII or a space: the common case.
func Plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Shown reports whether a rune may appear as itself.
func Shown(r rune) bool { return strconv.IsPrint(r) && !unicode.Is(blank, r) }

// blank lists the runes that count as printable but draw nothing, or change how their neighbour is
// drawn: names that differ only in them would look alike.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180b, Hi: 0x180f, Stride: 1}, // Mongolian variation selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, // variation selectors
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
	},
	R32: []unicode.Range32{
		{Lo: 0xe0100, Hi: 0xe01ef, Stride: 1}, // variation selectors supplement
	},
}

const hexDigits = "0123456789abcdef"

func writeByte(b *strings.Builder, c byte) {
	b.WriteString(`\x`)
	b.WriteByte(hexDigits[c>>4])
	b.WriteByte(hexDigits[c&15])
}

func writeRune(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x80:
		writeByte(b, byte(r))
	case r < 0x10000:
		writeHex(b, `\u`, r, 12)
	default:
		writeHex(b, `\U`, r, 28)
	}
}

func writeHex(b *strings.Builder, lead string, r rune, shift int) {
	b.WriteString(lead)
	for ; shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}
