package world

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/internal/term"
)

// ShellWord quotes a word for a POSIX shell where it needs it. What a terminal must not see is written by printf.
func ShellWord(s string) string {
	switch {
	case term.Safe(s) != s:
		return octal(s)
	case s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r == '/' || r == '-' || r == '_' || r == '.' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) < 0:
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// octal is a word that a shell makes of octal escapes. The dot at its end, which is cut off again, keeps line breaks there.
func octal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < 0x7f && strings.IndexByte("'\\%", c) < 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	if strings.HasSuffix(s, "\n") {
		return `"$(w=$(printf '` + b.String() + `.'); printf %s "${w%.}")"`
	}
	return `"$(printf '` + b.String() + `')"`
}
