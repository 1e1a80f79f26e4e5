package paint

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/internal/term"
)

// The size of a cell, and the sixteen colours, of a picture.
const (
	cellW, cellH = 8.4, 17
	paper        = "#16181d"
	ink          = "#d6d8dc"
)

var sixteen = [16]string{"#16181d", "#d04f4f", "#6fb86f", "#d0a24a", "#5f8fd6", "#b07fc8", "#55b3b8", "#c8cace",
	"#666b74", "#f26d6d", "#8dd68d", "#eec16a", "#82b0f2", "#cfa0e6", "#77d2d6", "#ffffff"}

// pen is how text is drawn from one sequence of the frame to the next.
type pen struct {
	fg, bg                   string
	bold, reverse, underline bool
}

// SVG writes a frame of w×h cells as a picture that needs nothing from elsewhere. It knows the sequences that themes draw with.
func SVG(to io.Writer, frame string, w, h int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" xml:space="preserve">`+"\n",
		float64(w)*cellW+16, h*cellH+16)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", paper)
	for y, row := range strings.Split(frame, "\n") {
		p, x := pen{}, 0
		for row != "" {
			text, after, styled := strings.Cut(row, "\x1b[")
			p.draw(&b, text, x, y)
			x += term.Width(text)
			if row = after; !styled {
				break
			}
			codes, rest, ends := strings.Cut(row, "m")
			if !ends {
				break
			}
			p.take(codes)
			row = rest
		}
	}
	b.WriteString("</svg>\n")
	_, err := to.Write(b.Bytes())
	return err
}

// take changes the pen by the numbers of a sequence.
func (p *pen) take(codes string) {
	for _, c := range strings.Split(codes, ";") {
		switch n, _ := strconv.Atoi(c); {
		case n == 0:
			*p = pen{}
		case n == 1:
			p.bold = true
		case n == 4:
			p.underline = true
		case n == 7:
			p.reverse = true
		case n >= 30 && n <= 37:
			p.fg = sixteen[n-30]
		case n >= 90 && n <= 97:
			p.fg = sixteen[n-90+8]
		case n >= 40 && n <= 47:
			p.bg = sixteen[n-40]
		case n >= 100 && n <= 107:
			p.bg = sixteen[n-100+8]
		}
	}
}

// draw draws a text that begins at a cell.
func (p *pen) draw(b *bytes.Buffer, text string, x, y int) {
	if text == "" {
		return
	}
	fg, bg := ink, p.bg
	if p.fg != "" {
		fg = p.fg
	}
	if p.reverse {
		fg, bg = paper, fg
	}
	left, width := 8+float64(x)*cellW, float64(term.Width(text))*cellW
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, left, 8+y*cellH, width, cellH, bg)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" fill="%s"`, left, 8+y*cellH+13, width, fg)
	if p.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if p.underline {
		b.WriteString(` text-decoration="underline"`)
	}
	b.WriteString(">")
	_ = xml.EscapeText(b, []byte(text)) // a buffer takes everything
	b.WriteString("</text>\n")
}
