package inspect

import (
	"net/url"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
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
var serviceKind = survey.KindRow{Kind: layout.Service, Weigh: weighService, Build: buildService}

func weighService(x *survey.Dir) []survey.Evidence {
	if len(x.Line.Queue) > 0 {
		return nil // a leader that shows where it can be had
	}
	if n := x.SetOf(layout.Service); n > 0 {
		row := x.Set[0].Layout
		for i := range x.Set {
			if x.Set[i].Layout.Kind == layout.Service {
				row = x.Set[i].Layout
				break
			}
		}
		return []survey.Evidence{{Kind: layout.Service, Weight: 2, Why: say.Plural(n, "child is", "children are") +
			" spelled like " + row.About}}
	}
	if x.Words.Whole != layout.Service && x.Registry() {
		return []survey.Evidence{{Kind: layout.Service, Weight: 0.4,
			Why: "its children are ephemeral, and their data are addresses or describe instances"}}
	}
	if x.Words.Whole != layout.Service || len(x.Set) > 0 {
		return nil
	}
	for _, c := range x.Node.Children {
		if namesService(x, c) {
			return []survey.Evidence{{Kind: layout.Service, Weight: 0.8, Why: "the path says " +
				say.Printable(x.Words.Word) + " and the children are addresses"}}
		}
	}
	return nil
}

// namesService reports whether a child below a word for a service may be an entry of a name service.
func namesService(x *survey.Dir, c *znode.Node) bool {
	if len(c.Children) > 0 || layout.IsFurniture(c.Name) || layout.WholeWord(c.Name) != "" {
		return false
	}
	text := string(c.Data)
	return c.Ephemeral() || layout.HasPort(c.Data) || layout.IsAddress(text) || layout.HasPort([]byte(c.Name)) ||
		len(text) <= layout.MaxOwner && strings.Contains(text, "://")
}

func buildService(x *survey.Dir, why []survey.Evidence) *model.Model {
	row, isInstance := &layout.NameServiceRow, func(c *znode.Node) bool { return namesService(x, c) }
	if x.Hint.KindOf() == layout.Service {
		isInstance = func(c *znode.Node) bool { return len(c.Children) == 0 && !layout.IsFurniture(c.Name) }
	}
	if x.Words.Whole != layout.Service && x.SetOf(layout.Service) == 0 && x.Registry() {
		row, isInstance = survey.InstanceRowOf(x.Node.Children[0], &layout.AddressRow),
			func(c *znode.Node) bool { return c.Ephemeral() }
	}
	rows := make(map[*znode.Node]*layout.Layout)
	if x.SetOf(layout.Service) > 0 {
		for i := range x.Set {
			if l := x.Set[i].Layout; l.Kind == layout.Service {
				rows[x.Set[i].Node], row = l, l
			}
		}
		isInstance = func(c *znode.Node) bool { return rows[c] != nil }
	}
	b := x.Recipe(layout.Service, x.DialectOr(row.Dialect), row.Sure, why)
	var instances []*znode.Node
	for _, c := range x.Node.Children {
		if isInstance(c) {
			instances = append(instances, c)
		}
	}
	survey.ByArrival(instances)
	for _, n := range instances {
		instance(b, n, row)
	}
	b.Number("present", len(instances))
	b.ListForeign(func(c *znode.Node) bool {
		return isInstance(c) || len(c.Children) > 0 || strings.HasPrefix(c.Name, "vector_")
	})
	b.CheckExpected()
	staleInstances(b, row)
	if row == &layout.DubboRow {
		b.CheckAddresses()
	}
	if len(instances) == 0 {
		return b.Finish(model.Empty)
	}
	return b.Finish(model.Present)
}

// staleInstances tells of instances that are persistent where their registry writes ephemerals.
func staleInstances(b *survey.Builder, row *layout.Layout) {
	var kept []*model.Claim
	for i := range b.Model.Claims {
		if c := &b.Model.Claims[i]; c.Session == 0 && !c.Znode().Has(znode.NoStat) &&
			!lines.RegistersForGood(row, c.Znode()) {
			kept = append(kept, c)
		}
	}
	lines.CheckPersistent(b, kept)
}

// instance adds an instance of a service, under the address in its data or in its name.
func instance(b *survey.Builder, n *znode.Node, row *layout.Layout) {
	why := model.Registered
	if !n.Ephemeral() {
		why = model.RegisteredForGood
	}
	c := b.Claim(n, znode.Join(b.Path, n.Name), model.Member, why)
	if name := layout.ParseName(n.Name); name.HasSeq {
		c.SetSeq(&name)
	}
	where := ""
	switch row {
	case &layout.DubboRow:
		if text, err := url.QueryUnescape(n.Name); err == nil {
			if u, err := url.Parse(text); err == nil {
				where = u.Host
			}
		}
	case &layout.HiveServerRow:
		_, rest, _ := strings.Cut(n.Name, "=")
		where, _, _ = strings.Cut(rest, ";")
	case &layout.NameServiceRow:
		if c.OwnerSource() != model.FromData {
			where = n.Name
		}
	}
	if where != "" {
		c.SetOwner(where, model.FromNode)
	}
}
