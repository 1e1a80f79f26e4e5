package command

import (
	"testing"

	"github.com/zkscope/zkscope/tui/paint"
)

func TestGroundsByName(t *testing.T) {
	for _, c := range []struct {
		name string
		dark bool
		want paint.Ground
	}{{"", true, paint.Dark}, {"auto", false, paint.Light}, {"dark", false, paint.Dark}, {"light", true, paint.Light}, {"mono", true, paint.Mono}} {
		if got, err := Ground(c.name, func() bool { return c.dark }); got != c.want || err != nil {
			t.Errorf("%q on dark=%v: %v, %v", c.name, c.dark, got, err)
		}
	}
	if _, err := Ground("pink", nil); err == nil {
		t.Error("pink is a theme")
	}
}
