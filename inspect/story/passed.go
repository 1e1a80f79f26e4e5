package story

import (
	"github.com/zkscope/zkscope/inspect/model"
)

// passed are the claims of a pool that came to hold by another znode than they waited by: who takes a lease makes a
// znode for it, and removes the one that stood in line. It is told as one thing that happened, with how long was
// waited. The keys of by are the new claims, its values those that left the line.
func passed(old, new *model.Model, now, before model.ClaimTable) (by map[*model.Claim]*model.Claim,
	left map[*model.Claim]bool) {
	if !new.Kind.Pool() {
		return nil, nil
	}
	by, left = map[*model.Claim]*model.Claim{}, map[*model.Claim]bool{}
	for i := range new.Claims {
		c := &new.Claims[i]
		if c.Session == 0 || !model.Holding(c.Role()) || before.Of(c) != nil {
			continue
		}
		for j := range old.Claims {
			o := &old.Claims[j]
			if o.Session == c.Session && o.Owner() == c.Owner() && !model.Holding(o.Role()) && !left[o] && now.Of(o) == nil {
				by[c], left[o] = o, true
				break
			}
		}
	}
	return by, left
}
