// Package term prepares text for a terminal: it makes bytes from ZooKeeper harmless, measures and cuts
// text by cells, and chooses the glyphs and colours that a terminal can show.
//
// # Concurrency
//
// Functions are pure and may be called from any goroutine.
package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/zkscope/zkscope/inspect/say"
)

// Safe returns s with everything that could act on a terminal, hide or reorder text written as a visible
// escape. It is the only way for a byte that came from ZooKeeper to the screen.
func Safe(s string) string { return say.Printable(s) }

// Width is the number of cells that s takes. s must be free of control characters.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// plain reports whether every byte is printable ASCII, which takes one cell each.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Cut shortens s to at most w cells; where it cuts, the last cell is the mark.
func Cut(s string, w int, mark string) string {
	switch {
	case w <= 0:
		return ""
	case Width(s) <= w:
		return s
	case plain(s) && Width(mark) <= w:
		return s[:w-Width(mark)] + mark
	}
	return ansi.Truncate(s, w, mark)
}

// CutLeft shortens s to at most w cells by dropping its beginning: the end of a path tells more.
func CutLeft(s string, w int, mark string) string {
	n := Width(s)
	switch {
	case w <= 0:
		return ""
	case n <= w:
		return s
	case plain(s) && Width(mark) <= w:
		return mark + s[len(s)-(w-Width(mark)):]
	}
	return Cut(ansi.TruncateLeft(s, n-w, mark), w, "")
}

// CutMiddle shortens s to at most w cells by dropping what lies in its middle: two fifths of a path's beginning tell where it
// is, and its end tells it from its neighbours. Of the last twelve cells none is dropped while there is room for them.
func CutMiddle(s string, w int, mark string) string {
	n, m := Width(s), Width(mark)
	if n <= w || w < 16 {
		return CutLeft(s, w, mark)
	}
	head := (w - m) * 2 / 5
	return Cut(s, head, "") + mark + ansi.TruncateLeft(s, n-(w-m-head), "")
}

// CutName is CutMiddle for the name of a client: what it begins with tells hosts apart, what it ends with the processes of one.
func CutName(s string, w int, mark string) string {
	n, m := Width(s), Width(mark)
	if n <= w || w < 10 {
		return Cut(s, w, mark)
	}
	head := (w - m) * 3 / 5
	return Cut(s, head, "") + mark + ansi.TruncateLeft(s, n-(w-m-head), "")
}

const blanks = "                                                                                                                                "

// Blank returns n spaces; none when n is below one. As many as a screen is wide cost no allocation.
func Blank(n int) string {
	if n <= len(blanks) {
		return blanks[:max(0, n)]
	}
	return strings.Repeat(" ", n)
}

// Pad appends spaces until s takes w cells. It never cuts.
func Pad(s string, w int) string { return s + Blank(w-Width(s)) }

// PadLeft prepends spaces until s takes w cells. It never cuts.
func PadLeft(s string, w int) string { return Blank(w-Width(s)) + s }

// Fit cuts or pads s to exactly w cells.
func Fit(s string, w int, mark string) string { return Pad(Cut(s, w, mark), w) }

// FitLeft cuts the beginning of s or pads its end, to exactly w cells.
func FitLeft(s string, w int, mark string) string { return Pad(CutLeft(s, w, mark), w) }

// Wrap breaks s at spaces into lines of at most w cells; a longer word is broken anywhere. It returns at
// most max lines, the last ending in the mark when more would follow; max ≤ 0 means no limit.
func Wrap(s string, w, max int, mark string) []string {
	if w <= 0 {
		return nil
	}
	var lines []string
	last := 0 // cells of the last line
	for word := range strings.FieldsSeq(s) {
		for word != "" && (max <= 0 || len(lines) <= max) {
			if n := len(lines); n > 0 && last+1 < w {
				if size, cells := head(word, w-last-1); size == len(word) {
					lines[n-1] += " " + word
					last += 1 + cells
					break
				}
			}
			size, cells := head(word, w)
			if size == 0 { // a wide cluster in a one-cell column
				break
			}
			lines = append(lines, word[:size])
			last, word = cells, word[size:]
		}
	}
	if max > 0 && len(lines) > max {
		lines = lines[:max]
		lines[max-1] = Cut(lines[max-1]+mark, w, mark)
		if !strings.HasSuffix(lines[max-1], mark) {
			lines[max-1] = Cut(lines[max-1], w-Width(mark), "") + mark
		}
	}
	return lines
}

// head is the longest beginning of s that takes at most w cells: its bytes, and the cells that it takes. It looks no further
// than that.
func head(s string, w int) (size, cells int) {
	if n := min(len(s), w); plain(s[:n]) && (n == len(s) || s[n] < 0x80) {
		return n, n
	}
	var state byte
	for size < len(s) {
		_, width, n, next := ansi.DecodeSequence(s[size:], state, nil)
		if cells+width > w {
			break
		}
		size, cells, state = size+n, cells+width, next
	}
	return size, cells
}
