package inspect

import (
	"bytes"
	"net/url"
	"strings"
)

// The service: under its name stand the addresses at which it can be had.
//
// Layouts, all of them children of the service's directory:
//
//	<id>, JSON with serviceType or uriSpec       Curator x-discovery: Spring Cloud, Dubbo's applications, Oozie
//	member_<seq>, JSON with serviceEndpoint      ServerSets of Twitter's commons, Finagle, Aurora
//	<url, escaped>                               Dubbo: all facts are in the name
//	serverUri=<host:port>;…;sequence=<seq>       HiveServer2, and Kyuubi with serviceUri=
//	<name>, data an address                      a name service: any znode without children below a component
//	                                             that says service
//
// Instances have no order; they are listed as they came. A persistent one stays when its process dies.
var serviceKind = kindRow{kind: Service, weigh: weighService, build: buildService}

// Rows of instances that are told by their data or by more than a word of their name.
var (
	xdiscRow = Layout{ID: "CUR-XDISC", Dialect: Curator, Kind: Service, Within: "serviceType", Sure: 0.95, About: "an instance in Curator's x-discovery"}
	dubboRow = Layout{ID: "DUBBO-REG", Dialect: Dubbo, Kind: Service, Within: "%3A%2F%2F", Sure: 0.95, About: "an address in Dubbo's registry"}
	hs2Row   = Layout{ID: "HS2", Dialect: Hive, Kind: Service, Word: "serverUri=", Sure: 0.95, About: "a HiveServer2 instance"}
	nameRow  = Layout{ID: "ZK-NAME", Dialect: ZooKeeper, Kind: Service, Sure: 0.5, About: "a name in a name service"}
)

// serviceRow returns the row of a child that is a service's instance by its data or its whole name.
func serviceRow(c *Node) *Layout {
	switch {
	case len(c.Data) > 2 && c.Data[0] == '{' && (bytes.Contains(c.Data, []byte(`"serviceType"`)) || bytes.Contains(c.Data, []byte(`"uriSpec"`))):
		return &xdiscRow
	case len(c.Name) < 20:
		return nil
	case strings.Contains(c.Name, "%3A%2F%2F"):
		return &dubboRow
	case strings.HasPrefix(c.Name, "serverUri=") || strings.HasPrefix(c.Name, "serviceUri="):
		return &hs2Row
	}
	return nil
}

func weighService(x *dir) []Evidence {
	if len(x.line.queue) > 0 {
		return nil // a leader that shows where it can be had
	}
	if n := x.setOf(Service); n > 0 {
		row := x.set[0].layout
		for i := range x.set {
			if x.set[i].layout.Kind == Service {
				row = x.set[i].layout
				break
			}
		}
		return []Evidence{{Service, 2, plural(n, "child is", "children are") + " spelled like " + row.About}}
	}
	if x.words.whole != Service && x.registry() {
		return []Evidence{{Service, 0.4, "its children are ephemeral, and their data are addresses or describe instances"}}
	}
	if x.words.whole != Service || len(x.set) > 0 {
		return nil
	}
	for _, c := range x.node.Children {
		if x.namesService(c) {
			return []Evidence{{Service, 0.8, "the path says " + Printable(x.words.word) + " and the children are addresses"}}
		}
	}
	return nil
}

// namesService reports whether a child below a word for a service may be an entry of a name service.
func (x *dir) namesService(c *Node) bool {
	if len(c.Children) > 0 || furniture[c.Name] || wholeWord(c.Name) != "" {
		return false
	}
	text := string(c.Data)
	return c.Ephemeral() || withPort(c.Data) || bareAddress(text) || withPort([]byte(c.Name)) || len(text) <= maxOwner && strings.Contains(text, "://")
}

func buildService(x *dir, why []Evidence) *Model {
	row, isInstance := &nameRow, x.namesService
	if x.hint.kind() == Service {
		isInstance = func(c *Node) bool { return len(c.Children) == 0 && !furniture[c.Name] }
	}
	if x.words.whole != Service && x.setOf(Service) == 0 && x.registry() {
		row, isInstance = rowOfInstance(x.node.Children[0], &instanceRow), func(c *Node) bool { return c.Ephemeral() }
	}
	rows := make(map[*Node]*Layout)
	if x.setOf(Service) > 0 {
		for i := range x.set {
			if l := x.set[i].layout; l.Kind == Service {
				rows[x.set[i].node], row = l, l
			}
		}
		isInstance = func(c *Node) bool { return rows[c] != nil }
	}
	b := x.recipe(Service, x.placed(row.Dialect), row.Sure, why)
	var instances []*Node
	for _, c := range x.node.Children {
		if isInstance(c) {
			instances = append(instances, c)
		}
	}
	byArrival(instances)
	for _, n := range instances {
		b.instance(n, row)
	}
	b.number("present", len(instances))
	b.outsiders(func(c *Node) bool {
		return isInstance(c) || len(c.Children) > 0 || strings.HasPrefix(c.Name, "vector_")
	})
	b.missing()
	b.staleInstances(row)
	if row == &dubboRow {
		b.strangers()
	}
	if len(instances) == 0 {
		return b.finish(Empty)
	}
	return b.finish(Present)
}

// staleInstances tells of instances that are persistent where their registry writes ephemerals.
func (b *builder) staleInstances(row *Layout) {
	var kept []*Claim
	for i := range b.model.Claims {
		if c := &b.model.Claims[i]; c.Session == 0 && !c.znode().Has(NoStat) && !registersForGood(row, c.znode()) {
			kept = append(kept, c)
		}
	}
	b.unowned(kept)
}

// instance adds an instance of a service, under the address in its data or in its name.
func (b *builder) instance(n *Node, row *Layout) {
	why := registered
	if !n.Ephemeral() {
		why = registeredForGood
	}
	c := b.claim(n, Join(b.path, n.Name), Member, why)
	if name := ParseName(n.Name); name.HasSeq {
		c.seq(&name)
	}
	where := ""
	switch row {
	case &dubboRow:
		if text, err := url.QueryUnescape(n.Name); err == nil {
			if u, err := url.Parse(text); err == nil {
				where = u.Host
			}
		}
	case &hs2Row:
		_, rest, _ := strings.Cut(n.Name, "=")
		where, _, _ = strings.Cut(rest, ";")
	case &nameRow:
		if c.OwnerSource() != FromData {
			where = n.Name
		}
	}
	if where != "" {
		c.called(where, FromNode)
	}
}
