package inspect_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/script"
)

// Who is expected and not there is told of every kind, of a path where nothing is too; not of what was not read, nor of a
// pattern.
func TestWhoIsExpected(t *testing.T) {
	const tree = `/el/a/n_0000000000 owner=A data="web-1"
/el/a/n_0000000001 owner=B data="web-2"
/locks/x/` + script.Hex + `__lock__0000000001 owner=A data="job-1"
/empty data=""
`
	for _, c := range []struct {
		hint model.Hint
		want string
	}{
		{model.Hint{Path: "/el/a", Members: []string{"web-1", "web-2"}}, ""},
		{model.Hint{Path: "/el/a", Members: []string{"web-1", "web-3"}}, "web-3 is expected and not there"},
		{model.Hint{Path: "/el/*", Needed: 3}, "2 are there, 3 expected"},
		{model.Hint{Path: "/locks/x", Members: []string{"job-2"}}, "job-2 is expected and not there"},
		{model.Hint{Path: "/gone", Standby: 1}, "nothing is at /gone, where somebody with 1 standby is expected"},
		{model.Hint{Path: "/gone/far", Members: []string{"a", "b\x1b"}}, `nothing is at /gone/far, where a, b\x1b are expected`},
		{model.Hint{Path: "/empty", Needed: 2}, "nobody takes part in /empty, where 2 are expected"},
		{model.Hint{Path: "/gone/*", Needed: 2}, ""},
	} {
		s := script.New(t)
		s.Apply(tree)
		c.hint.Present = true
		h := model.Hints{Rules: []model.Hint{c.hint}}
		told := func(r *model.Result) string {
			var out []string
			all := r.Findings
			for m := range r.Models.All() {
				all = append(all, m.Findings...)
			}
			for _, f := range all {
				if f.Code == model.CodeMissingParticipant {
					out = append(out, f.Text)
				}
			}
			return strings.Join(out, "; ")
		}
		snap := s.Snapshot()
		if got := told(inspect.Decode(snap, nil, h)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.hint, got, c.want)
		}
		if !strings.HasPrefix(c.want, "nothing") {
			continue
		}
		part := *snap
		part.Complete, part.Partial = false, []string{"/ was not listed"}
		root := *snap.Root
		root.Children, root.NumChildren = nil, 9
		part.Root = &root
		if got := told(inspect.Decode(&part, nil, h)); got != "" {
			t.Errorf("%+v: of what was not read: %q", c.hint, got)
		}
	}
}
