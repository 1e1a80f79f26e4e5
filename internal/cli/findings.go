package cli

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
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
func (c *command) printDisagreements(res *model.Result) {
	for _, f := range res.Findings {
		if f.Code == model.CodeServersDisagree {
			fmt.Fprintln(c.Out, saying(f))
		}
	}
}
