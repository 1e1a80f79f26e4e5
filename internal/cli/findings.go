package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// spanning sorts the findings that span recipes by the recipes that they concern.
func spanning(res *model.Result) map[*model.Model][]model.Finding {
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

// gravest is the highest severity among findings; below Low where there is none.
func gravest(lists ...[]model.Finding) model.Severity {
	most := model.Low - 1
	for _, f := range slices.Concat(lists...) {
		most = max(most, f.Severity)
	}
	return most
}

// codes lists the findings of a recipe that mislead or bite, each code once.
func codes(lists ...[]model.Finding) string {
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

// saying is a finding in words. Many begin with their code already.
func saying(f model.Finding) string {
	if strings.HasPrefix(f.Text, f.Code+":") {
		return term.Safe(f.Text)
	}
	return f.Code + ": " + term.Safe(f.Text)
}

// printDisagreements says on which znodes the servers disagree.
func printDisagreements(w io.Writer, res *model.Result) {
	for _, f := range res.Findings {
		if f.Code == model.CodeServersDisagree {
			fmt.Fprintln(w, saying(f))
		}
	}
}

// incomplete says in one line what is not known of this look, and what cannot be told therefore; empty where all was told.
func (r *reading) incomplete() string {
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

var severities = map[string]model.Severity{"low": model.Low, "medium": model.Medium, "high": model.High}

// located is a finding with the recipe that it belongs to; nil for one that spans recipes.
type located struct {
	m *model.Model
	f model.Finding
}

// findingsOf lists all findings, the worst first.
func findingsOf(res *model.Result) (out []located) {
	for _, f := range res.Findings {
		out = append(out, located{nil, f})
	}
	for m := range res.Models.All() {
		for _, f := range m.Findings {
			out = append(out, located{m, f})
		}
	}
	slices.SortStableFunc(out, func(a, b located) int { return int(b.f.Severity) - int(a.f.Severity) })
	return out
}

// printSources says how many servers the evidence is from, and what would bring more.
func printSources(w io.Writer, res *model.Result) {
	s := res.Snapshot
	switch {
	case s.Servers == nil:
		fmt.Fprintln(w, "no server was asked about sessions and watches: waits follow from the order alone")
	case s.Watches == nil:
		fmt.Fprintf(w, "%s answered, and none reports who watches what: waits follow from the order alone; zkscope doctor says what to open\n", answered(s))
	default:
		fmt.Fprintf(w, "%s answered\n", answered(s))
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
