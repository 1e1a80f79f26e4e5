package chronicle

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
)

// Found is a finding about the recipe, as it was seen when the recipe changed: what only time makes true is seen late.
type Found struct {
	Code     string
	Severity model.Severity
	Text     string // as it was last
	Began    Moment
	Ended    Moment // zero: it is still there
}

// findings notes which findings came and which went.
func (f *follower) findings(m *model.Model, at Moment) {
	now := map[string]bool{}
	if m != nil {
		for i := range m.Findings {
			x := &m.Findings[i]
			key := x.Code + "\x00" + strings.Join(x.Paths, "\x00")
			now[key] = true
			found := f.found[key]
			if found == nil {
				found = &Found{Code: x.Code, Began: at}
				f.found[key] = found
				f.keep(found, x.Severity)
			}
			found.Severity, found.Text = x.Severity, x.Text
		}
	}
	for key, found := range f.found {
		if !now[key] {
			found.Ended = at
			delete(f.found, key)
		}
	}
}

// foundMost is how many findings of low severity are kept: a line that moves a thousand times a minute has as many.
const foundMost = 1000

func (f *follower) keep(found *Found, s model.Severity) {
	if s == model.Low && len(f.out.Findings) >= foundMost {
		f.out.MoreFound++
		return
	}
	f.out.Findings = append(f.out.Findings, found)
}
