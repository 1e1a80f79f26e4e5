package world

import (
	"fmt"
	"io"
	"strings"

	"github.com/zkscope/zkscope/internal/term"
)

// widest is how far a column is padded: one long path must not blow up every line.
const widest = 64

// PrintTable prints rows in columns as wide as their widest cell; the last column is not padded.
func PrintTable(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], min(term.Width(cell), widest))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(term.Pad(cell, widths[i]))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
