package survey

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// CheckExpected compares who takes part with those that a hint expects: by name, or by number.
func (b *Builder) CheckExpected() {
	if b.Hint == nil {
		return
	}
	var absent []string
	for _, want := range b.Hint.Members {
		if !slices.ContainsFunc(b.Model.Claims, func(c model.Claim) bool {
			return c.Owner() == want || c.Node() == want || strings.HasSuffix(c.Node(), "-"+want)
		}) {
			absent = append(absent, say.Printable(want))
		}
	}
	n := len(b.Model.Claims)
	switch needed := b.Hint.Needed; {
	case len(absent) > 0:
		b.AddFinding(model.CodeMissingParticipant, model.Medium, say.List(absent)+say.Choose(len(absent), " is", " are")+
			" expected and not there")
	case needed > n && !b.Model.Kind.Together():
		b.AddFinding(model.CodeMissingParticipant, model.Medium, say.Itoa(int64(n))+say.Choose(n, " is", " are")+" there, "+
			say.Itoa(int64(needed))+" expected")
	}
}

// absent are the findings of hints that expect a recipe at one path where none is. Of what was not read nothing is
// told.
func (d *Decoder) absent(r *model.Result) (out []model.Finding) {
	for i := range d.Hints.Rules {
		h := &d.Hints.Rules[i]
		_, inside := znode.Relative(d.Snap.Base, h.Path)
		if !h.Present || !h.Fixed || !inside || r.ByPath(h.Path) != nil {
			continue
		}
		n, why := d.Snap.Known(h.Path)
		if why != "" {
			continue
		}
		text := "nothing is at " + say.Printable(h.Path)
		if n != nil {
			text = "nobody takes part in " + say.Printable(h.Path)
		}
		out = append(out, model.Finding{Code: model.CodeMissingParticipant, Severity: model.Medium, Paths: []string{h.Path},
			Text: text + expected(&h.Hint)})
	}
	return out
}

// expected says who is, after a comma.
func expected(h *model.Hint) string {
	switch {
	case len(h.Members) > 0:
		names := make([]string, len(h.Members))
		for i, m := range h.Members {
			names[i] = say.Printable(m)
		}
		return ", where " + say.List(names) + say.Choose(len(names), " is", " are") + " expected"
	case h.Needed > 0:
		return ", where " + say.Itoa(int64(h.Needed)) + say.Choose(h.Needed, " is", " are") + " expected"
	case h.Standby > 0:
		return ", where somebody with " + say.Plural(h.Standby, "standby", "standbys") + " is expected"
	}
	return ", where somebody is expected"
}
