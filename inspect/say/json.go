package say

import (
	"bytes"
	"encoding/json"
	"time"
	"unicode/utf8"
)

// OrNil returns a pointer to a value, or nil for the zero value, which stands for unknown.
func OrNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// ValidList returns a list of valid texts that is never nil.
func ValidList(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = Valid(s)
	}
	return out
}

// Valid returns a text as JSON can carry it: itself, or escaped when it is not valid UTF-8.
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Printable(s)
}

// InvalidBytes returns the bytes of a text that JSON cannot carry; nil for any other.
func InvalidBytes(s string) []byte {
	if utf8.ValidString(s) {
		return nil
	}
	return []byte(s)
}

// Stamp formats a time as RFC 3339 in UTC, with milliseconds where it has any.
func Stamp(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() >= int(time.Millisecond) {
		return t.Format("2006-01-02T15:04:05.000Z")
	}
	return t.Format("2006-01-02T15:04:05Z")
}

// MarshalSafe encodes a value like encoding/json, without its escapes for HTML, and writes every
// character that Printable would not show as a JSON escape. Such characters occur in strings only.
func MarshalSafe(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return Gated(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// Gated returns lines of text, or of JSON, without any byte that could act on a terminal: characters that Printable
// would escape stand as \u escapes, which in JSON leave the value as it is; line feeds and tabs stay. It is the last
// gate of what is written, for what did not go through Printable.
func Gated(raw []byte) []byte {
	if i := firstUnsafe(raw); i == len(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw)+64)
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		switch {
		case safe(r) && !(r == utf8.RuneError && size == 1):
			out = append(out, raw[i:i+size]...)
		case r == utf8.RuneError && size == 1:
			out = appendEscape(out, rune(raw[i]))
		default:
			out = appendEscape(out, r)
		}
		i += size
	}
	return out
}

// firstUnsafe is where the first character stands that is no visible ASCII, line feed or tab; the length where none is.
func firstUnsafe(raw []byte) int {
	for i, c := range raw {
		if (c < 0x20 || c > 0x7e) && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(raw)
}

// safe reports whether a character may be written as it is.
func safe(r rune) bool { return r == '\n' || r == '\t' || Shown(r) }

// appendEscape writes a rune as JSON's \u escape, a pair of them outside the basic plane.
func appendEscape(out []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return appendEscape(appendEscape(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return append(out, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
