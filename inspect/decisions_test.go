package inspect_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
)

// decisions prints what the picture alone decides of a model.
func decisions(m *model.Model) string {
	var b strings.Builder
	b.WriteString(script.OrderText(m))
	numbers := m.Numbers.Map()
	delete(numbers, "needed")
	fmt.Fprintln(&b, m.Foreign, numbers)
	for i := range m.Claims {
		c := &m.Claims[i]
		proof := c.Proof()
		if c.WatchNotes == model.NoteEarlierWatch {
			proof = model.Proven // by the picture alone; its watch was there before it
		}
		fmt.Fprintln(&b, c.Owner(), c.OwnerSource(), c.Addr, proof, c.Hears(), c.Why())
	}
	var graded []string
	for _, f := range m.Findings {
		switch {
		// how much they weigh follows from what sessions did before
		case f.Code == model.CodePhantomClaim || f.Code == model.CodeSelfWait:
			text, _, _ := strings.Cut(f.Text, "; ")
			graded = append(graded, f.Code+" "+text)
		case !slices.Contains(remembering, f.Code):
			fmt.Fprintln(&b, script.FindingText(f))
		}
	}
	slices.Sort(graded)
	fmt.Fprintln(&b, graded)
	return b.String()
}
