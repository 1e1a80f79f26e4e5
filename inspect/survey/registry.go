package survey

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// register takes what seems to stand in line out of it where its data says that it is a registry.
func (x *Dir) register() {
	if len(x.Line.Queue) == 0 || x.Hint.KindOf() != "" || x.Place != nil {
		return
	}
	row, judged := &layout.AddressRow, false
	for i := range x.Line.Queue {
		p := &x.Line.Queue[i]
		if p.Layout != &layout.NumberedRow {
			return
		}
		if p.Node.Has(znode.NameOnly) {
			continue
		}
		if row = InstanceRowOf(p.Node, row); row == nil {
			return
		}
		judged = true
	}
	if !judged || x.chained() || x.Prev != nil && x.Prev.Kind.InLine() {
		return // once seen to be a line, it stays one
	}
	if k := layout.WordsOf(x.Path).Whole; k.Members() && !k.Serves() {
		return // the document of primitives has groups of sequential members
	}
	for _, p := range x.Line.Queue {
		p.Layout = row
		x.Set = append(x.Set, p)
	}
	x.Line.Queue = nil
}

// chained reports whether some session in line watches the claim of another.
func (x *Dir) chained() bool {
	if len(x.Snap.Watches) == 0 {
		return false
	}
	return slices.ContainsFunc(x.Line.Queue, func(p order.Place) bool {
		return slices.ContainsFunc(x.Snap.Watches[znode.Join(x.Path, p.Text)], func(id znode.SessionID) bool {
			return id != p.Owner && slices.ContainsFunc(x.Line.Queue, func(q order.Place) bool { return q.Owner == id })
		})
	})
}

// InstanceRowOf returns the row of a registry's instance by its data; nil: the data is none's. row is
// that of the others.
func InstanceRowOf(n *znode.Node, row *layout.Layout) *layout.Layout {
	text := string(n.Data)
	switch {
	case len(text) > 0 && text[0] == '{':
	case layout.IsAddress(text), layout.HasPort(n.Data) && say.Plain(text), len(text) <= layout.MaxOwner &&
		strings.Contains(text, "://") && say.Plain(text):
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
		return &layout.D2Row
	}
	field := layout.Texts(fields)
	where := layout.HostIn(field)
	switch {
	case field("port") != "" && where != "" && field("host") != "" && field("name") != "" &&
		strings.LastIndexByte(n.Name, '_') == len(n.Name)-11:
		return &layout.NerveRow
	case field("port") != "" && where != "", layout.HasPort([]byte(where)), strings.Contains(field("url"), "://"),
		strings.Contains(field("uri"), "://"):
		return row
	}
	return nil
}

// Registry reports whether the directory has ephemeral children alone, without numbers, and each one's data is an
// address or describes an instance.
func (x *Dir) Registry() bool {
	s := x.Count()
	if s.Ephemeral == 0 || s.Ephemeral != s.All || len(x.Set)+len(x.Line.Queue) > 0 ||
		s.BareHex+s.BareUUID+s.Party+s.Named > 0 {
		return false
	}
	here := func(string) bool { return true }
	if layout.PlaceOf(znode.Join(x.Path, x.Node.Children[0].Name), true, here) != nil {
		return false // recipes of their own
	}
	return !slices.ContainsFunc(x.Node.Children, func(c *znode.Node) bool {
		return layout.IsAddress(string(c.Data)) || InstanceRowOf(c, &layout.AddressRow) == nil
	})
}
