package cli

import (
	"testing"

	"github.com/zkscope/zkscope/tui"
)

func TestGroundsByName(t *testing.T) {
	for _, c := range []struct {
		name string
		dark bool
		want tui.Ground
	}{{"", true, tui.Dark}, {"auto", false, tui.Light}, {"dark", false, tui.Dark}, {"light", true, tui.Light}, {"mono", true, tui.Mono}} {
		if got, err := ground(c.name, func() bool { return c.dark }); got != c.want || err != nil {
			t.Errorf("%q on dark=%v: %v, %v", c.name, c.dark, got, err)
		}
	}
	if _, err := ground("pink", nil); err == nil {
		t.Error("pink is a theme")
	}
}
