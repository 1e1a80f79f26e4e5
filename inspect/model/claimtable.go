package model

// ClaimTable finds a recipe's claims by identity.
type ClaimTable struct {
	model      *Model
	by, byPath map[ClaimKey]*Claim // byPath without czxid; built when first needed
}

// NewClaimTable indexes the claims of a model. It takes time and memory in proportion to them.
func NewClaimTable(m *Model) ClaimTable {
	t := ClaimTable{model: m, by: make(map[ClaimKey]*Claim, len(m.Claims))}
	for i := range m.Claims {
		t.by[m.Claims[i].Key()] = &m.Claims[i]
	}
	return t
}

// Of finds a claim as it was or is in the other picture; nil: it was not or is not there. A czxid that was not read on
// one side contradicts nothing.
func (t *ClaimTable) Of(c *Claim) *Claim {
	k := c.Key()
	if o := t.by[k]; o != nil {
		return o
	}
	if k.czxid != 0 {
		k.czxid = 0
		return t.by[k]
	}
	if t.byPath == nil {
		t.byPath = make(map[ClaimKey]*Claim, len(t.by))
		for i := range t.model.Claims {
			o := t.model.Claims[i].Key()
			o.czxid = 0
			t.byPath[o] = &t.model.Claims[i]
		}
	}
	return t.byPath[k]
}

// LeaderOf returns the leader of an election; nil for a vacant one and for other kinds.
func LeaderOf(m *Model) *Claim {
	if m.Kind.Leads() && len(m.Claims) > 0 && m.Claims[0].Role() == Leader {
		return &m.Claims[0]
	}
	return nil
}
