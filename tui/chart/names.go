package chart

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// Twins are the names that several sessions of a recipe have: each is then told by more than its name.
type Twins struct {
	of     *model.Model
	depth  int // of the recipe, see Depth
	shared map[string]bool
}

// twinsMost is how many claims are compared; of a longer line every name is told with its session.
const twinsMost = 2000

// Of looks the names of a recipe through, once.
func (t *Twins) Of(m *model.Model) *Twins {
	if t.of == m {
		return t
	}
	t.of, t.depth, t.shared = m, Depth(m), nil
	if len(m.Claims) < 2 || len(m.Claims) > twinsMost {
		return t
	}
	first := make(map[string]*model.Claim, len(m.Claims))
	for i := range m.Claims {
		c := &m.Claims[i]
		if c.OwnerSource() == model.FromSession || c.OwnerSource() == model.FromNode {
			continue
		}
		switch o := first[c.Owner()]; {
		case o == nil:
			first[c.Owner()] = c
		case o.Session != c.Session:
			if t.shared == nil {
				t.shared = map[string]bool{}
			}
			t.shared[c.Owner()] = true
		}
	}
	return t
}

// Name is a claim's owner, with what tells it from another one of its name: the port of its client, else the end of its
// session's id. Claims of one session are told apart by their numbers.
func (t *Twins) Name(c *model.Claim, ellipsis string) string {
	name := term.Safe(c.Owner())
	long := t.of != nil && len(t.of.Claims) > twinsMost
	if c.OwnerSource() == model.FromSession || c.OwnerSource() == model.FromNode || !long && !t.shared[c.Owner()] {
		return name
	}
	if i := strings.LastIndexByte(c.Addr, ':'); i >= 0 && !strings.HasSuffix(name, c.Addr[i:]) {
		return name + term.Safe(c.Addr[i:])
	}
	if c.Session == 0 {
		return name
	}
	return name + SessionEnd(c.Session.String(), ellipsis)
}

// SessionEnd is the last digits of a session's id, behind a name that others have as well; empty: there are none.
func SessionEnd(id, ellipsis string) string {
	const end = 4
	if len(id) > end {
		return " " + ellipsis + id[len(id)-end:]
	}
	return ""
}
