package keys

// Taken says what a key does already; empty: nothing.
func (k *Map) Taken(key string) string {
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		return "a view"
	}
	for _, s := range k.Sections() {
		for _, b := range s.Keys {
			for _, of := range b.Keys() {
				if of == key {
					return b.Help().Desc
				}
			}
		}
	}
	return ""
}
