package inspect

// Called returns what a claim is called among those of its recipe, safe for a terminal: its owner, and where another
// claim's reads the same, its session or its number besides. It takes time in proportion to the claims of the recipe.
func (c *Claim) Called() string {
	if c.home == nil || c.home.model == nil {
		return Printable(c.Owner())
	}
	claims := c.home.model.Claims
	for i := range claims {
		if o := &claims[i]; o != c && o.Owner() == c.Owner() && !o.same(c) {
			return Printable(c.Owner() + toldApart(c, o))
		}
	}
	return Printable(c.Owner())
}
