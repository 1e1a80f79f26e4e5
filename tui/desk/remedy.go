package desk

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// remedies says of the deadlocks among findings whose claim to break, in a few words.
func (d *Desk) remedies(findings []*model.Finding) map[*model.Finding]string {
	var out map[*model.Finding]string
	for _, f := range findings {
		c := d.cycleOf(f)
		if c == nil || c.Severity == model.Low {
			continue
		}
		if out == nil {
			out = map[*model.Finding]string{}
		}
		b := &c.Breaks[c.Victim]
		out[f] = "break " + term.Safe(b.Claim.Owner()) + " on " + term.Safe(b.Path)
		if b.Next == "" {
			out[f] += "; nobody would hold it"
		} else {
			out[f] += " to end it"
		}
	}
	return out
}
