package report

import (
	"bufio"
	"io"
	"strings"
)

// Markdown writes the document as tables for a ticket, without the charts.
func (d *Document) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	put := func(parts ...string) {
		for _, p := range parts {
			_, _ = out.WriteString(p) // the first failure comes back from Flush
		}
	}
	put("# ", mark(d.Title), "\n\n", "Made by zkscope at ", mark(d.Made), ".\n")
	for _, s := range d.Sections {
		put("\n## ", mark(s.Title), "\n\n")
		for _, line := range s.Lines {
			put("- ", mark(line), "\n")
		}
		for _, t := range s.Tables {
			put("\n### ", mark(t.Title), "\n\n")
			if t.Note != "" {
				put(mark(strings.TrimSpace(t.Note)), "\n\n")
			}
			if len(t.Rows) == 0 {
				put(mark(t.None), "\n")
				continue
			}
			put("|")
			for _, h := range t.Head {
				put(" ", mark(h), " |")
			}
			put("\n", "|", strings.Repeat(" --- |", len(t.Head)), "\n")
			for _, row := range t.Rows {
				put("|")
				for _, cell := range row {
					put(" ", mark(cell), " |")
				}
				put("\n")
			}
		}
	}
	return out.Flush()
}

// mark writes text so that it means nothing in Markdown.
func mark(s string) string { return marks.Replace(safe(s)) }

var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", `\`, "&#92;", "@", "&#64;", "`", "\\`", "*", `\*`, "_", `\_`,
	"[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "!", `\!`, "://", "&#58;//", "www.", "www&#46;")
