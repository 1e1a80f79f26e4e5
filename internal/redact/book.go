package redact

import (
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/zkscope/zkscope/inspect/layout"
)

// book holds the pseudonyms of one sort, by what they stand for.
type book struct {
	sort    string // in words
	by      map[string]int
	lengths []int // of what is in it, the longest first
}

func newBook(sort string) book { return book{sort, map[string]int{}, nil} }

func (b *book) len() int { return len(b.by) }

// add notes a name. Numbers and random ids name nobody, and too much else is spelled so.
func (b *book) add(name string) {
	if !strings.ContainsFunc(name, unicode.IsLetter) && !isIP(name) || layout.IsUUID(name) {
		return
	}
	if _, there := b.by[name]; there {
		return
	}
	n := len(b.by) + 1
	b.note(name, n)
	if escaped, err := json.Marshal(name); err == nil {
		b.note(string(escaped[1:len(escaped)-1]), n) // as it stands in JSON
	}
}

func (b *book) note(name string, n int) {
	b.by[name] = n
	if !slices.Contains(b.lengths, len(name)) {
		b.lengths = append(b.lengths, len(name))
		slices.SortFunc(b.lengths, func(a, b int) int { return b - a })
	}
}

// pseudonym stands for a name: of IP addresses in text another of its sort; else what says what it stands for, as long as the
// name where that leaves room, for lengths may be written beside it.
func (b *book) pseudonym(name string, binary bool) string {
	n := b.by[name]
	ip, err := netip.ParseAddr(name)
	switch {
	case binary || err != nil:
	case ip.Is4():
		return netip.AddrFrom4([4]byte{198, 18 + byte(n>>16)&1, byte(n >> 8), byte(n)}).String() // a block that no host has
	default:
		return "2001:db8::" + strconv.FormatInt(int64(n), 16)
	}
	head, tail := b.sort+"-", letters(n) // a number at the end would read as that of a line
	if len(head)+len(tail) > len(name) {
		head = head[:1]
	}
	out := head + strings.Repeat("-", max(0, len(name)-len(head)-len(tail))) + tail
	if binary && len(out) > len(name) {
		return strings.Repeat("x", len(name))
	}
	return out
}

// letters are a number from 1 in letters: a, b, z, aa.
func letters(n int) (out string) {
	for ; n > 0; n = (n - 1) / 26 {
		out = string(rune('a'+(n-1)%26)) + out
	}
	return out
}

// at finds the longest name of the book that stands at a place of a text, and ends there as a word does.
func (b *book) at(text string, i int) (name string, found bool) {
	for _, n := range b.lengths {
		if i+n > len(text) || i+n < len(text) && within(text[i+n]) && within(text[i+n-1]) {
			continue
		}
		if _, there := b.by[text[i:i+n]]; there {
			return text[i : i+n], true
		}
	}
	return "", false
}

// within reports whether a byte continues a word.
func within(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// begins reports whether a word can begin at a place.
func begins(text string, i int) bool { return i == 0 || !within(text[i-1]) || !within(text[i]) }

// blank is text of which only the shape is left.
func blank(text string) string {
	out := []byte(strings.ToValidUTF8(text, "?"))
	var b strings.Builder
	for _, r := range string(out) {
		switch {
		case r >= '0' && r <= '9':
			b.WriteByte('0')
		case r >= 'A' && r <= 'Z':
			b.WriteByte('X')
		case r >= 'a' && r <= 'z', r >= 0x80:
			b.WriteByte('x')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
