package order

// Alike and Arranged are the two ways to the same Turn.
func (r Rule) Alike(children []Contender, mine string) (Turn, bool) { return r.alike(children, mine) }
func (r Rule) Arranged(children []Contender, mine string) Turn      { return r.arranged(children, mine) }
