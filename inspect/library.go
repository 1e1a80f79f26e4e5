package inspect

// Library returns the dialect in which the recipe's claims are spelled. It is the recipe's own dialect but for systems
// that elect or lock with somebody's library: NiFi's elections are spelled as Curator's, Vault's as go-zookeeper's.
// Whoever joins a recipe has to go by it.
func (m *Model) Library() Dialect {
	for i := range m.Claims {
		n := ParseName(m.Claims[i].Node())
		rows := shapes[n.Word]
		if n.Word == "" || len(rows) == 0 {
			continue
		}
		for _, l := range rows {
			if l.Dialect == m.Dialect {
				return m.Dialect
			}
		}
		if l := layoutOf(&n, nil, m.Path); l != nil {
			return l.Dialect
		}
	}
	return m.Dialect
}
