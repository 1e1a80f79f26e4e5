package inspect

// global returns the findings that belong to no single recipe.
func (d *decoder) global(root *memo) []Finding {
	return nil
}
