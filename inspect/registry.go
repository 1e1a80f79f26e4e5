package inspect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Registries whose instances are sequential, as contenders for a lock are: Nerve of SmartStack, D2 of rest.li, many
// that people wrote themselves. The order of judgement is: a layout that is known; a chain of watches, each on the one
// ahead, makes a line; only otherwise data that is an address, or that describes an instance, makes a service.
var (
	nerveRow    = Layout{ID: "NERVE", Dialect: Nerve, Kind: Service, Order: ByName, Sure: 0.8, About: "an instance in Nerve's registry"}
	d2Row       = Layout{ID: "D2", Dialect: D2, Kind: Service, Within: `"weights"`, Order: ByName, Sure: 0.9, About: "a URI of rest.li's D2"}
	instanceRow = Layout{ID: "REGISTRY", Dialect: Generic, Kind: Service, Order: ByName, Sure: 0.5, About: "an address"}
)

// register takes what seems to stand in line out of it where its data says that it is a registry.
func (x *dir) register() {
	if len(x.line.queue) == 0 || x.hint.kind() != "" || x.place != nil {
		return
	}
	row, judged := &instanceRow, false
	for i := range x.line.queue {
		p := &x.line.queue[i]
		if p.layout != &generic {
			return
		}
		if p.node.Has(NameOnly) {
			continue
		}
		if row = rowOfInstance(p.node, row); row == nil {
			return
		}
		judged = true
	}
	if !judged || x.chained() || x.prev != nil && inLine(x.prev.Kind) {
		return // once seen to be a line, it stays one
	}
	if wordsOf(x.path).whole == Membership {
		return // the document of primitives has groups of sequential members
	}
	for _, p := range x.line.queue {
		p.layout = row
		x.set = append(x.set, p)
	}
	x.line.queue = nil
}

// chained reports whether some session in line watches the claim of another.
func (x *dir) chained() bool {
	if len(x.snap.Watches) == 0 {
		return false
	}
	return slices.ContainsFunc(x.line.queue, func(p place) bool {
		return slices.ContainsFunc(x.snap.Watches[Join(x.path, p.Text)], func(id SessionID) bool {
			return id != p.session && slices.ContainsFunc(x.line.queue, func(q place) bool { return q.session == id })
		})
	})
}

// rowOfInstance returns the row of a registry's instance by its data; nil: the data is none's. row is that of the others.
func rowOfInstance(n *Node, row *Layout) *Layout {
	text := string(n.Data)
	switch {
	case len(text) > 0 && text[0] == '{':
	case bareAddress(text), withPort(n.Data) && plain(text), len(text) <= maxOwner && strings.Contains(text, "://") && plain(text):
		return row
	default:
		return nil
	}
	var fields map[string]any
	dec := json.NewDecoder(bytes.NewReader(n.Data))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return nil
	}
	if _, weighted := fields["weights"].(map[string]any); weighted {
		return &d2Row
	}
	field := textOf(fields)
	where := hostNamed(field)
	switch {
	case field("port") != "" && where != "" && field("host") != "" && field("name") != "" && strings.LastIndexByte(n.Name, '_') == len(n.Name)-11:
		return &nerveRow
	case field("port") != "" && where != "", withPort([]byte(where)), strings.Contains(field("url"), "://"), strings.Contains(field("uri"), "://"):
		return row
	}
	return nil
}

// registry reports whether the directory has ephemeral children alone, without numbers, and each one's data is an address
// or describes an instance.
func (x *dir) registry() bool {
	s := x.count()
	if s.ephemeral == 0 || s.ephemeral != s.all || len(x.set)+len(x.line.queue) > 0 || s.bareHex+s.bareUUID+s.party+s.named > 0 {
		return false
	}
	here := func(string) bool { return true }
	if placeOf(Join(x.path, x.node.Children[0].Name), true, here) != nil {
		return false // recipes of their own
	}
	return !slices.ContainsFunc(x.node.Children, func(c *Node) bool { return bareAddress(string(c.Data)) || rowOfInstance(c, &instanceRow) == nil })
}
