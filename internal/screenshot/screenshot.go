// Package screenshot draws a terminal's screen as a picture, for the documentation and for tests that look at
// what a person would see. It is test support only.
//
// # Concurrency
//
// Functions are pure and may be called from any goroutine.
package screenshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The picture's measures in pixels, and its colours: those of a dark terminal.
const (
	cellW, cellH = 8, 17
	baseline     = 13
	margin       = 8
	fontSize     = 13
)

var (
	background = color.RGBA{0x16, 0x18, 0x1d, 0xff}
	foreground = color.RGBA{0xd6, 0xd8, 0xdc, 0xff}

	// palette is the sixteen colours that a terminal is set to.
	palette = [16]color.RGBA{
		{0x16, 0x18, 0x1d, 0xff}, {0xd0, 0x4f, 0x4f, 0xff}, {0x6f, 0xb8, 0x6f, 0xff}, {0xd0, 0xa2, 0x4a, 0xff},
		{0x5f, 0x8f, 0xd6, 0xff}, {0xb0, 0x7f, 0xc8, 0xff}, {0x55, 0xb3, 0xb8, 0xff}, {0xc8, 0xca, 0xce, 0xff},
		{0x66, 0x6b, 0x74, 0xff}, {0xf2, 0x6d, 0x6d, 0xff}, {0x8d, 0xd6, 0x8d, 0xff}, {0xee, 0xc1, 0x6a, 0xff},
		{0x82, 0xb0, 0xf2, 0xff}, {0xcf, 0xa0, 0xe6, 0xff}, {0x77, 0xd2, 0xd6, 0xff}, {0xff, 0xff, 0xff, 0xff},
	}
)

const (
	attrBold    = 1 << 0
	attrFaint   = 1 << 1
	attrReverse = 1 << 5
)

// Screen feeds a frame, rows separated by newlines and styled with SGR sequences, to a terminal of w×h
// cells, and returns the terminal.
func Screen(frame string, w, h int) *vt.Emulator {
	e := vt.NewEmulator(w, h)
	_, _ = e.WriteString(strings.ReplaceAll(frame, "\n", "\r\n"))
	return e
}

// light is the ground of a light terminal, its text, and its sixteen colours.
var (
	lightGround = color.RGBA{0xff, 0xff, 0xff, 0xff}
	lightText   = color.RGBA{0x1c, 0x1e, 0x22, 0xff}

	lightPalette = [16]color.RGBA{
		{0x1c, 0x1e, 0x22, 0xff}, {0xb4, 0x24, 0x24, 0xff}, {0x2b, 0x7a, 0x2b, 0xff}, {0xc4, 0xa0, 0x00, 0xff},
		{0x2a, 0x5d, 0xb0, 0xff}, {0x8a, 0x3c, 0xa8, 0xff}, {0x06, 0x98, 0x9a, 0xff}, {0xd3, 0xd7, 0xcf, 0xff},
		{0x55, 0x57, 0x53, 0xff}, {0xef, 0x29, 0x29, 0xff}, {0x4e, 0x9a, 0x06, 0xff}, {0xfc, 0xe9, 0x4f, 0xff},
		{0x32, 0x65, 0xa4, 0xff}, {0xad, 0x7f, 0xa8, 0xff}, {0x34, 0xe2, 0xe2, 0xff}, {0xee, 0xee, 0xec, 0xff},
	}
)

// paper is what a picture is drawn on.
type paper struct {
	ground, text color.RGBA
	colours      *[16]color.RGBA
}

var (
	dark  = paper{background, foreground, &palette}
	light = paper{lightGround, lightText, &lightPalette}
)

// drawOn makes an image of a terminal's cells. It fails when the font lacks a glyph: a silent box would be a
// lie.
func drawOn(e *vt.Emulator, on paper) (*image.RGBA, error) {
	regular, err := face(dejavusansmono.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := face(dejavusansmonobold.TTF)
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rect(0, 0, e.Width()*cellW+2*margin, e.Height()*cellH+2*margin))
	draw.Draw(img, img.Bounds(), image.NewUniform(on.ground), image.Point{}, draw.Src)
	missing := map[rune]bool{}
	for y := range e.Height() {
		for x := range e.Width() {
			on.drawCell(img, e, x, y, regular, bold, missing)
		}
	}
	if len(missing) > 0 {
		var list []string
		for r := range missing {
			list = append(list, fmt.Sprintf("%U", r))
		}
		sort.Strings(list)
		return nil, fmt.Errorf("the font has no glyph for %s", strings.Join(list, " "))
	}
	return img, nil
}

func face(ttf []byte) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: fontSize, DPI: 72, Hinting: font.HintingFull})
}

func (on paper) drawCell(img *image.RGBA, e *vt.Emulator, x, y int, regular, bold font.Face, missing map[rune]bool) {
	c := e.CellAt(x, y)
	if c == nil || c.Width == 0 {
		return
	}
	fg, bg := on.rgba(c.Style.Fg, on.text), on.rgba(c.Style.Bg, on.ground)
	if c.Style.Attrs&attrReverse != 0 {
		fg, bg = bg, fg
	}
	if c.Style.Attrs&attrFaint != 0 {
		fg = mix(fg, bg)
	}
	left, top := margin+x*cellW, margin+y*cellH
	draw.Draw(img, image.Rect(left, top, left+c.Width*cellW, top+cellH), image.NewUniform(bg), image.Point{}, draw.Src)
	f := regular
	if c.Style.Attrs&attrBold != 0 {
		f = bold
	}
	for _, r := range c.Content {
		if _, ok := f.GlyphAdvance(r); !ok {
			missing[r] = true
		}
	}
	d := font.Drawer{Dst: img, Src: image.NewUniform(fg), Face: f, Dot: fixed.P(left, top+baseline)}
	d.DrawString(c.Content)
}

func (on paper) rgba(c color.Color, none color.RGBA) color.RGBA {
	if c == nil {
		return none
	}
	if basic, ok := c.(ansi.BasicColor); ok {
		return on.colours[basic&15]
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

func mix(a, b color.RGBA) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8((int(x)*11 + int(y)*9) / 20) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 0xff}
}

// keyword is the name of the PNG text chunk that carries the hash of the frame that a picture shows.
const keyword = "zkscope-frame"

// PNG draws a frame and encodes it; the file carries the frame's hash, so that a picture that no longer
// fits its text can be found out without drawing it again.
func PNG(frame string, w, h int) ([]byte, error) { return pngOn(frame, w, h, dark) }

// LightPNG is PNG for a terminal with a light ground.
func LightPNG(frame string, w, h int) ([]byte, error) { return pngOn(frame, w, h, light) }

func pngOn(frame string, w, h int, on paper) ([]byte, error) {
	img, err := drawOn(Screen(frame, w, h), on)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, err
	}
	return addText(b.Bytes(), keyword, Hash(frame)), nil
}

// Hash is the hash of a frame as a picture carries it.
func Hash(frame string) string {
	sum := sha256.Sum256([]byte(frame))
	return hex.EncodeToString(sum[:])
}

// FrameHash reads the hash that PNG left in a file; empty when there is none.
func FrameHash(file []byte) string {
	at := bytes.Index(file, []byte("tEXt"+keyword+"\x00"))
	if at < 4 {
		return ""
	}
	n := int(binary.BigEndian.Uint32(file[at-4 : at]))
	text := file[at+4:]
	if n > len(text) {
		return ""
	}
	return string(text[len(keyword)+1 : n])
}

// addText inserts a tEXt chunk after the header of a PNG file (PNG specification, 11.3.4.3).
func addText(file []byte, key, value string) []byte {
	const header = 8 + 25 // signature and IHDR
	data := append([]byte("tEXt"+key+"\x00"), value...)
	var chunk []byte
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(len(data)-4))
	chunk = append(chunk, data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(data))
	out := append([]byte{}, file[:header]...)
	out = append(out, chunk...)
	return append(out, file[header:]...)
}
