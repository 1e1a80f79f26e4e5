package files

import (
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// How many claims are decoded on the way to a state before moments are taken together, and after how many more twice as
// many are. A directory of many claims is decoded anew at each of its changes: of a line that grows to a hundred
// thousand, one by one, that would be five thousand million claims.
var paceFirst, paceNext = 5_000_000, 1_000_000

// pace says how many moments are taken together on the way to a state: as somebody sees them who looks now and then.
type pace struct {
	work    int // claims that were decoded
	stride  int // moments that are taken together; 0: each by itself
	skipped int // since the last one that was decoded
}

// skips reports whether the moment is to be passed over.
func (p *pace) skips() bool {
	if p.skipped++; p.skipped < p.stride {
		return true
	}
	p.skipped = 0
	return false
}

// spent counts the claims of what was decoded anew. more reports that from now on more moments are taken together.
func (p *pace) spent(was, is *model.Result) (more bool) {
	p.work += renewed(was, is)
	if p.work < paceFirst {
		return false
	}
	p.work, p.stride = paceFirst-paceNext, max(1, p.stride)*2
	return true
}

// renewed counts the claims of the models that two results do not share.
func renewed(was, is *model.Result) (n int) {
	a, b := model.Cursor{List: was.Models}, model.Cursor{List: is.Models}
	for {
		model.SkipShared(&a, &b)
		x, y := a.Model(), b.Model()
		switch {
		case y == nil:
			return n
		case x == y:
			a.Step()
			b.Step()
		case x != nil && znode.ComparePaths(x.Path, y.Path) < 0:
			a.Step()
		default:
			if x != nil && x.Path == y.Path {
				a.Step()
			}
			n += len(y.Claims)
			b.Step()
		}
	}
}

// Thinned says from when on Decoded took several moments for one, because so much changed; empty where it took none.
func (r *Recording) Thinned() string { return r.thinned }

// thin notes from when on moments were taken together.
func (r *Recording) thin(at time.Time) {
	if r.thinned == "" {
		r.thinned = "so much changes that from " + at.UTC().Format("2006-01-02T15:04:05.000Z") +
			" on several moments were read as one: since when something is so may be a little later than it was"
	}
}
