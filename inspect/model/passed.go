package model

// Passed are the claims of a pool that came to hold by another znode than they waited by: who takes a lease makes a
// znode for it, and removes the one that stood in line. It is one thing that happened. The keys are the claims that are
// new, the values those that left the line for them. Where several of one session and name did, they are matched in
// order.
func Passed(old, new *Model) map[*Claim]*Claim {
	if old == nil || new == nil || !old.Kind.Pool() || !new.Kind.Pool() {
		return nil
	}
	now, before := NewClaimTable(new), NewClaimTable(old)
	by, left := map[*Claim]*Claim{}, map[*Claim]bool{}
	for i := range new.Claims {
		c := &new.Claims[i]
		if c.Session == 0 || !Holding(c.Role()) || before.Of(c) != nil {
			continue
		}
		for j := range old.Claims {
			o := &old.Claims[j]
			if c.leaseOf(o) && !left[o] && gone(now.Of(o)) {
				by[c], left[o] = o, true
				break
			}
		}
	}
	return by
}

// gone reports whether a claim does not stand in line any more: its place is not there, or about to go.
func gone(is *Claim) bool { return is == nil || is.HasNote(NoteHasLease) }

// leaseOf reports whether a lease can be what a claim waited for: it is of the same owner, and not the older one.
func (c *Claim) leaseOf(o *Claim) bool {
	return !Holding(o.Role()) && !o.HasNote(NoteHasLease) && o.Session == c.Session && o.Owner() == c.Owner() &&
		(c.Czxid() == 0 || o.Czxid() < c.Czxid())
}
