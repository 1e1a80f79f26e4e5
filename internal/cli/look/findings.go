package look

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// Spanning sorts the findings that span recipes by the recipes that they concern.
func Spanning(res *model.Result) map[*model.Model][]model.Finding {
	out := map[*model.Model][]model.Finding{}
	for _, f := range res.Findings {
		told := map[*model.Model]bool{}
		for _, path := range f.Paths {
			if m, _, _ := res.RecipeAt(path); m != nil && !told[m] {
				told[m] = true
				out[m] = append(out[m], f)
			}
		}
	}
	return out
}

// Gravest is the highest severity among findings; below Low where there is none.
func Gravest(lists ...[]model.Finding) model.Severity {
	most := model.Low - 1
	for _, f := range slices.Concat(lists...) {
		most = max(most, f.Severity)
	}
	return most
}

// Codes lists the findings of a recipe that mislead or bite, each code once.
func Codes(lists ...[]model.Finding) string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, f := range list {
			if f.Severity >= model.Medium && !seen[f.Code] {
				seen[f.Code] = true
				out = append(out, f.Code)
			}
		}
	}
	return strings.Join(out, ",")
}

// Saying is a finding in words. Many begin with their code already.
func Saying(f model.Finding) string {
	if strings.HasPrefix(f.Text, f.Code+":") {
		return term.Safe(f.Text)
	}
	return f.Code + ": " + term.Safe(f.Text)
}

// PrintDisagreements says on which znodes the servers disagree.
func PrintDisagreements(w io.Writer, res *model.Result) {
	for _, f := range res.Findings {
		if f.Code == model.CodeServersDisagree {
			fmt.Fprintln(w, Saying(f))
		}
	}
}

// Incomplete says in one line what is not known of this look, and what cannot be told therefore; empty where all was told.
func (r *Reading) Incomplete() string {
	s := r.Snapshot
	untold := func(tells func(*waits.ServerState) bool, partial bool) string {
		n, all := 0, 0
		for i := range r.Servers {
			if st := &r.Servers[i]; st.Foreign != nil {
				continue // it is told by itself
			} else if all++; !st.Up || !tells(st) {
				n++
			}
		}
		switch {
		case r.Flags.From == "" && n > 0:
			return fmt.Sprintf(" of %d of %d servers are not known", n, all)
		case partial:
			return " of some servers are not known"
		}
		return ""
	}
	var out []string
	add := func(what, untold, lost string) {
		if untold != "" {
			out = append(out, what+untold+": "+lost)
		}
	}
	watches, sessions := untold(func(st *waits.ServerState) bool { return st.Tells.Watches }, !s.ToldWatches()), untold(func(st *waits.ServerState) bool { return st.Tells.Connections }, !s.ToldSessions())
	if s.Watches == nil {
		watches = " are not known"
	}
	if s.Sessions == nil {
		sessions = " are not known"
	}
	add("watches", watches, "lost waiters cannot be detected")
	add("sessions", sessions, "claims whose client is gone cannot be detected")
	if s.Complete && watches == "" && r.Flags.From == "" && waits.Unsettled(r.Result) {
		out = append(out, "some waiters were missing in one list of the watches: whether they are lost the next look tells")
	}
	if !s.Complete {
		out = append(out, "parts of the tree were not read: nothing is known of what stands there")
	}
	if len(out) == 0 {
		return ""
	}
	return "incomplete: " + strings.Join(out, "; ")
}

// Severities are the severities by the words that flags and files have for them.
var Severities = map[string]model.Severity{"low": model.Low, "medium": model.Medium, "high": model.High}

// Located is a finding with the recipe that it belongs to; nil for one that spans recipes.
type Located struct {
	Model   *model.Model
	Finding model.Finding
}

// FindingsOf lists all findings, the worst first.
func FindingsOf(res *model.Result) (out []Located) {
	for _, f := range res.Findings {
		out = append(out, Located{nil, f})
	}
	for m := range res.Models.All() {
		for _, f := range m.Findings {
			out = append(out, Located{m, f})
		}
	}
	sorted.By(out, func(a, b Located) int { return int(b.Finding.Severity) - int(a.Finding.Severity) })
	return out
}

// Head says from when and from how many servers the evidence is, and what would bring more.
func (r *Reading) Head() {
	r.AsOf()
	switch s := r.Snapshot; {
	case s.Servers == nil:
		fmt.Fprintln(r.Out, "no server was asked about sessions and watches: waits follow from the order alone")
	case s.Watches == nil:
		fmt.Fprintf(r.Out, "%s answered, and none reports who watches what: waits follow from the order alone; zkscope doctor says what to open\n", answered(s))
	default:
		fmt.Fprintf(r.Out, "%s answered\n", answered(s))
	}
}

func answered(s *znode.Snapshot) string {
	n := 0
	for _, sv := range s.Servers {
		if sv.Answered {
			n++
		}
	}
	return fmt.Sprintf("%d/%d servers", n, len(s.Servers))
}
