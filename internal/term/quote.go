package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quoted is a text as one word of a shell: in single quotes, or where it has what is no letter of a text, as bash, zsh and
// ksh read $'...', so that nothing that is pasted acts on the terminal.
func Quoted(s string) string {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		var b strings.Builder
		for i := range len(s) {
			switch c := s[i]; {
			case c == '\'' || c == '\\':
				b.WriteString("\\" + string(rune(c)))
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, "\\x%02x", c)
			default:
				b.WriteByte(c)
			}
		}
		return "$'" + b.String() + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
