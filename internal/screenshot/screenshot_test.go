package screenshot

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func TestPictureShowsAndCarriesItsFrame(t *testing.T) {
	frame := "\x1b[1mHOLD\x1b[0m ┌─┐ ▲ ● ✓ ↵ ▸ … ○ ✗ →\n\x1b[31mred\x1b[0m \x1b[7mpicked\x1b[0m"
	file, err := PNG(frame, 40, 3)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Dx(); got != 40*cellW+2*margin {
		t.Errorf("width %d", got)
	}
	if FrameHash(file) != Hash(frame) {
		t.Errorf("the picture carries %q", FrameHash(file))
	}
	painted := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r>>8 != uint32(background.R) {
				painted++
			}
		}
	}
	if painted < 500 {
		t.Errorf("only %d pixels differ from the background", painted)
	}
}

func TestMissingGlyphsAreAnError(t *testing.T) {
	if _, err := PNG("⠋", 4, 1); err == nil || !strings.Contains(err.Error(), "U+280B") {
		t.Errorf("a glyph that the font lacks is named: %v", err)
	}
}
