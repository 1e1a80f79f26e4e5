package inspect

import "strings"

// Recipes that are one znode with a value: barrier, config, rendezvous, counter. Nothing but a hint, a
// known place or a word in the path tells them from any other znode.

// opaque reports whether a kind is one of them.
func opaque(k Kind) bool { return k == Barrier || k == Config || k == Rendezvous || k == Counter }

// buildOpaque builds a recipe that is one znode with a value.
func (x *dir) buildOpaque(kind Kind, why []Evidence) *Model {
	for i := range kindTable {
		if kindTable[i].kind == kind {
			return kindTable[i].build(x, why)
		}
	}
	return nil
}

// hasValue reports whether a znode may be the recipe that a word in its path says it is. Without data, a
// znode that has had children is a directory of such recipes and not one of them, and so is one whose own
// name is the word, but for a barrier in the singular.
func (w *walk) hasValue(c *Node, kind Kind, itself bool) bool {
	switch {
	case furniture[c.Name]:
		return false
	case kind == Barrier && c.Ephemeral():
		return false
	case len(c.Data) > 0 || c.Has(DataOmitted) || c.Has(Unreadable):
		return true
	case c.HasCversion && c.Cversion > 0:
		return false
	case itself:
		return kind == Barrier && !strings.HasSuffix(strings.ToLower(c.Name), "s")
	}
	return true
}

// settleValue ends a recipe that is one znode: its version, when it changed, who watches.
func (b *builder) settleValue(state State) *Model {
	n := b.node
	b.number("version", int(n.Version))
	if n.Version < 0 && !below("/zookeeper", b.model.Path) { // ZooKeeper's own begin with -1
		b.add(CodeVersionWrapped, Medium, "the data version has turned negative ("+itoa(int64(n.Version))+
			"): clients that compare it may stop updating", &b.model.Claims[0])
	}
	if n.Has(Unreadable) || n.Has(DataOmitted) {
		state = Unknown
		b.model.Claims[0].reason = dataHidden
	}
	b.watching()
	return b.finish(state)
}

// value returns the value of such a recipe as a short text; empty: none, or no text.
func (m *Model) value() string {
	data := m.znode().Data
	if m.Kind != Counter {
		return shortText(data)
	}
	switch n, form := countIn(data); form {
	case textNumber, binaryNumber:
		return itoa(n)
	case realNumber:
		return strings.TrimSpace(string(data))
	}
	return ""
}

// znode returns the znode that such a recipe is.
func (m *Model) znode() *Node {
	if len(m.Claims) == 0 {
		return &noNode
	}
	return m.Claims[0].znode()
}

// shortText is data as one short printable line; empty when it is not text or too long.
func shortText(data []byte) string {
	if len(data) == 0 || len(data) > 48 || !plain(string(data)) {
		return ""
	}
	return string(data)
}
