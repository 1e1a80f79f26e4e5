package term

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zkscope/zkscope/inspect/say"
)

// Frame returns a drawn frame in which nothing can act on a terminal but line feeds and the sequences that set a style: it
// is the last gate before the screen. What is safe already comes back as it is, without a copy.
func Frame(s string) string {
	i := unsafeAt(s, 0)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 64)
	for from := 0; ; {
		b.WriteString(s[from:i])
		if i == len(s) {
			return b.String()
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(say.Printable(s[i : i+size]))
		from = i + size
		i = unsafeAt(s, from)
	}
}

// unsafeAt is where the first character from i on stands that must not reach a terminal; the length where there is none.
func unsafeAt(s string, i int) int {
	for i < len(s) {
		c := s[i]
		switch {
		case c >= 0x20 && c < 0x7f, c == '\n':
			i++
			continue
		case c == 0x1b:
			n := styleLen(s[i:])
			if n == 0 {
				return i
			}
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || !strconv.IsPrint(r) {
			return i
		}
		i += size
	}
	return len(s)
}

// styleLen is the length of the sequence at the beginning of s that sets a style; 0 where there is none.
func styleLen(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
